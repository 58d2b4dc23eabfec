import type { LiveRow } from "../api/machines/live-row.ts";
import type { Selection } from "../objects/hubs.ts";
import type { MachineOverview } from "../objects/machine-protocol.ts";

/** The last known state of a machine. */
export interface View {
  machineId: number;
  /** The revision of the machine's last view; 0: it has sent none yet. */
  revision: number;
  /** The number of its last change. */
  seq: number;
  /** The number of the last change that moved it into or out of selections: its line changed, it was deleted, or it came back. */
  movedSeq: number;
  overview: MachineOverview | null;
  /** Null: the machine is gone. */
  row: LiveRow | null;
}

/** The content of a view. */
export type Content = Pick<View, "revision" | "overview" | "row">;

/** The views of a company's machines, numbered by one counter; the last write wins. They are in memory only: machines can be called again. */
export class Views {
  readonly #views = new Map<number, View>();
  #epoch = crypto.randomUUID();
  #seq = 0;

  /** Identifies a sequence of numbers. */
  get epoch(): string {
    return this.#epoch;
  }

  /** The number of the last change; 0 before the first. */
  get seq(): number {
    return this.#seq;
  }

  /** Drops all views and starts a new epoch. */
  begin(): void {
    this.#views.clear();
    this.#epoch = crypto.randomUUID();
    this.#seq = 0;
  }

  /** Starts a new epoch with the views of these machines and drops all others. Sequence numbers continue. */
  renew(isThere: (machineId: number) => boolean): void {
    for (const machineId of this.#views.keys()) if (!isThere(machineId)) this.#views.delete(machineId);
    this.#epoch = crypto.randomUUID();
  }

  get(machineId: number): View | undefined {
    return this.#views.get(machineId);
  }

  all(): View[] {
    return [...this.#views.values()];
  }

  /** Stores a view of a machine, as the next change. */
  put(machineId: number, { revision, overview, row }: Content): void {
    const before = this.#views.get(machineId);
    this.#seq += 1;
    const hasMoved = before !== undefined && (before.row?.line?.id !== row?.line?.id || (row === null) !== (before.row === null));
    const movedSeq = hasMoved ? this.#seq : (before?.movedSeq ?? 0);
    this.#views.set(machineId, { machineId, revision, seq: this.#seq, movedSeq, overview, row });
  }

  /** The changes after a number, for watchers of a selection: rows, and ids of machines that are no longer in it. */
  changesSince(since: number, selection: Selection): { rows: LiveRow[]; removed: number[] } {
    const changed = this.all().filter(({ seq, machineId }) => seq > since && isNamed(machineId, selection));
    const rows = changed.flatMap(({ row }) => (row && isInLine(row, selection) ? [row] : []));
    const gone = changed.filter(({ row, movedSeq }) => movedSeq > since && !(row && isInLine(row, selection)));
    return { rows, removed: gone.map(({ machineId }) => machineId) };
  }

  /** All rows of a selection. */
  rows(selection: Selection): LiveRow[] {
    return this.changesSince(0, selection).rows;
  }
}

function isNamed(machineId: number, { machineIds }: Selection): boolean {
  return machineIds === null || machineIds.includes(machineId);
}

function isInLine({ line }: LiveRow, { lineIds }: Selection): boolean {
  return lineIds === null || (line !== null && lineIds.includes(line.id));
}
