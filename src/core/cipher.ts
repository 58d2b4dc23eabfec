import { ConfigError } from "./config.ts";
import { deriveKey, type Key, keyRing } from "./keys.ts";

const ivBytes = 12;

/** The columns with sealed texts. */
export type SealedColumn =
  | "webhook_secrets.sealed_secret"
  | "webhook_secrets.previous_sealed_secret"
  | "webhook_subscriptions.sealed_secret"
  | "webhook_subscriptions.previous_sealed_secret"
  | "chat_rooms.sealed_url";

/** Where a sealed text belongs: it opens nowhere else. A column and the id of its row, or the links by which readers leave reports. */
export type Place = readonly [column: SealedColumn, id: number | string] | readonly ["leave link"];

/** A text was sealed with a key that the service does not have. */
class UnknownKey extends Error {
  override readonly name = "UnknownKey";
  /** The id of the key. */
  readonly keyId: string;

  constructor(keyId: string) {
    super(`It was encrypted with the key ${keyId}, which is neither ENCRYPTION_KEY nor ENCRYPTION_KEY_PREVIOUS`);
    this.keyId = keyId;
  }
}

/** Encrypts a text with AES-256-GCM and the current key, for a place. Returns `v1.<id of the key>.<base64 of iv and ciphertext>`. */
export async function seal(env: Env, place: Place, text: string): Promise<string> {
  const [key] = keyRing(env);
  const iv = crypto.getRandomValues(new Uint8Array(ivBytes));
  const sealed = await crypto.subtle.encrypt(algorithmOf(iv, place), await sealingKey(key), new TextEncoder().encode(text));
  return `v1.${key.id}.${Buffer.concat([iv, new Uint8Array(sealed)]).toString("base64")}`;
}

/**
 * Decrypts the result of `seal`.
 * @throws UnknownKey if the service does not have its key; another error if it was changed, or belongs to another place
 */
export async function unseal(env: Env, place: Place, sealed: string): Promise<string> {
  const ring = keyRing(env);
  const keyId = keyIdOf(sealed);
  if (keyId === null) return await unsealOld(ring, sealed);
  const key = ring.find(({ id }) => id === keyId);
  if (!key) throw new UnknownKey(keyId);
  const bytes = Buffer.from(sealed.slice(sealed.lastIndexOf(".") + 1), "base64");
  return await decrypt(await sealingKey(key), algorithmOf(bytes.subarray(0, ivBytes), place), bytes);
}

/** Whether a sealed text can be opened: false if it was encrypted with another key, which was lost or replaced. */
export async function isReadable(env: Env, place: Place, sealed: string): Promise<boolean> {
  try {
    await unseal(env, place, sealed);
    return true;
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    return false;
  }
}

/** The id of the key that sealed a text; null if it was sealed before keys had ids (November 2026). */
export function keyIdOf(sealed: string): string | null {
  return /^v1\.([0-9a-f]{6})\./.exec(sealed)?.[1] ?? null;
}

/** Opens a text that was sealed before keys had ids: with the key itself, for no place. */
async function unsealOld(ring: readonly Key[], sealed: string): Promise<string> {
  const bytes = Buffer.from(sealed, "base64");
  const opened = ring.map(async ({ bytes: key }) =>
    decrypt(await imported(key), { name: "AES-GCM", iv: bytes.subarray(0, ivBytes) }, bytes),
  );
  return await Promise.any(opened).catch(() => {
    throw new Error("It was encrypted with another key than ENCRYPTION_KEY, or was changed");
  });
}

async function decrypt(key: CryptoKey, algorithm: SubtleCryptoEncryptAlgorithm, bytes: Uint8Array): Promise<string> {
  return new TextDecoder().decode(await crypto.subtle.decrypt(algorithm, key, bytes.subarray(ivBytes)));
}

function algorithmOf(iv: Uint8Array, place: Place): SubtleCryptoEncryptAlgorithm {
  return { name: "AES-GCM", iv, additionalData: new TextEncoder().encode(place.join(" ")) };
}

const sealingKeys = new WeakMap<Key, Promise<CryptoKey>>();

function sealingKey(key: Key): Promise<CryptoKey> {
  const known = sealingKeys.get(key) ?? imported(deriveKey(key, "seal"));
  sealingKeys.set(key, known);
  return known;
}

async function imported(bytes: Uint8Array): Promise<CryptoKey> {
  return await crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]);
}
