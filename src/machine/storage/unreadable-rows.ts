/** The beginning of the keys under which the rows are kept. */
const PREFIX = "unreadable ";

/** Where a row was: its table, and its key there. */
interface Place {
  table: string;
  key: string | number;
}

/**
 * Rows of the object's database that cannot be read, such as a text that is not JSON. A row costs what it says and not the machine: when it is
 * found it is logged and kept apart, and whoever wanted it goes on without it. The rows are counted, so that numbers that lack them are not
 * taken for complete ones.
 */
export class UnreadableRows {
  readonly #storage: DurableObjectStorage;
  /** Null: not counted yet. */
  #count: number | null = null;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  get count(): number {
    this.#count ??= [...this.#storage.kv.list({ prefix: PREFIX })].length;
    return this.#count;
  }

  /** Drops the value in memory, because it was not stored. */
  reload(): void {
    this.#count = null;
  }

  /**
   * Reads the JSON that a row holds.
   * @param remove removes it from its place if it cannot be read
   * @returns null if it cannot be read: then it is kept apart
   */
  parse<T>(place: Place, text: string, remove: () => void): T | null {
    try {
      return JSON.parse(text) as T;
    } catch (error) {
      this.keep(place, text, error);
      remove();
      return null;
    }
  }

  /**
   * Keeps a row apart, and logs it, unless that was done before.
   * @param text what it held; null: nothing was found at its place
   */
  keep({ table, key }: Place, text: string | null, error: unknown): void {
    const { kv } = this.#storage;
    const name = nameOf({ table, key });
    if (kv.get(name) !== undefined) return;
    const machineId = kv.get<{ machineId: number }>("identity")?.machineId;
    console.error(JSON.stringify({ event: "row_unreadable", machineId, table, key, error: String(error) }));
    kv.put(name, text);
    this.reload();
  }

  /** Forgets the rows of a table whose keys come before one. */
  forget(table: string, before: string): void {
    if (this.count === 0) return;
    this.#delete(this.#storage.kv.list({ prefix: nameOf({ table, key: "" }), end: nameOf({ table, key: before }) }));
  }

  forgetAll(): void {
    if (this.count > 0) this.#delete(this.#storage.kv.list({ prefix: PREFIX }));
  }

  #delete(rows: Iterable<[string, unknown]>): void {
    for (const name of [...rows].map(([name]) => name)) this.#storage.kv.delete(name);
    this.reload();
  }
}

function nameOf({ table, key }: Place): string {
  return `${PREFIX}${table} ${key}`;
}
