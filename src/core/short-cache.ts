/** A value and when it was read, epoch ms. */
export interface Cached<V> {
  value: V;
  readAt: number;
}

/** Remembers up to `maxEntries` values of one isolate for `ttlMs`; the oldest gives way. */
export class ShortCache<V> {
  readonly ttlMs: number;
  readonly maxEntries: number;
  readonly #entries = new Map<string, Cached<V>>();

  constructor(ttlMs: number, maxEntries: number) {
    this.ttlMs = ttlMs;
    this.maxEntries = maxEntries;
  }

  /** The value, unless it is older than the cache remembers. */
  get(key: string): Cached<V> | undefined {
    const entry = this.#entries.get(key);
    if (entry && Date.now() - entry.readAt < this.ttlMs) return entry;
    this.#entries.delete(key);
    return undefined;
  }

  /** Forgets a value. */
  delete(key: string): void {
    this.#entries.delete(key);
  }

  /** Remembers a value that was asked for at `readAt`. */
  set(key: string, value: V, readAt: number): void {
    this.#entries.delete(key);
    this.#entries.set(key, { value, readAt });
    const oldest = this.#entries.keys().next();
    if (this.#entries.size > this.maxEntries && !oldest.done) this.#entries.delete(oldest.value);
  }
}
