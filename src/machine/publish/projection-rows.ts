import type { StateRow } from "../storage/state-row.ts";
import type { UnreadableRows } from "../storage/unreadable-rows.ts";
import type { RowKey } from "../storage/waiting-rows.ts";

/** A row that D1 should contain. A record or part whose body is `null` is to be deleted there. */
export interface ProjectionRow extends RowKey {
  /** The end of the time that the row covers. */
  until: number;
  body: string;
  createdAt: number;
  updatedAt: number;
  version: number;
  /** The number of the last flush before it was made: a later one may have sent it. */
  madeAfter: number;
}

type Kind = ProjectionRow["kind"];

/** The kinds whose keys are times, and whose newest row changes with every flush. */
const stateKinds = ["record", "part", "roster", "run", "outside"] as const;
type InState = { [kind in Kind]?: ProjectionRow };

/** What changes of the projection while somebody watches it. */
interface ProjectionWatch {
  /** The records as they were before their first change, by key; null: there was none. */
  records: Map<string, string | null>;
  /** The bodies of revisions. */
  revisions: string[];
}

const KEY = "newest rows";
const COLUMNS = "kind, key, until, body, created_at AS createdAt, updated_at AS updatedAt, version, made_after AS madeAfter";

/**
 * The rows that D1 should contain. Counts change only the newest row of some kinds. These few are kept in the state row, where a change costs
 * no row of its own; all others are in a table. A row moves there when a newer one of its kind is saved.
 */
export class ProjectionRows {
  readonly #sql: SqlStorage;
  readonly #state: StateRow;
  readonly #unreadable: UnreadableRows;
  #watch: ProjectionWatch | null = null;

  constructor(sql: SqlStorage, state: StateRow, unreadable: UnreadableRows) {
    this.#sql = sql;
    this.#state = state;
    this.#unreadable = unreadable;
  }

  /** What work changes of it, with the result of the work. */
  watched<T>(work: () => T): ProjectionWatch & { result: T } {
    const watch: ProjectionWatch = { records: new Map(), revisions: [] };
    this.#watch = watch;
    try {
      const result = work();
      return { ...watch, result };
    } finally {
      this.#watch = null;
    }
  }

  get(kind: Kind, key: string): ProjectionRow | null {
    const newest = this.#inState()[kind];
    if (newest?.key === key) return newest;
    return this.#stored("WHERE kind = ? AND key = ?", kind, key)[0] ?? null;
  }

  /** The rows of a kind whose keys begin with a text, in order. */
  startingWith(kind: Kind, keyPrefix: string): ProjectionRow[] {
    return this.between(kind, keyPrefix, `${keyPrefix}\uffff`);
  }

  /** The rows of a kind whose keys are in [from, to), in order. */
  between(kind: Kind, from: string, to: string): ProjectionRow[] {
    const stored = this.#stored("WHERE kind = ? AND key >= ? AND key < ?", kind, from, to);
    const newest = this.newest().filter((row) => row.kind === kind && from <= row.key && row.key < to);
    return [...stored, ...newest].sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  /** The rows of runs that end after an instant. */
  runsSince(from: number): ProjectionRow[] {
    const newest = this.newest().filter(({ kind, until }) => kind === "run" && until > from);
    return [...this.#stored("WHERE kind = 'run' AND until > ?", from), ...newest];
  }

  /** The rows that are not in the table. */
  newest(): ProjectionRow[] {
    return Object.values(this.#inState());
  }

  save(row: ProjectionRow): void {
    const { kind, key } = row;
    this.#note(row, row.body);
    const isStateKind = stateKinds.some((one) => one === kind);
    const newest = this.#inState()[kind];
    if (!isStateKind || (newest && Number(newest.key) > Number(key))) {
      this.#store(row);
      return;
    }
    if (newest?.key !== key) {
      if (newest) this.#store(newest);
      this.#unstore(row);
    }
    this.#state.set(KEY, { ...this.#inState(), [kind]: row } satisfies InState);
  }

  delete(row: RowKey): void {
    this.#note(row, null);
    const { [row.kind]: newest, ...others } = this.#inState();
    if (newest?.key === row.key) this.#state.set(KEY, others satisfies InState);
    else this.#unstore(row);
  }

  /** Increments the version of every row. */
  raiseVersions(): void {
    this.#sql.exec("UPDATE projection SET version = version + 1");
    const raised = this.newest().map((row) => [row.kind, { ...row, version: row.version + 1 }]);
    this.#state.set(KEY, Object.fromEntries(raised) satisfies InState);
  }

  #note({ kind, key }: RowKey, body: string | null): void {
    const watch = this.#watch;
    if (kind === "record" && watch && !watch.records.has(key)) watch.records.set(key, this.get(kind, key)?.body ?? null);
    if (kind === "revision" && body !== null) watch?.revisions.push(body);
  }

  #inState(): InState {
    return this.#state.get<InState>(KEY) ?? {};
  }

  #store({ kind, key, until, body, createdAt, updatedAt, version, madeAfter }: ProjectionRow): void {
    this.#sql.exec(
      `INSERT INTO projection (kind, key, until, body, created_at, updated_at, version, made_after) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET until = excluded.until, body = excluded.body, updated_at = excluded.updated_at, version = excluded.version`,
      ...[kind, key, until, body, createdAt, updatedAt, version, madeAfter],
    );
  }

  #unstore({ kind, key }: RowKey): void {
    this.#sql.exec("DELETE FROM projection WHERE kind = ? AND key = ?", kind, key);
  }

  #stored(where: string, ...bindings: (string | number)[]): ProjectionRow[] {
    const query = `SELECT ${COLUMNS} FROM projection ${where}`;
    const rows = this.#sql.exec<ProjectionRow & Record<string, SqlStorageValue>>(query, ...bindings).toArray();
    return rows.filter((row) => this.#isReadable(row));
  }

  /** A row that cannot be read is made anew when its shift is computed again. */
  #isReadable(row: ProjectionRow): boolean {
    const place = { table: "projection", key: `${row.kind} ${row.key}` };
    const isDeletion = row.body === "null";
    return isDeletion || this.#unreadable.parse(place, row.body, () => this.#unstore(row)) !== null;
  }
}
