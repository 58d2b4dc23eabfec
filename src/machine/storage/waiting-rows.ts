import type { StateRow } from "./state-row.ts";

const rowKinds = [
  "record",
  "part",
  "stop",
  "roster",
  "run",
  "outside",
  "audit",
  "event",
  "condition",
  "held",
  "orphan",
  "revision",
  "correction",
  "withdrawal",
] as const;

/** Identifies a row of the projection. */
export interface RowKey {
  kind: (typeof rowKinds)[number];
  key: string;
}

/** Rows of other kinds come from a later version. They wait until it runs again. */
const isKnown = ({ kind }: RowKey) => rowKinds.includes(kind);
const OF_KNOWN_KIND = `kind IN (${rowKinds.map((kind) => `'${kind}'`).join(", ")})`;

/** A version of a row of the projection that D1 does not have yet. `until`: the end of the time that the row covers (epoch ms). */
interface WaitingRow extends RowKey {
  until: number;
  version: number;
}

const KEY = "waiting rows";
const IN_TABLE = "in table";
/** The most rows listed in the state row, which is written with each event. */
const MAX_LISTED = 50;

/**
 * The rows of the projection that D1 does not have yet. Nearly always they are few and listed in the state row, where adding or removing one
 * costs no row of its own. Once there are more than `MAX_LISTED`, all of them are in a table, until the table is empty again.
 */
export class WaitingRows {
  readonly #sql: SqlStorage;
  readonly #state: StateRow;

  constructor(sql: SqlStorage, state: StateRow) {
    this.#sql = sql;
    this.#state = state;
  }

  /** The rows listed in the state row; null: they are in the table. */
  listed(): readonly WaitingRow[] | null {
    const rows = this.#state.get<WaitingRow[] | typeof IN_TABLE>(KEY) ?? [];
    return rows === IN_TABLE ? null : rows;
  }

  /** Adds a row. It replaces an older version. */
  add({ kind, key, until, version }: WaitingRow): void {
    const row = { kind, key, until, version };
    const listed = this.listed();
    const rows = [...(listed ?? []).filter((one) => !isSame(one, row)), row];
    const isListed = listed !== null && rows.length <= MAX_LISTED;
    this.#state.set(KEY, isListed ? rows : IN_TABLE);
    if (isListed) return;
    const query = "INSERT OR REPLACE INTO outbox (kind, key, until, version) VALUES (?, ?, ?, ?)";
    for (const one of rows) this.#sql.exec(query, one.kind, one.key, one.until, one.version);
  }

  /**
   * Adds the whole projection.
   * @param newest its rows that are only in the state row
   */
  addAll(newest: readonly WaitingRow[]): void {
    this.#state.set(KEY, IN_TABLE);
    this.#sql.exec("INSERT OR REPLACE INTO outbox (kind, key, until, version) SELECT kind, key, until, version FROM projection");
    for (const row of newest) this.add(row);
  }

  /** Removes a row: any version of it, or only the given one. */
  remove(row: RowKey & { version?: number }): void {
    const listed = this.listed();
    if (listed) {
      const isOther = (one: WaitingRow) => !isSame(one, row) || (row.version ?? one.version) !== one.version;
      const others = listed.filter(isOther);
      if (others.length < listed.length) this.#state.set(KEY, others);
      return;
    }
    const query = "DELETE FROM outbox WHERE kind = ? AND key = ? AND version = ifnull(?, version)";
    this.#sql.exec(query, row.kind, row.key, row.version ?? null);
    if (this.#sql.exec("SELECT 1 FROM outbox LIMIT 1").toArray().length === 0) this.#state.set(KEY, []);
  }

  /** Whether there are rows that this version can send. */
  isAny(): boolean {
    const listed = this.listed();
    if (listed) return listed.some(isKnown);
    return this.#sql.exec(`SELECT 1 FROM outbox WHERE ${OF_KNOWN_KIND} LIMIT 1`).toArray().length > 0;
  }

  /** Whether more rows wait than a number, of those that this version can send. */
  isMoreThan(count: number): boolean {
    const listed = this.listed();
    if (listed) return listed.filter(isKnown).length > count;
    return this.#sql.exec(`SELECT 1 FROM outbox WHERE ${OF_KNOWN_KIND} LIMIT 1 OFFSET ?`, count).toArray().length > 0;
  }

  /**
   * The first rows that this version can send: by `until`, but those of the past after all others. Within a shift the stops come before the record.
   * @param liveFrom rows that cover earlier times are of the past
   * @param to rows that cover later times are left out
   */
  first(limit: number, liveFrom = 0, to = Number.MAX_SAFE_INTEGER): readonly WaitingRow[] {
    const ofNoTime = [0, 0] as const;
    const ranges = liveFrom > 0 ? [ofNoTime, [liveFrom, to] as const, [1, liveFrom - 1] as const] : [[0, to] as const];
    return ranges.flatMap(([from, until]) => this.#within(from, Math.min(until, to), limit)).slice(0, limit);
  }

  #within(from: number, to: number, limit: number): readonly WaitingRow[] {
    const listed = this.listed();
    if (listed) {
      const isWithin = (row: WaitingRow) => isKnown(row) && from <= row.until && row.until <= to;
      return listed.filter(isWithin).sort(inOrder);
    }
    const query = `SELECT kind, key, until, version FROM outbox WHERE ${OF_KNOWN_KIND} AND until BETWEEN ? AND ?
      ORDER BY until, kind DESC, key LIMIT ?`;
    return this.#sql.exec<WaitingRow & Record<string, SqlStorageValue>>(query, from, to, limit).toArray();
  }
}

function isSame(a: RowKey, b: RowKey): boolean {
  return a.kind === b.kind && a.key === b.key;
}

function inOrder(a: WaitingRow, b: WaitingRow): number {
  if (a.until !== b.until) return a.until - b.until;
  if (a.kind !== b.kind) return a.kind > b.kind ? -1 : 1;
  return a.key < b.key ? -1 : 1;
}
