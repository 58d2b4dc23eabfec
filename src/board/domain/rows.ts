import { batch, type ReadonlySignal, type Signal, signal } from "@preact/signals";

/** The machines of a screen, with one signal each, so that a change of one machine only renders that machine. */
export class Rows<Row extends { machine: { id: number } }> {
  readonly #rows = new Map<number, Signal<Row | undefined>>();
  readonly #ids = signal<readonly number[] | null>(null);

  /** The machines, in the order of the plant; null before the first snapshot. */
  get ids(): ReadonlySignal<readonly number[] | null> {
    return this.#ids;
  }

  /** A machine's newest row; undefined where there is none (yet). */
  of(machineId: number): ReadonlySignal<Row | undefined> {
    return this.#signalOf(machineId);
  }

  /** Replaces all rows. Machines without a row are removed. */
  replace(rows: readonly Row[]): void {
    const ids = rows.map(({ machine }) => machine.id);
    batch(() => {
      for (const row of rows) this.#signalOf(row.machine.id).value = row;
      for (const [id, row] of this.#rows) if (!ids.includes(id)) row.value = undefined;
      this.#ids.value = ids;
    });
  }

  /** Applies changes. New machines come last. */
  change(rows: readonly Row[], removed: readonly number[]): void {
    const before = this.#ids.peek() ?? [];
    const added = rows.map(({ machine }) => machine.id).filter((id) => !before.includes(id));
    batch(() => {
      for (const row of rows) this.#signalOf(row.machine.id).value = row;
      for (const id of removed) this.#signalOf(id).value = undefined;
      if (added.length === 0 && removed.length === 0) return;
      this.#ids.value = [...before, ...added].filter((id) => !removed.includes(id));
    });
  }

  #signalOf(machineId: number): Signal<Row | undefined> {
    const known = this.#rows.get(machineId);
    if (known) return known;
    const made = signal<Row | undefined>(undefined);
    this.#rows.set(machineId, made);
    return made;
  }
}
