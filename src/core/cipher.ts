import { ConfigError, configOf } from "./config.ts";

const ivBytes = 12;

/** Encrypts a text with AES-256-GCM and the service's key. Base64 of iv and ciphertext. */
export async function seal(env: Env, text: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(ivBytes));
  const sealed = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, await cipherKey(env), new TextEncoder().encode(text));
  return Buffer.concat([iv, new Uint8Array(sealed)]).toString("base64");
}

/** Decrypts the result of `seal`. Throws if it was changed, or encrypted with another key. */
export async function unseal(env: Env, sealed: string): Promise<string> {
  const bytes = Buffer.from(sealed, "base64");
  const iv = bytes.subarray(0, ivBytes);
  const opened = await crypto.subtle.decrypt({ name: "AES-GCM", iv }, await cipherKey(env), bytes.subarray(ivBytes));
  return new TextDecoder().decode(opened);
}

/** Whether a sealed text can be opened: false if it was encrypted with another key, which was lost or replaced. */
export async function isReadable(env: Env, sealed: string): Promise<boolean> {
  try {
    await unseal(env, sealed);
    return true;
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    return false;
  }
}

const keys = new WeakMap<Env, CryptoKey>();

async function cipherKey(env: Env): Promise<CryptoKey> {
  const known = keys.get(env);
  if (known) return known;
  const bytes = Buffer.from(configOf(env).ENCRYPTION_KEY, "base64");
  const key = await crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]);
  keys.set(env, key);
  return key;
}
