import type { LedgerView, Presence } from "../../oee/machine.ts";
import type { OrderRun, OutsideHour, ShiftTally } from "../../oee/production.ts";
import type { CounterReader } from "../../oee/readings.ts";
import type { PartTally } from "../../oee/shift-parts.ts";
import type { Span } from "../../oee/signal.ts";
import { HOUR_MS, type Interval } from "../../oee/time.ts";
import { startOf } from "../inputs/ledger-position.ts";
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

/** The tables of what became certain. `by` is the position of the event that made a row certain. */
const tables = ["spans", "presences", "tallies", "part_tallies", "runs", "sku_changes", "outside_hours"] as const;
type Table = (typeof tables)[number];

/**
 * What became certain while the ledger advanced, and checkpoints: the ledger after some of the events. Everything that an event made certain is
 * deleted when the ledger goes back before that event.
 */
export class LedgerRows {
  readonly #sql: SqlStorage;
  readonly #unreadable: UnreadableRows;
  /** Time of the newest checkpoint (null: there is none); undefined: not read yet. */
  #newestCheckpointAt: number | null | undefined;
  /** What was read of counters, in order of the positions. In memory only, and empty after anything before the head has changed. */
  readers: readonly KeptReader[] = [];

  constructor(sql: SqlStorage, unreadable: UnreadableRows) {
    this.#sql = sql;
    this.#unreadable = unreadable;
  }

  /** Drops the values in memory, because they were not stored. */
  reload(): void {
    this.#newestCheckpointAt = undefined;
    this.readers = [];
  }

  addCheckpoint({ pos, ledger }: Head, at: number): void {
    this.#sql.exec("INSERT OR REPLACE INTO checkpoints (pos, at, ledger) VALUES (?, ?, ?)", pos, at, JSON.stringify(ledger));
    this.#newestCheckpointAt = undefined;
  }

  /** Time of the newest checkpoint; null before the first. */
  newestCheckpointAt(): number | null {
    const query = "SELECT at FROM checkpoints ORDER BY pos DESC LIMIT 1";
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

  /** Deletes the checkpoints in [from, to), except for the last of each UTC day: the next day can be replayed from it. */
  thinCheckpoints(from: string, to: string): void {
    this.#unreadable.forget("checkpoints", to);
    const ofDay = "CAST(substr(checkpoints.pos, 1, 15) AS INTEGER) / 86400000";
    this.#sql.exec(
      `DELETE FROM checkpoints WHERE pos >= ? AND pos < ? AND EXISTS (SELECT 1 FROM checkpoints AS later
         WHERE later.pos > checkpoints.pos AND later.pos < printf('%015d', (${ofDay} + 1) * 86400000))`,
      ...[from, to],
    );
    this.reload();
  }

  /** Deletes everything that became certain by events after `pos`. */
  takeBack(pos: string): void {
    for (const table of tables) this.#sql.exec(`DELETE FROM ${table} WHERE by > ?`, pos);
    this.#sql.exec("DELETE FROM checkpoints WHERE pos > ?", pos);
    this.reload();
  }

  addSpan({ start, end, kind }: Span, by: string): void {
    this.#sql.exec('INSERT OR REPLACE INTO spans (start, "end", kind, by) VALUES (?, ?, ?, ?)', start, end, kind, by);
  }

  addPresence({ operatorId, start, end }: Presence, by: string): void {
    const query = 'INSERT OR REPLACE INTO presences (operator_id, start, "end", by) VALUES (?, ?, ?, ?)';
    this.#sql.exec(query, operatorId, start, end, by);
  }

  addTally(tally: ShiftTally, by: string): void {
    this.#sql.exec("INSERT OR REPLACE INTO tallies (start, body, by) VALUES (?, ?, ?)", tally.start, JSON.stringify(tally), by);
  }

  addPartTally(part: PartTally, by: string): void {
    const query = "INSERT OR REPLACE INTO part_tallies (start, body, by) VALUES (?, ?, ?)";
    this.#sql.exec(query, part.start, JSON.stringify(part), by);
  }

  addOutsideHour({ start, end, units }: OutsideHour, by: string): void {
    const query = 'INSERT OR REPLACE INTO outside_hours (start, "end", units, by) VALUES (?, ?, ?, ?)';
    this.#sql.exec(query, start, end, units, by);
  }

  addSkuChange(skuId: string, by: string): void {
    this.#sql.exec("INSERT OR REPLACE INTO sku_changes (by, sku_id) VALUES (?, ?)", by, skuId);
  }

  addRun(run: OrderRun, end: number, by: string): void {
    const query = 'INSERT OR REPLACE INTO runs (start, "end", body, by) VALUES (?, ?, ?, ?)';
    this.#sql.exec(query, run.start, end, JSON.stringify(run), by);
  }

  /** The finished hours outside shifts that end after an instant, in order. */
  outsideHoursSince(from: number): OutsideHour[] {
    const query = 'SELECT start, "end", units FROM outside_hours WHERE start > ? AND "end" > ? ORDER BY start';
    return this.#sql.exec<{ start: number; end: number; units: number }>(query, from - HOUR_MS, from).toArray();
  }

  /** The SKU in work just before an instant; null when none was set. */
  skuBefore(at: number): string | null {
    const query = "SELECT sku_id AS skuId FROM sku_changes WHERE by < ? ORDER BY by DESC LIMIT 1";
    return this.#sql.exec<{ skuId: string }>(query, startOf(at)).toArray()[0]?.skuId ?? null;
  }

  /** Closed runs that end after an instant, in order. */
  runsSince(from: number): ClosedRun[] {
    return this.#runs('WHERE "end" > ? ORDER BY start', from);
  }

  /** Closed runs that overlap [start, end), in order. */
  runs({ start, end }: Interval): ClosedRun[] {
    // Runs do not overlap, so the last one that starts before the interval is the only early one that can reach into it.
    const overlapping = `WHERE start >= coalesce((SELECT max(start) FROM runs WHERE start <= ?1), ?1) AND start < ?2 AND "end" > ?1
      ORDER BY start`;
    return this.#runs(overlapping, start, end);
  }

  /** Whether a closed run of a work order began before an instant and ended after it. */
  hasRunAcross(workOrderId: string, at: number): boolean {
    const query = `SELECT 1 FROM runs WHERE start < ?1 AND "end" > ?1 AND body->>'workOrderId' = ?2 LIMIT 1`;
    return this.#sql.exec(query, at, workOrderId).toArray().length > 0;
  }

  /** Certain spans that overlap [start, end), in order, not clipped to it. */
  spans({ start, end }: Interval): Span[] {
    // Spans do not overlap, so the last one that starts before the interval is the only early one that can reach into it.
    const query = `SELECT start, "end", kind FROM spans
      WHERE start >= coalesce((SELECT max(start) FROM spans WHERE start <= ?1), ?1) AND start < ?2 AND "end" > ?1 ORDER BY start`;
    return this.#sql.exec<{ start: number; end: number; kind: Span["kind"] }>(query, start, end).toArray();
  }

  /** Closed presences that overlap [start, end). */
  presences({ start, end }: Interval): Presence[] {
    const query = 'SELECT operator_id AS operatorId, start, "end" FROM presences WHERE start < ? AND "end" > ? ORDER BY start';
    return this.#sql.exec<{ operatorId: number; start: number; end: number }>(query, end, start).toArray();
  }

  tally(start: number): ShiftTally | null {
    const row = this.#sql.exec<{ body: string }>("SELECT body FROM tallies WHERE start = ?", start).toArray()[0];
    return row ? this.#parse<ShiftTally>("tallies", start, row.body) : null;
  }

  /** The counts of finished parts of a shift, in order. */
  partTallies({ start, end }: Interval): PartTally[] {
    const query = "SELECT start, body FROM part_tallies WHERE start >= ? AND start < ? ORDER BY start";
    const rows = this.#sql.exec<{ start: number; body: string }>(query, start, end).toArray();
    return rows.flatMap((row) => this.#parse<PartTally>("part_tallies", row.start, row.body) ?? []);
  }

  #runs(where: string, ...bindings: number[]): ClosedRun[] {
    const query = `SELECT start, "end", body FROM runs ${where}`;
    const rows = this.#sql.exec<{ start: number; end: number; body: string }>(query, ...bindings).toArray();
    return rows.flatMap(({ start, end, body }) => {
      const run = this.#parse<OrderRun>("runs", start, body);
      return run ? [{ ...run, end }] : [];
    });
  }

  /** The first checkpoint that can be read. */
  #checkpoint(where: string, ...positions: string[]): Head | null {
    const query = `SELECT pos, ledger FROM checkpoints ${where} LIMIT 1`;
    while (true) {
      const row = this.#sql.exec<{ pos: string; ledger: string }>(query, ...positions).toArray()[0];
      if (!row) return null;
      const remove = () => {
        this.#sql.exec("DELETE FROM checkpoints WHERE pos = ?", row.pos);
        this.#newestCheckpointAt = undefined;
      };
      const ledger = this.#unreadable.parse<LedgerView>({ table: "checkpoints", key: row.pos }, row.ledger, remove);
      if (ledger) return { pos: row.pos, ledger };
    }
  }

  #parse<T>(table: Table, start: number, body: string): T | null {
    const remove = () => void this.#sql.exec(`DELETE FROM ${table} WHERE start = ?`, start);
    return this.#unreadable.parse<T>({ table, key: start }, body, remove);
  }
}
