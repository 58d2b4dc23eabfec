import type { LedgerView, Presence } from "../../oee/machine.ts";
import type { OrderRun, OutsideHour, ShiftTally } from "../../oee/production.ts";
import type { CounterReader } from "../../oee/readings.ts";
import type { PartTally } from "../../oee/shift-parts.ts";
import type { Span } from "../../oee/signal.ts";
import { HOUR_MS, type Interval } from "../../oee/time.ts";
import { startOf } from "../inputs/ledger-position.ts";
import { partFrom } from "./floor.ts";
import type { UnreadableRows } from "./unreadable-rows.ts";

/** The ledger after the event at `pos` ("" before the first). */
export interface Head {
  readonly pos: string;
  readonly ledger: LedgerView;
}

export interface ClosedRun extends OrderRun {
  end: number;
}

/** The state of the counters before the event at a position. */
export interface KeptReader {
  readonly pos: string;
  readonly reader: Readonly<CounterReader>;
}

/** Stored where no SKU is set any more, because an amendment of a time before the first one ends. */
const NO_SKU = "";

/** The tables of what became certain, with their columns. `by` is the position of the event that made a row certain; checkpoints have their own. */
const tables = {
  spans: 'start, "end", kind, by',
  presences: 'operator_id, start, "end", by',
  tallies: "start, body, by",
  part_tallies: "start, body, by",
  runs: 'start, "end", body, by',
  sku_changes: "by, sku_id",
  outside_hours: 'start, "end", units, by',
  checkpoints: "pos, at, ledger",
} as const;
type Table = keyof typeof tables;
const names = Object.keys(tables) as Table[];

/** The events after the position `after`, up to and including that at `to`. */
export interface Range {
  after: string;
  to: string;
}

/**
 * What became certain while the ledger advanced, and checkpoints: the ledger after some of the events. Everything that an event made certain is
 * deleted when the ledger goes back before that event.
 *
 * A machine has two sets of these rows: those that count, and those of a recalculation, in tables of their own. Once a recalculation has ended, its
 * rows count in place of the others in its range, all at once: `replaceBy`. As there may be many, they are moved bit by bit.
 */
export class LedgerRows {
  readonly #sql: SqlStorage;
  readonly #unreadable: UnreadableRows;
  /** The beginning of the names of its tables. */
  readonly #prefix: "" | "next_";
  /** Since when the ledger may write spans: see `Floor`. */
  readonly #spansFrom: () => number;
  /** Whether rows of the other set count for a range, which is in the table `replaced`; null: not read yet. */
  #isReplaced: boolean | null = null;
  /** Time of the newest checkpoint (null: there is none); undefined: not read yet. */
  #newestCheckpointAt: number | null | undefined;
  /** What was read of counters, in order of the positions. In memory only, and empty after anything before the head has changed. */
  readers: readonly KeptReader[] = [];

  constructor(sql: SqlStorage, unreadable: UnreadableRows, set: "counting" | "recalculated", spansFrom: () => number) {
    this.#sql = sql;
    this.#spansFrom = spansFrom;
    this.#unreadable = unreadable;
    this.#prefix = set === "counting" ? "" : "next_";
    if (set === "recalculated") this.#isReplaced = false;
  }

  /** Drops the values in memory, because they were not stored. */
  reload(): void {
    this.#newestCheckpointAt = undefined;
    this.readers = [];
    if (this.#prefix === "") this.#isReplaced = null;
  }

  /** The range in which the recalculated rows count that are not moved yet; null: none. */
  replaced(): Range | null {
    if (this.#isReplaced === false) return null;
    const [range] = this.#sql.exec<{ after: string; to: string }>('SELECT "after", "to" FROM replaced').toArray();
    this.#isReplaced = range !== undefined;
    return range ?? null;
  }

  /** Makes the recalculated rows count in place of these in a range, from now on. `moveReplaced` has to be called until it returns false. */
  replaceBy(range: Range): void {
    this.#sql.exec('INSERT INTO replaced ("after", "to") VALUES (?, ?)', range.after, range.to);
    this.reload();
  }

  /**
   * Moves recalculated rows that count to these, and deletes those that they replace.
   * @param most about as many rows as that
   * @returns whether there are more
   */
  moveReplaced(most: number): boolean {
    for (let moved = 0; moved < most; ) {
      const range = this.replaced();
      if (!range) return false;
      moved += this.#moveToCheckpoint(range);
    }
    return this.replaced() !== null;
  }

  /** Moves those up to that at the next checkpoint among them. Returns their number. */
  #moveToCheckpoint(range: Range): number {
    let moved = 1;
    const next = "SELECT min(pos) AS pos FROM next_checkpoints WHERE pos > ? AND pos < ?";
    const to = this.#sql.exec<{ pos: string | null }>(next, range.after, range.to).one().pos ?? range.to;
    for (const table of names) {
      const within = `WHERE ${placeIn(table)} > ?1 AND ${placeIn(table)} <= ?2`;
      this.#sql.exec(`DELETE FROM ${table} ${within}`, range.after, to);
      this.#sql.exec(
        `INSERT OR REPLACE INTO ${table} (${tables[table]}) SELECT ${tables[table]} FROM next_${table} ${within}`,
        ...[range.after, to],
      );
      moved += this.#sql.exec(`DELETE FROM next_${table} ${within}`, range.after, to).rowsWritten;
    }
    this.#setReplaced(to < range.to ? { after: to, to: range.to } : null);
    return moved;
  }

  #setReplaced(range: Range | null): void {
    if (range) this.#sql.exec('UPDATE replaced SET "after" = ?, "to" = ?', range.after, range.to);
    else this.#sql.exec("DELETE FROM replaced");
    this.reload();
  }

  /** Deletes all rows. */
  deleteAll(): void {
    for (const table of names) this.#sql.exec(`DELETE FROM ${this.#prefix}${table}`);
    this.reload();
  }

  /** Whether there are any rows. */
  isAny(): boolean {
    return names.some((table) => this.#sql.exec(`SELECT 1 FROM ${this.#prefix}${table} LIMIT 1`).toArray().length > 0);
  }

  /** The positions of the first checkpoints after a position, in order. */
  checkpointsAfter(pos: string, limit: number): string[] {
    const query = `SELECT pos FROM ${this.#from("checkpoints")} WHERE pos > ? ORDER BY pos LIMIT ?`;
    const rows = this.#sql.exec<{ pos: string }>(query, pos, limit).toArray();
    return rows.map((row) => row.pos);
  }

  addCheckpoint({ pos, ledger }: Head, at: number): void {
    this.#sql.exec(
      `INSERT OR REPLACE INTO ${this.#prefix}checkpoints (pos, at, ledger) VALUES (?, ?, ?)`,
      pos,
      at,
      JSON.stringify(ledger),
    );
    this.#newestCheckpointAt = undefined;
  }

  /** Time of the newest checkpoint; null before the first. */
  newestCheckpointAt(): number | null {
    const query = `SELECT at FROM ${this.#from("checkpoints")} ORDER BY pos DESC LIMIT 1`;
    if (this.#newestCheckpointAt === undefined)
      this.#newestCheckpointAt = this.#sql.exec<{ at: number }>(query).toArray()[0]?.at ?? null;
    return this.#newestCheckpointAt;
  }

  /** The newest checkpoint before a position, and not before another one; null when there is none. */
  checkpointBefore(pos: string, from = ""): Head | null {
    return this.#checkpoint("WHERE pos < ?1 AND pos >= ?2 ORDER BY pos DESC", pos, from);
  }

  /** The oldest checkpoint at a position or after it; null when there is none. */
  checkpointFrom(pos: string): Head | null {
    return this.#checkpoint("WHERE pos >= ? ORDER BY pos", pos);
  }

  /** Deletes the checkpoints in [from, to), except for those where books were closed, and the last of each UTC day: the next day can be replayed from it. */
  thinCheckpoints(from: string, to: string): void {
    this.#unreadable.forget("checkpoints", to);
    const ofDay = "CAST(substr(checkpoints.pos, 1, 15) AS INTEGER) / 86400000";
    this.#sql.exec(
      `DELETE FROM checkpoints WHERE pos >= ? AND pos < ? AND substr(pos, 16) <> '~' AND EXISTS (SELECT 1 FROM checkpoints AS later
         WHERE later.pos > checkpoints.pos AND later.pos < printf('%015d', (${ofDay} + 1) * 86400000))`,
      ...[from, to],
    );
    this.reload();
  }

  /** Deletes everything that became certain by events after `pos`. */
  takeBack(pos: string): void {
    const range = this.replaced();
    for (const table of names) {
      this.#sql.exec(`DELETE FROM ${this.#prefix}${table} WHERE ${placeIn(table)} > ?`, pos);
      if (range) this.#sql.exec(`DELETE FROM next_${table} WHERE ${placeIn(table)} > ?`, pos);
    }
    if (range && pos < range.to) this.#setReplaced(pos > range.after ? { ...range, to: pos } : null);
    this.reload();
  }

  /** Adds a span, apart from what lies before the books were closed: an event after that could change a gap before it, too. */
  addSpan(span: Span, by: string): void {
    const query = `INSERT OR REPLACE INTO ${this.#prefix}spans (start, "end", kind, by) VALUES (?, ?, ?, ?)`;
    for (const { start, end, kind } of partFrom(span, this.#spansFrom())) this.#sql.exec(query, start, end, kind, by);
  }

  /** Makes spans that end at `at` final, at a position that no replay goes back to any more. They replace those from the start of the first on. */
  freezeSpans(spans: readonly Span[], at: number, by: string): void {
    const [first] = spans;
    if (!first) return;
    const query = `SELECT start, "end", kind, by FROM spans WHERE start >= ? AND start < ?`;
    const replaced = this.#sql.exec<{ start: number; end: number; kind: string; by: string }>(query, first.start, at).toArray();
    this.#sql.exec("DELETE FROM spans WHERE start >= ? AND start < ?", first.start, at);
    const insert = `INSERT OR REPLACE INTO spans (start, "end", kind, by) VALUES (?, ?, ?, ?)`;
    for (const { start, end, kind } of spans) this.#sql.exec(insert, start, end, kind, by);
    for (const { end, kind, by: own } of replaced) if (end > at) this.#sql.exec(insert, at, end, kind, own);
  }

  addPresence({ operatorId, start, end }: Presence, by: string): void {
    const query = `INSERT OR REPLACE INTO ${this.#prefix}presences (operator_id, start, "end", by) VALUES (?, ?, ?, ?)`;
    this.#sql.exec(query, operatorId, start, end, by);
  }

  addTally(tally: ShiftTally, by: string): void {
    this.#sql.exec(
      `INSERT OR REPLACE INTO ${this.#prefix}tallies (start, body, by) VALUES (?, ?, ?)`,
      tally.start,
      JSON.stringify(tally),
      by,
    );
  }

  addPartTally(part: PartTally, by: string): void {
    const query = `INSERT OR REPLACE INTO ${this.#prefix}part_tallies (start, body, by) VALUES (?, ?, ?)`;
    this.#sql.exec(query, part.start, JSON.stringify(part), by);
  }

  addOutsideHour({ start, end, units }: OutsideHour, by: string): void {
    const query = `INSERT OR REPLACE INTO ${this.#prefix}outside_hours (start, "end", units, by) VALUES (?, ?, ?, ?)`;
    this.#sql.exec(query, start, end, units, by);
  }

  addSkuChange(skuId: string | null, by: string): void {
    this.#sql.exec(`INSERT OR REPLACE INTO ${this.#prefix}sku_changes (by, sku_id) VALUES (?, ?)`, by, skuId ?? NO_SKU);
  }

  addRun(run: OrderRun, end: number, by: string): void {
    const query = `INSERT OR REPLACE INTO ${this.#prefix}runs (start, "end", body, by) VALUES (?, ?, ?, ?)`;
    this.#sql.exec(query, run.start, end, JSON.stringify(run), by);
  }

  /** The finished hours outside shifts that end after an instant, in order. */
  outsideHoursSince(from: number): OutsideHour[] {
    const query = `SELECT start, "end", units FROM ${this.#from("outside_hours")} WHERE start > ? AND "end" > ? ORDER BY start`;
    return this.#sql.exec<{ start: number; end: number; units: number }>(query, from - HOUR_MS, from).toArray();
  }

  /** The SKU in work just before an instant; null when none was set. */
  skuBefore(at: number): string | null {
    const query = `SELECT sku_id AS skuId FROM ${this.#from("sku_changes")} WHERE by < ? ORDER BY by DESC LIMIT 1`;
    return this.#sql.exec<{ skuId: string }>(query, startOf(at)).toArray()[0]?.skuId || null;
  }

  /** Closed runs that end after an instant, in order. */
  runsSince(from: number): ClosedRun[] {
    return this.#runs('WHERE "end" > ? ORDER BY start', from);
  }

  /** Closed runs that overlap [start, end), in order. */
  runs({ start, end }: Interval): ClosedRun[] {
    // Runs do not overlap, so the last one that starts before the interval is the only early one that can reach into it.
    const overlapping = `WHERE start >= coalesce((SELECT max(start) FROM ${this.#from("runs")} WHERE start <= ?1), ?1) AND start < ?2 AND "end" > ?1
      ORDER BY start`;
    return this.#runs(overlapping, start, end);
  }

  /** Whether a closed run of a work order began before an instant and ended after it. */
  hasRunAcross(workOrderId: string, at: number): boolean {
    const query = `SELECT 1 FROM ${this.#from("runs")} WHERE start < ?1 AND "end" > ?1 AND body->>'workOrderId' = ?2 LIMIT 1`;
    return this.#sql.exec(query, at, workOrderId).toArray().length > 0;
  }

  /** Certain spans that overlap [start, end), in order, not clipped to it. */
  spans({ start, end }: Interval): Span[] {
    // Spans do not overlap, so the last one that starts before the interval is the only early one that can reach into it.
    const query = `SELECT start, "end", kind FROM ${this.#from("spans")}
      WHERE start >= coalesce((SELECT max(start) FROM ${this.#from("spans")} WHERE start <= ?1), ?1) AND start < ?2 AND "end" > ?1 ORDER BY start`;
    return this.#sql.exec<{ start: number; end: number; kind: Span["kind"] }>(query, start, end).toArray();
  }

  /** Closed presences that overlap [start, end). */
  presences({ start, end }: Interval): Presence[] {
    const query = `SELECT operator_id AS operatorId, start, "end" FROM ${this.#from("presences")}
      WHERE start < ? AND "end" > ? ORDER BY start`;
    return this.#sql.exec<{ operatorId: number; start: number; end: number }>(query, end, start).toArray();
  }

  tally(start: number): ShiftTally | null {
    const row = this.#sql.exec<{ body: string }>(`SELECT body FROM ${this.#from("tallies")} WHERE start = ?`, start).toArray()[0];
    return row ? this.#parse<ShiftTally>("tallies", start, row.body) : null;
  }

  /** The counts of finished parts of a shift, in order. */
  partTallies({ start, end }: Interval): PartTally[] {
    const query = `SELECT start, body FROM ${this.#from("part_tallies")} WHERE start >= ? AND start < ? ORDER BY start`;
    const rows = this.#sql.exec<{ start: number; body: string }>(query, start, end).toArray();
    return rows.flatMap((row) => this.#parse<PartTally>("part_tallies", row.start, row.body) ?? []);
  }

  #runs(where: string, ...bindings: number[]): ClosedRun[] {
    const query = `SELECT start, "end", body FROM ${this.#from("runs")} ${where}`;
    const rows = this.#sql.exec<{ start: number; end: number; body: string }>(query, ...bindings).toArray();
    return rows.flatMap(({ start, end, body }) => {
      const run = this.#parse<OrderRun>("runs", start, body);
      return run ? [{ ...run, end }] : [];
    });
  }

  /** The first checkpoint that can be read. */
  #checkpoint(where: string, ...positions: string[]): Head | null {
    const query = `SELECT pos, ledger FROM ${this.#from("checkpoints")} ${where} LIMIT 1`;
    while (true) {
      const row = this.#sql.exec<{ pos: string; ledger: string }>(query, ...positions).toArray()[0];
      if (!row) return null;
      const remove = () => {
        this.#sql.exec(`DELETE FROM ${this.#prefix}checkpoints WHERE pos = ?`, row.pos);
        this.#newestCheckpointAt = undefined;
      };
      const ledger = this.#unreadable.parse<LedgerView>({ table: "checkpoints", key: row.pos }, row.ledger, remove);
      if (ledger) return { pos: row.pos, ledger };
    }
  }

  /** A table as it counts, for a query. */
  #from(table: Table): string {
    if (!this.replaced()) return this.#prefix + table;
    const isReplaced = `EXISTS (SELECT 1 FROM replaced WHERE ${placeIn(table)} > "after" AND ${placeIn(table)} <= "to")`;
    const columns = tables[table];
    return `(SELECT ${columns} FROM ${table} WHERE NOT ${isReplaced} UNION ALL SELECT ${columns} FROM next_${table} WHERE ${isReplaced})`;
  }

  #parse<T>(table: Table, start: number, body: string): T | null {
    const remove = () => void this.#sql.exec(`DELETE FROM ${this.#prefix}${table} WHERE start = ?`, start);
    return this.#unreadable.parse<T>({ table, key: start }, body, remove);
  }
}

/** The column with the position of the event that a row comes from. */
function placeIn(table: Table): "by" | "pos" {
  return table === "checkpoints" ? "pos" : "by";
}
