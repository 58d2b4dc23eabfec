import { migrate } from "../core/storage-steps.ts";
import { migrations } from "./steps.ts";

/** Everything that a hub stores. */
interface Values {
  /** How many times somebody began to watch when nobody else did. */
  watch: number;
  /** Whether machines report to the hub: from the first watcher until a machine reports while nobody watches. */
  isWatching: boolean;
  /** Until then the hub counts as watched, after a snapshot or the last watcher. */
  watchedUntil: number;
}

const KEY = "hub";
const NEW: Values = { watch: 0, isWatching: false, watchedUntil: 0 };

/** The state that a hub keeps while it sleeps, in one row. It hardly ever changes, unlike the views. */
export class HubState {
  readonly #storage: DurableObjectStorage;
  #isOpen = false;
  /** Null: not read yet. */
  #values: Readonly<Values> | null = null;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  /** Takes the steps of the storage. Throws if a later version has changed the storage so that this one cannot work with it. */
  open(): void {
    if (this.#isOpen) return;
    migrate(this.#storage, migrations);
    this.#isOpen = true;
  }

  /** Throws as `open` does. */
  get values(): Readonly<Values> {
    this.open();
    this.#values ??= this.#storage.kv.get<Values>(KEY) ?? NEW;
    return this.#values;
  }

  save(change: Partial<Values>): void {
    this.#values = { ...this.values, ...change };
    this.#storage.kv.put(KEY, this.#values);
  }
}
