// Bounds for concurrent work and for waiting on storage. Work beyond them is refused, not queued.

/** How long to wait for D1, R2 and Images, in ms. */
export const STORAGE_MS = 10_000;
/** How long to wait for a machine object, in ms. It may itself wait for D1. */
export const OBJECT_MS = 15_000;

/** How many machine objects one request calls at once. */
export const OBJECTS_AT_ONCE = 32;

/** Storage did not answer in time, or is overloaded. Trying again later may help. */
export class StorageBusy extends Error {
  override readonly name = "StorageBusy";
}

/** Returns the answer if it arrives within `ms`, otherwise throws StorageBusy; the work itself may still complete. */
export async function within<T>(ms: number, who: string, answer: T): Promise<Awaited<T>> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new StorageBusy(`${who} did not answer within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([answer, deadline]);
  } finally {
    if (timer !== undefined) clearTimeout(timer);
  }
}

/** A list in parts of at most `size` items. */
export function chunksOf<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));
}

/** Does work for each item, `atOnce` of them at a time. Rejects as soon as one fails, and starts no more. */
export async function eachOf<T>(items: Iterable<T>, atOnce: number, work: (item: T) => Promise<unknown>): Promise<void> {
  const left = items[Symbol.iterator]();
  let hasFailed = false;
  const go = async () => {
    for (let next = left.next(); !next.done && !hasFailed; next = left.next()) await work(next.value);
  };
  await Promise.all(
    Array.from({ length: atOnce }, () =>
      go().catch((error) => {
        hasFailed = true;
        throw error;
      }),
    ),
  );
}

/**
 * Limits the work that this isolate does at once, by key. A slot that is not released becomes free after `leaseMs`: when a caller
 * disconnects, the runtime may end its request without running `finally`.
 */
export class Slots {
  readonly #leaseMs: number;
  readonly #taken = new Map<string, Set<{ since: number }>>();

  constructor(leaseMs: number) {
    this.#leaseMs = leaseMs;
  }

  /** The number of taken slots of a key. */
  taken(key: string): number {
    return this.#taken.get(key)?.size ?? 0;
  }

  /** Takes one of `max` slots. Returns the function that releases it, or null if all are taken. */
  take(key: string, max: number): (() => void) | null {
    const now = Date.now();
    const taken = this.#taken.get(key) ?? new Set<{ since: number }>();
    for (const slot of taken) {
      if (now - slot.since < this.#leaseMs) break;
      taken.delete(slot);
    }
    if (taken.size >= max) return null;
    const slot = { since: now };
    this.#taken.set(key, taken.add(slot));
    return () => {
      taken.delete(slot);
      if (taken.size === 0 && this.#taken.get(key) === taken) this.#taken.delete(key);
    };
  }
}
