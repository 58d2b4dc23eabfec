// Declares only the parts of Node that the Worker uses (compatibility flag nodejs_compat): with @types/node it could also import modules that
// workerd lacks. Add further ones here as documented at https://developers.cloudflare.com/workers/runtime-apis/nodejs/.

type BufferEncoding = "utf8" | "latin1" | "hex" | "base64" | "base64url";

interface Buffer extends Uint8Array<ArrayBuffer> {
  toString(encoding?: BufferEncoding): string;
  readUIntBE(offset: number, byteLength: number): number;
}

interface BufferConstructor {
  from(bytes: Uint8Array | readonly number[]): Buffer;
  from(text: string, encoding?: BufferEncoding): Buffer;
  concat(list: readonly Uint8Array[]): Buffer;
  byteLength(text: string): number;
}

declare var Buffer: BufferConstructor;

declare module "node:crypto" {
  interface Digest {
    update(data: string | Uint8Array): this;
    digest(): Buffer;
    digest(encoding: BufferEncoding): string;
  }
  interface ScryptOptions {
    N: number;
    r: number;
    p: number;
    maxmem: number;
  }
  export function createHash(algorithm: "sha256"): Digest;
  export function createHmac(algorithm: "sha256", key: string | Uint8Array): Digest;
  export function hkdfSync(digest: "sha256", key: Uint8Array, salt: string, info: string, length: number): ArrayBuffer;
  export function randomBytes(size: number): Buffer;
  export function scrypt(
    password: string,
    salt: Uint8Array,
    keyLength: number,
    options: ScryptOptions,
    done: (error: Error | null, key: Buffer) => void,
  ): void;
  export function timingSafeEqual(a: Uint8Array, b: Uint8Array): boolean;
}

declare module "node:dns/promises" {
  export function resolve4(hostname: string): Promise<string[]>;
  export function resolve6(hostname: string): Promise<string[]>;
}

declare module "node:util" {
  export function isDeepStrictEqual(a: unknown, b: unknown): boolean;
}

declare module "node:zlib" {
  /** Throws a RangeError (in Node one with the code ERR_BUFFER_TOO_LARGE) when the output would be longer. */
  export function gunzipSync(bytes: Uint8Array, options?: { maxOutputLength: number }): Buffer;
  export function gzipSync(data: string | Uint8Array, options: { level: number }): Buffer;
}
