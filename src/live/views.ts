import type { LiveRow } from "../api/machines/live-row.ts";
import type { MachineOverview } from "../machine/overview.ts";
import type { Selection } from "./hub-object.ts";

/** The last that is known of a machine. */
export interface View {
  machineId: number;
  /** Of what the machine told; 0: it has not told yet. */
  revision: number;
  /** The number of its last change. */
  seq: number;
  /** The number of the last change after which other watchers than before want it: of its line, or of whether it is there. */
  movedSeq: number;
  overview: MachineOverview | null;
  /** Null: the machine is gone. */
  row: LiveRow | null;
}

/** What a view is made of. */
export type Content = Pick<View, "revision" | "overview" | "row">;

interface HubState {
  epoch: string;
  /** How often somebody began to watch after nobody did. */
  watch: number;
  /** Whether machines tell the hub: from the first watcher until a machine tells while nobody watches. */
  isWatching: boolean;
  /** Who asked once counts as a watcher until then. */
  watchedUntil: number;
}

const KEY = "hub";
const NEW: HubState = { epoch: "", watch: 0, isWatching: false, watchedUntil: 0 };

/** The views of a company's machines, numbered by one counter: last write wins. Storage is the truth, memory has the same. */
export class Views {
  readonly #storage: DurableObjectStorage;
  readonly #views = new Map<number, View>();
  #state: HubState;
  #seq = 0;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.#state = storage.kv.get<HubState>(KEY) ?? NEW;
    // A company that nobody ever watched has no table.
    if (this.#state.watch === 0) return;
    const query = "SELECT machine_id AS machineId, revision, seq, moved_seq AS movedSeq, overview, row FROM views";
    for (const stored of storage.sql.exec<StoredView>(query)) {
      const { overview, row, ...numbers } = stored;
      this.#views.set(stored.machineId, { ...numbers, overview: parsed(overview), row: parsed(row) });
      this.#seq = Math.max(this.#seq, stored.seq);
    }
  }

  get state(): Readonly<HubState> {
    return this.#state;
  }

  get epoch(): string {
    return this.#state.epoch;
  }

  /** The number of the last change; 0 before the first. */
  get seq(): number {
    return this.#seq;
  }

  saveState(change: Partial<HubState>): void {
    this.#state = { ...this.#state, ...change };
    this.#storage.kv.put(KEY, this.#state);
  }

  /** Forgets everything: a new epoch. */
  begin(): void {
    this.#storage.transactionSync(() => {
      this.#storage.sql.exec(`CREATE TABLE IF NOT EXISTS views (machine_id INTEGER PRIMARY KEY, revision INTEGER NOT NULL, seq INTEGER NOT NULL,
        moved_seq INTEGER NOT NULL, overview TEXT NOT NULL, row TEXT NOT NULL)`);
      this.#storage.sql.exec("DELETE FROM views");
      this.saveState({ epoch: crypto.randomUUID(), watch: this.#state.watch + 1 });
    });
    this.#views.clear();
    this.#seq = 0;
  }

  get(machineId: number): View | undefined {
    return this.#views.get(machineId);
  }

  all(): View[] {
    return [...this.#views.values()];
  }

  /** Takes over a view of a machine, as the next change. */
  put(machineId: number, { revision, overview, row }: Content): void {
    const before = this.#views.get(machineId);
    const seq = this.#seq + 1;
    const hasMoved = before !== undefined && (before.row?.line?.id !== row?.line?.id || (row === null) !== (before.row === null));
    const movedSeq = hasMoved ? seq : (before?.movedSeq ?? 0);
    const query = "INSERT OR REPLACE INTO views (machine_id, revision, seq, moved_seq, overview, row) VALUES (?, ?, ?, ?, ?, ?)";
    this.#storage.sql.exec(query, machineId, revision, seq, movedSeq, JSON.stringify(overview), JSON.stringify(row));
    this.#seq = seq;
    this.#views.set(machineId, { machineId, revision, seq, movedSeq, overview, row });
  }

  /** What changed after a number, for watchers of a selection: rows, and ids of machines that are not in it any more. */
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

interface StoredView extends Omit<View, "overview" | "row">, Record<string, SqlStorageValue> {
  overview: string;
  row: string;
}

function parsed<T>(text: string): T | null {
  return JSON.parse(text) as T | null;
}

function isNamed(machineId: number, { machineIds }: Selection): boolean {
  return machineIds === null || machineIds.includes(machineId);
}

function isInLine({ line }: LiveRow, { lineIds }: Selection): boolean {
  return lineIds === null || (line !== null && lineIds.includes(line.id));
}
