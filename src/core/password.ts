import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";

interface Cost {
  n: number;
  r: number;
  p: number;
}

/** The client that sends a password, and the room in which passwords are hashed, because hashing blocks the isolate. */
export interface PasswordClient {
  readonly address: string;
  /** The key by which its failures are counted: its address, or the network of an IPv6 address. */
  readonly network: string;
  /** Throws 503 if a password cannot be hashed now. */
  refuseHashing(): void;
  /**
   * Hashes or checks a password as soon as it is its turn.
   * @throws Problem 503 when too many are waiting
   */
  hashing<T>(hash: () => Promise<T>): Promise<T>;
}

const cost: Cost = { n: 16384, r: 8, p: 5 };
const hashBytes = 32;

// A hash that matches no password, at the cost of a real one: an unknown e-mail takes as long as a known one.
const dummyHash = `scrypt$${cost.n}$${cost.r}$${cost.p}$${"A".repeat(22)}$${"A".repeat(43)}`;

/** The password's hash as `scrypt$N$r$p$salt$hash`, salt and hash in base64url. */
export async function hashPassword(password: string, { n, r, p }: Cost = cost): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password, salt, hashBytes, { n, r, p });
  return `scrypt$${n}$${r}$${p}$${salt.toString("base64url")}$${hash.toString("base64url")}`;
}

/** True if the password matches the stored hash. Without a hash it returns false after the same work. */
export async function verifyPassword(password: string, stored: string | undefined): Promise<boolean> {
  const [, n, r, p, salt = "", hash = ""] = (stored || dummyHash).split("$");
  const expected = Buffer.from(hash, "base64url");
  const actual = await derive(password, Buffer.from(salt, "base64url"), expected.length, {
    n: Number(n),
    r: Number(r),
    p: Number(p),
  });
  return timingSafeEqual(actual, expected) && Boolean(stored);
}

function derive(password: string, salt: Buffer, bytes: number, { n, r, p }: Cost): Promise<Buffer> {
  // The default memory limit is too low for the stronger parameters that a stored hash may name.
  const options = { N: n, r, p, maxmem: 256 * n * r };
  return new Promise((resolve, reject) => {
    // Keyboards may compose the same character differently.
    scrypt(password.normalize("NFKC"), salt, bytes, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
}
