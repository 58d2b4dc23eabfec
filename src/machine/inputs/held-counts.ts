import { type HeldCount, type HoldReason, holdReasons } from "../../objects/machine-protocol.ts";
import { unitsOf } from "../../oee/events.ts";
import { DAY_MS } from "../../oee/time.ts";
import { roundUnits } from "../../oee/units.ts";
import type { StateRow } from "../storage/state-row.ts";
import type { UnreadableRows } from "../storage/unreadable-rows.ts";
import { startOf, timeOf } from "./ledger-position.ts";

/** What is held of one UTC day for one reason. */
export interface HeldSums {
  count: number;
  units: number;
  firstAt: number;
  lastAt: number;
}

interface Totals {
  /** The number of the last held count. */
  last: number;
  count: number;
  /** Time of the oldest one that is implausible; null: none is held. */
  oldestAt: number | null;
}

/** The most events that a machine holds. */
export const MOST_HELD = 10_000;

const KEY = "held";
const NONE: Totals = { last: 0, count: 0, oldestAt: null };
/** Room for the reasons of a day. */
const REASONS_PER_DAY = 8;
const IS_CLOSED = `(entry % ${REASONS_PER_DAY} = ${holdReasons.indexOf("closedBooks")})`;

type Row = { seq: number; entry: number; pos: string; body: string };

/** The events that are held, each a row, which hardly ever exist. How many there are is in the state row, so that looking costs nothing. */
export class HeldCounts {
  readonly #sql: SqlStorage;
  readonly #state: StateRow;
  readonly #unreadable: UnreadableRows;

  constructor(sql: SqlStorage, state: StateRow, unreadable: UnreadableRows) {
    this.#sql = sql;
    this.#state = state;
    this.#unreadable = unreadable;
  }

  totals(): Readonly<Totals> {
    return this.#state.get<Totals>(KEY) ?? NONE;
  }

  add({ pos, entry, ...body }: Omit<HeldCount, "seq">): void {
    const { last, count, oldestAt } = this.totals();
    const query = "INSERT INTO held (seq, pos, entry, body) VALUES (?, ?, ?, ?)";
    this.#sql.exec(query, last + 1, pos, entry, JSON.stringify(body));
    const at = body.taken ? oldestAt : Math.min(oldestAt ?? body.event.at, body.event.at);
    this.#state.set(KEY, { last: last + 1, count: count + 1, oldestAt: at } satisfies Totals);
  }

  /** Those at these positions. */
  at(positions: Iterable<string>): HeldCount[] {
    const { count } = this.totals();
    if (count === 0) return [];
    return this.#read("WHERE pos IN (SELECT value FROM json_each(?))", JSON.stringify([...positions]));
  }

  /** Those of an entry with greater numbers, in order. */
  of(entry: number, after: number, limit: number): HeldCount[] {
    return this.#read("WHERE entry = ? AND seq > ? ORDER BY seq LIMIT ?", entry, after, limit);
  }

  /** Implausible ones that are older than an instant. */
  before(at: number): HeldCount[] {
    return this.#read(`WHERE pos < ? AND NOT ${IS_CLOSED}`, startOf(at));
  }

  /** Those whose books are closed that are not older than an instant. */
  closedFrom(at: number): HeldCount[] {
    return this.totals().count === 0 ? [] : this.#read(`WHERE pos >= ? AND ${IS_CLOSED} ORDER BY seq`, startOf(at));
  }

  /** Those that came with an import. */
  ofImport(importId: number): HeldCount[] {
    if (this.totals().count === 0) return [];
    return this.#read("WHERE body->>'importId' = ?", importId);
  }

  remove(counts: readonly HeldCount[]): void {
    for (const { seq } of counts) this.#delete(seq);
    const query = `SELECT min(pos) AS oldest FROM held WHERE NOT ${IS_CLOSED}`;
    const { oldest } = this.#sql.exec<{ oldest: string | null }>(query).one();
    this.#state.set(KEY, { ...this.totals(), oldestAt: oldest === null ? null : timeOf(oldest) } satisfies Totals);
  }

  #delete(seq: number): void {
    const { rowsWritten } = this.#sql.exec("DELETE FROM held WHERE seq = ?", seq);
    if (rowsWritten > 0) this.#state.set(KEY, { ...this.totals(), count: this.totals().count - 1 } satisfies Totals);
  }

  #read(rest: string, ...bindings: (string | number)[]): HeldCount[] {
    return this.#sql
      .exec<Row>(`SELECT seq, entry, pos, body FROM held ${rest}`, ...bindings)
      .toArray()
      .flatMap(({ body, ...row }) => {
        const { seq } = row;
        const count = this.#unreadable.parse<Omit<HeldCount, keyof Row>>({ table: "held", key: seq }, body, () =>
          this.#delete(seq),
        );
        return count ? [{ ...row, ...count }] : [];
      });
  }
}

/** The number of the entry of an instant's UTC day and a reason, which contains both. */
export function entryOf(at: number, reason: HoldReason): number {
  return Math.floor(at / DAY_MS) * REASONS_PER_DAY + holdReasons.indexOf(reason);
}

/** The start of the day, and the reason, that the number of an entry contains. */
export function dayAndReasonOf(entry: number): { day: number; reason: HoldReason } {
  const reason = holdReasons[entry % REASONS_PER_DAY] ?? "implausible";
  return { day: Math.floor(entry / REASONS_PER_DAY) * DAY_MS, reason };
}

/** The sums of counts; null without any. */
export function sumsOf(counts: readonly HeldCount[]): HeldSums | null {
  const [first] = counts;
  if (!first) return null;
  const sums = { count: counts.length, units: 0, firstAt: first.event.at, lastAt: first.event.at };
  for (const { event } of counts) {
    sums.units = roundUnits(sums.units + unitsOf(event));
    sums.firstAt = Math.min(sums.firstAt, event.at);
    sums.lastAt = Math.max(sums.lastAt, event.at);
  }
  return sums;
}

/** The sums of two parts of an entry. */
export function joined(one: HeldSums | null, other: HeldSums | null): HeldSums | null {
  if (!one || !other) return one ?? other;
  return {
    count: one.count + other.count,
    units: roundUnits(one.units + other.units),
    firstAt: Math.min(one.firstAt, other.firstAt),
    lastAt: Math.max(one.lastAt, other.lastAt),
  };
}
