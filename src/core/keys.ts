import { createHash, hkdfSync } from "node:crypto";
import { configOf } from "./config.ts";

/** An encryption key. Nothing uses it as it is: each use derives a key of its own. */
export interface Key {
  /** Names the key in what it has sealed: the first characters of its SHA-256. */
  readonly id: string;
  /** As in the configuration. */
  readonly text: string;
  readonly bytes: Uint8Array;
}

/** The configured keys, the current one first. */
export type KeyRing = readonly [Key, ...Key[]];

const rings = new WeakMap<Env, KeyRing>();

/** ENCRYPTION_KEY and, while it is being replaced, ENCRYPTION_KEY_PREVIOUS. */
export function keyRing(env: Env): KeyRing {
  const known = rings.get(env);
  if (known) return known;
  const { ENCRYPTION_KEY: current, ENCRYPTION_KEY_PREVIOUS: previous } = configOf(env);
  const ring: KeyRing = previous === "" ? [keyOf(current)] : [keyOf(current), keyOf(previous)];
  rings.set(env, ring);
  return ring;
}

function keyOf(text: string): Key {
  const bytes = Buffer.from(text, "base64");
  return { id: createHash("sha256").update(bytes).digest("hex").slice(0, 6), text, bytes };
}

/** The key for one use, 32 bytes. */
export function deriveKey({ bytes }: Key, use: "seal" | "idempotency" | "pairing"): Uint8Array<ArrayBuffer> {
  return new Uint8Array(hkdfSync("sha256", bytes, "", use, 32));
}
