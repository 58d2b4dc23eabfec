/** A value and when it was read, epoch ms. */
export interface Cached<V> {
  value: V;
  readAt: number;
}

/** Caches up to `maxEntries` values in this isolate for `ttlMs`. When it is full, the oldest entry is dropped. */
export class ShortCache<V> {
  readonly ttlMs: number;
  readonly maxEntries: number;
  readonly #entries = new Map<string, Cached<V>>();

  constructor(ttlMs: number, maxEntries: number) {
    this.ttlMs = ttlMs;
    this.maxEntries = maxEntries;
  }

  /** The value, unless it is missing or expired. */
  get(key: string): Cached<V> | undefined {
    const entry = this.#entries.get(key);
    if (entry && Date.now() - entry.readAt < this.ttlMs) return entry;
    this.#entries.delete(key);
    return undefined;
  }

  /** Removes a value. */
  delete(key: string): void {
    this.#entries.delete(key);
  }

  /** Adds a value that was read at `readAt`: when the query began, not when it ended. */
  set(key: string, value: V, readAt: number): void {
    this.#entries.delete(key);
    this.#entries.set(key, { value, readAt });
    const oldest = this.#entries.keys().next();
    if (this.#entries.size > this.maxEntries && !oldest.done) this.#entries.delete(oldest.value);
  }
}
