import { DAY_MS } from "../../oee/time.ts";
import { timeOf } from "../inputs/ledger-position.ts";
import type { StoredEvent } from "../inputs/stored-event.ts";
import { decodePart, encodeParts, hashOfPart } from "./day-codec.ts";
import type { UnreadableRows } from "./unreadable-rows.ts";

/** The most parts that a day can have: see the key of a row. */
const MAX_PARTS = 1000;
/** The most parts whose events stay in memory. */
const MAX_READ = 2;

/** A part of a day, in which events are kept together. */
export interface DayPart {
  /** The UTC day, as days since 1970. */
  day: number;
  /** Its number in the day, from 0. */
  part: number;
  events: number;
  firstPos: string;
  lastPos: string;
}

/** A part of a day is not what was stored. The other parts can be read. */
export class DamagedDay extends Error {
  readonly day: number;
  readonly part: number;

  constructor({ day, part }: DayPart, reason: string) {
    super(`Part ${part} of day ${day} is damaged: ${reason}`);
    this.day = day;
    this.part = part;
  }
}

/**
 * The events of the past, for good: each UTC day in one compressed row, or in several if it has many events. What identifies the events is in
 * rows of its own. Test: test/machine/storage/stored-days.test.ts.
 */
export class StoredDays {
  readonly #sql: SqlStorage;
  readonly #unreadable: UnreadableRows;
  readonly #read = new Map<number, readonly StoredEvent[]>();

  constructor(sql: SqlStorage, unreadable: UnreadableRows) {
    this.#sql = sql;
    this.#unreadable = unreadable;
  }

  /** Drops what is in memory, because it was not stored. */
  reload(): void {
    this.#read.clear();
  }

  /** Adds events of one day, in order, which come after those that the day has. */
  add(day: number, events: Iterable<StoredEvent>): void {
    let part = (this.parts(day, day).at(-1)?.part ?? -1) + 1;
    for (const { events: own, encoded } of encodeParts(events)) {
      if (part >= MAX_PARTS) throw new Error(`Day ${day} has more than ${MAX_PARTS} parts`);
      const [firstPos, lastPos] = [own[0]?.pos ?? "", own.at(-1)?.pos ?? ""];
      const added = { day, part, events: own.length, firstPos, lastPos };
      const insert = "INSERT INTO days (k, n, first_pos, last_pos, sha256, body) VALUES (?, ?, ?, ?, ?, ?)";
      const hash = hashOfPart(encoded, placeOf(added));
      this.#sql.exec(insert, keyOf(added), own.length, firstPos, lastPos, hash, encoded.body);
      this.#sql.exec("INSERT INTO day_ids (k, body) VALUES (?, ?)", keyOf(added), encoded.ids);
      part++;
    }
  }

  /** The events of a day, in order. Throws `DamagedDay`. */
  ofDay(day: number): StoredEvent[] {
    return this.parts(day, day).flatMap((part) => this.eventsOf(part));
  }

  /** Replaces all events of a day. */
  rewrite(day: number, events: Iterable<StoredEvent>): void {
    for (const table of ["days", "day_ids"])
      this.#sql.exec(`DELETE FROM ${table} WHERE k >= ? AND k < ?`, day * MAX_PARTS, (day + 1) * MAX_PARTS);
    this.#read.clear();
    this.add(day, events);
  }

  /** The parts of some days, in order. */
  parts(firstDay: number, lastDay: number): DayPart[] {
    const query = "SELECT k, n, first_pos, last_pos FROM days WHERE k >= ? AND k < ? ORDER BY k";
    return this.#sql
      .exec<{ k: number; n: number; first_pos: string; last_pos: string }>(query, firstDay * MAX_PARTS, (lastDay + 1) * MAX_PARTS)
      .toArray()
      .map(({ k, n, first_pos, last_pos }) => {
        return { day: Math.floor(k / MAX_PARTS), part: k % MAX_PARTS, events: n, firstPos: first_pos, lastPos: last_pos };
      });
  }

  /** The events of a part, in order. Throws `DamagedDay`. */
  eventsOf(part: DayPart): readonly StoredEvent[] {
    const key = keyOf(part);
    const known = this.#read.get(key);
    const events = known ?? this.#eventsOf(part);
    this.#read.delete(key);
    for (const oldest of this.#read.keys()) if (this.#read.size >= MAX_READ) this.#read.delete(oldest);
    this.#read.set(key, events);
    return events;
  }

  /** Events in [from, to), in order; one part after the other is decoded. Throws `DamagedDay`. */
  *between(from: string, to: string): Generator<StoredEvent> {
    for (const part of this.parts(dayOf(from), dayOf(to))) {
      if (part.lastPos < from || part.firstPos >= to) continue;
      for (const stored of this.eventsOf(part)) if (from <= stored.pos && stored.pos < to) yield stored;
    }
  }

  #eventsOf(part: DayPart): StoredEvent[] {
    const key = keyOf(part);
    const query = "SELECT sha256, days.body, day_ids.body AS ids FROM days LEFT JOIN day_ids USING (k) WHERE k = ?";
    const [row] = this.#sql.exec<{ sha256: string; body: ArrayBuffer; ids: ArrayBuffer | null }>(query, key).toArray();
    try {
      if (!row?.ids) throw new Error("a row is missing");
      const encoded = { body: new Uint8Array(row.body), ids: new Uint8Array(row.ids) };
      if (hashOfPart(encoded, placeOf(part)) !== row.sha256) throw new Error("its hash is another one");
      return decodePart(encoded);
    } catch (error) {
      // It stays where it is, for whoever can repair it.
      this.#unreadable.keep({ table: "days", key }, null, error);
      throw new DamagedDay(part, String(error));
    }
  }
}

/** The UTC day of a position, as days since 1970; 0 for the one before all events. */
export function dayOf(pos: string): number {
  return Math.floor((timeOf(pos) || 0) / DAY_MS);
}

/** The key of the row of a part. */
export function keyOf({ day, part }: { day: number; part: number }): number {
  return day * MAX_PARTS + part;
}

/** What the hash of a part is made of besides its bytes. */
function placeOf({ day, part, events, firstPos, lastPos }: DayPart): (string | number)[] {
  return [keyOf({ day, part }), events, firstPos, lastPos];
}
