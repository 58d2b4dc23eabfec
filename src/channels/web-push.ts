import { HOUR_MS, SECOND_MS } from "../oee/time.ts";

// RFC 8291 (encryption for a browser), RFC 8188 (aes128gcm) and RFC 8292 (VAPID), by the platform's own cryptography.

/** A browser's push subscription; keys in base64url. */
export interface PushKeys {
  p256dh: string;
  auth: string;
}

const curve = { name: "ECDH", namedCurve: "P-256" };
const RECORD_BYTES = 4096;
/** How long a signed permission is valid; push services accept up to 24 h. */
const PERMIT_MS = 12 * HOUR_MS;

const utf8 = (text: string) => new TextEncoder().encode(text);
const fromBase64url = (text: string) => new Uint8Array(Buffer.from(text, "base64url"));
const toBase64url = (bytes: Uint8Array | ArrayBuffer) => Buffer.from(new Uint8Array(bytes)).toString("base64url");

/** Encrypts a text of at most 3,993 bytes so that only the browser with these keys can read it. */
export async function encryptPush({ p256dh, auth }: PushKeys, text: string): Promise<Uint8Array<ArrayBuffer>> {
  const browserKey = fromBase64url(p256dh);
  const own = (await crypto.subtle.generateKey(curve, true, ["deriveBits"])) as CryptoKeyPair;
  const ownKey = new Uint8Array((await crypto.subtle.exportKey("raw", own.publicKey)) as ArrayBuffer);
  const theirs = await crypto.subtle.importKey("raw", browserKey, curve, false, []);
  // The platform follows the standard, but its types give this member another name.
  const derivation = { name: "ECDH", public: theirs } as unknown as SubtleCryptoDeriveKeyAlgorithm;
  const shared = await crypto.subtle.deriveBits(derivation, own.privateKey, 256);
  const secret = await hkdf(fromBase64url(auth), shared, Buffer.concat([utf8("WebPush: info\0"), browserKey, ownKey]), 32);
  const salt = crypto.getRandomValues(new Uint8Array(16));
  const key = await hkdf(salt, secret, utf8("Content-Encoding: aes128gcm\0"), 16);
  const iv = await hkdf(salt, secret, utf8("Content-Encoding: nonce\0"), 12);
  const cipher = await crypto.subtle.importKey("raw", key, "AES-GCM", false, ["encrypt"]);
  // A 2 marks the last record.
  const sealed = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, cipher, Buffer.concat([utf8(text), new Uint8Array([2])]));
  const size = new DataView(new ArrayBuffer(4));
  size.setUint32(0, RECORD_BYTES);
  const parts = [salt, new Uint8Array(size.buffer), new Uint8Array([ownKey.length]), ownKey, new Uint8Array(sealed)];
  return new Uint8Array(Buffer.concat(parts));
}

/** The `Authorization` header of a push: its sender (`contact`), signed with the service's key (a private JSON Web Key). */
export async function vapidPermit(endpoint: string, privateKey: string, contact: string): Promise<string> {
  const jwk = JSON.parse(privateKey);
  const claims = { aud: new URL(endpoint).origin, exp: Math.floor((Date.now() + PERMIT_MS) / SECOND_MS), sub: contact };
  const signed = [{ typ: "JWT", alg: "ES256" }, claims].map((part) => toBase64url(utf8(JSON.stringify(part)))).join(".");
  const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("jwk", jwk, algorithm, false, ["sign"]);
  const signature = await crypto.subtle.sign(algorithm, key, utf8(signed));
  return `vapid t=${signed}.${toBase64url(signature)}, k=${publicKeyOf(privateKey)}`;
}

/** The public key of a private JSON Web Key, in the form that browsers use. */
export function publicKeyOf(privateKey: string): string {
  const { x, y } = JSON.parse(privateKey);
  return toBase64url(Buffer.concat([new Uint8Array([4]), fromBase64url(x), fromBase64url(y)]));
}

async function hkdf(salt: Uint8Array, secret: ArrayBuffer, info: Uint8Array, bytes: number): Promise<ArrayBuffer> {
  const key = await crypto.subtle.importKey("raw", secret, "HKDF", false, ["deriveBits"]);
  return await crypto.subtle.deriveBits({ name: "HKDF", hash: "SHA-256", salt, info }, key, bytes * 8);
}
