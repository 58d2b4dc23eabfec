/** Everything that a hub stores. */
interface Values {
  /** How often somebody began to watch after nobody did. */
  watch: number;
  /** Whether machines tell the hub: from the first watcher until a machine tells while nobody watches. */
  isWatching: boolean;
  /** Who asked once counts as a watcher until then. */
  watchedUntil: number;
}

const KEY = "hub";
const NEW: Values = { watch: 0, isWatching: false, watchedUntil: 0 };

/** What a hub keeps while it sleeps, in one row. It hardly ever changes, while views change all the time. */
export class HubState {
  readonly #storage: DurableObjectStorage;
  #values: Readonly<Values>;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.#values = storage.kv.get<Values>(KEY) ?? NEW;
  }

  get values(): Readonly<Values> {
    return this.#values;
  }

  save(change: Partial<Values>): void {
    this.#values = { ...this.#values, ...change };
    this.#storage.kv.put(KEY, this.#values);
  }
}
