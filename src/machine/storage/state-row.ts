/** The key of the row; exported for the steps that fill it. */
export const STATE_KEY = "state";

/**
 * The small values of an object, by name, in one row. All values that an event changes are here, so that an event costs one row, however many
 * of them it changes.
 *
 * Measured with the segments of events (inputs/input-encoding.ts): a machine with 10-second counts wrote 140,820 rows a day in its object, and
 * writes 11,001 (docs/adr/0007-one-row-for-each-count.md). Test: test/machine/write-costs.test.ts.
 */
export class StateRow {
  readonly #storage: DurableObjectStorage;
  /** Null: not read yet. */
  #values: Record<string, unknown> | null = null;
  #isInTransaction = false;
  #isChanged = false;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  get<T>(name: string): T | null {
    this.#values ??= this.#storage.kv.get<Record<string, unknown>>(STATE_KEY) ?? {};
    return (this.#values[name] as T | undefined) ?? null;
  }

  /** Sets a value. It is stored when the transaction ends; without one, at once. */
  set(name: string, value: unknown): void {
    this.note(name, value);
    this.#isChanged = true;
    if (!this.#isInTransaction) this.#write();
  }

  /** Sets a value that is only stored together with the next `set`: it may be lost. */
  note(name: string, value: unknown): void {
    this.get(name);
    this.#values = { ...this.#values, [name]: value };
  }

  /** Does all of `work` or nothing, and stores the row once if it changed. If `work` throws, the row is read again. */
  transaction<T>(work: () => T): T {
    this.#isInTransaction = true;
    try {
      return this.#storage.transactionSync(() => {
        const result = work();
        this.#write();
        return result;
      });
    } catch (error) {
      this.#values = null;
      this.#isChanged = false;
      throw error;
    } finally {
      this.#isInTransaction = false;
    }
  }

  #write(): void {
    if (this.#isChanged) this.#storage.kv.put(STATE_KEY, this.#values);
    this.#isChanged = false;
  }
}
