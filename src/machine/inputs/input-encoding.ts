import { type FoldedEvent, kindOrder, type MachineEvent } from "../../oee/events.ts";
import type { Interval } from "../../oee/time.ts";
import type { Channels } from "../settings/count-channels.ts";
import type { StateRow } from "../storage/state-row.ts";
import type { StoredAmendments } from "../storage/stored-amendments.ts";
import { DamagedDay, dayOf, type StoredDays } from "../storage/stored-days.ts";
import type { StoredImports } from "../storage/stored-imports.ts";
import type { StoredWithdrawals } from "../storage/stored-withdrawals.ts";
import type { UnreadableRows } from "../storage/unreadable-rows.ts";
import { idOf, positionOf, startOf, timeOf } from "./ledger-position.ts";
import {
  asSent,
  hashOf,
  type InputEvent,
  idsOf,
  isSentPulses,
  isStored,
  merged,
  type StoredEvent,
  storedFrom,
  type TakenEvent,
} from "./stored-event.ts";

/** An event with what it means to the ledger. */
type MeantEvent = StoredEvent<FoldedEvent>;

/** The part of the events that is in the state row. */
interface Open {
  /** The events that arrived last, whatever their times, in order. */
  events: readonly StoredEvent[];
  /** Position of the newest of all events. */
  newestPos: string | null;
  /** Time of the newest event that was sent. */
  newestAt: number | null;
  /** No event of a segment comes after this position. */
  storedTo: string;
}

/** A stored segment. It contains all events from `first` up to the next segment. `ids`: the hashes of their ids. */
interface Segment {
  readonly first: string;
  readonly ids: Uint32Array;
}

/** The most events in the state row, which is written with each event. */
const MAX_OPEN = 64;
/** The most events in a segment, which is read and written whole. */
const MAX_SEGMENT = 256;
/** The most segments whose events stay in memory. */
const MAX_READ = 2;
/** About the most events, and the most days, that are archived at once. */
const MAX_ARCHIVED = 32_768;
const MAX_DAYS = 2;
/** How many archived days are searched for the last count before another one. */
const MAX_LOOK_BACK_DAYS = 3;

/** After every day of an event. */
const MAX_DAY = 1_000_000;

const KEY = "open events";
const ARCHIVED_TO = "forgotten to";
const NEW: Open = { events: [], newestPos: null, newestAt: null, storedTo: "" };

/**
 * The events of a machine, each once, in order. An object's cost depends on its rows, so a row contains many events: those that arrived last
 * are in the state row, and from there they are moved into segments, which writes only a few rows (figures: storage/state-row.ts). Pulses are kept as they were sent, and read as what they
 * mean by the machine's channels. Test: test/machine/inputs/input-encoding.test.ts.
 */
export class StoredEvents {
  readonly #sql: SqlStorage;
  readonly #state: StateRow;
  readonly #unreadable: UnreadableRows;
  readonly #days: StoredDays;
  readonly #imports: StoredImports;
  readonly #amendments: StoredAmendments;
  readonly #withdrawals: StoredWithdrawals;
  readonly #channels: () => Channels;
  /** All segments in order; null: not read yet. Mostly only the open events are needed. */
  #segments: Segment[] | null = null;
  readonly #read = new Map<string, readonly StoredEvent[]>();

  /**
   * @param days the events that are archived
   * @param imports those that were withdrawn count for nothing
   * @param amendments what people said afterwards in place of some events
   * @param withdrawals events that people withdrew: they count for nothing, and are duplicates if they are sent again
   * @param channels returns the channels by which pulses are interpreted
   */
  constructor(
    sql: SqlStorage,
    state: StateRow,
    unreadable: UnreadableRows,
    kept: {
      days: StoredDays;
      imports: StoredImports;
      amendments: StoredAmendments;
      withdrawals: StoredWithdrawals;
      channels: () => Channels;
    },
  ) {
    this.#sql = sql;
    this.#state = state;
    this.#unreadable = unreadable;
    this.#days = kept.days;
    this.#imports = kept.imports;
    this.#amendments = kept.amendments;
    this.#withdrawals = kept.withdrawals;
    this.#channels = kept.channels;
  }

  /** Drops the values in memory, because they were not stored. */
  reload(): void {
    this.#segments = null;
    this.#read.clear();
  }

  /**
   * Stores the events that are new, and returns what they mean by position. Of two with the same position or the same id, the first is stored. An
   * event that was withdrawn is new.
   * @param now when they arrived
   * @param find the result of `find` for these events
   */
  add(events: readonly TakenEvent[], now: number, find = this.find(events)): Map<string, MachineEvent> {
    const added = new Map<string, MachineEvent>();
    const stored: StoredEvent[] = [];
    const ids = new Set<string | null>();
    for (const incoming of events) {
      const pos = positionOf(incoming);
      if (added.has(pos) || ids.has(incoming.id) || find(incoming)) continue;
      const one = storedFrom(incoming, now);
      added.set(pos, this.isWithdrawn(one) ? withdrawn(one.event.at) : incoming.event);
      stored.push(one);
      if (incoming.id !== null) ids.add(incoming.id);
    }
    const journal = startOf(this.archivedTo());
    this.#addToDays(stored.filter(({ pos }) => pos < journal));
    this.#addToJournal(stored.filter(({ pos }) => pos >= journal));
    return added;
  }

  #addToDays(stored: readonly StoredEvent[]): void {
    for (const [day, late] of Map.groupBy(stored, ({ pos }) => dayOf(pos)))
      this.#days.rewrite(day, merged(this.#days.ofDay(day), late));
    this.#noteNewest(stored);
  }

  /** Notes the newest of stored events, unless there is a newer one. Mostly there is: they are late. */
  #noteNewest(stored: readonly StoredEvent[]): void {
    const open = this.#open();
    const newest = newestOf(open, stored);
    if (newest.newestPos !== open.newestPos || newest.newestAt !== open.newestAt) this.#state.set(KEY, { ...open, ...newest });
  }

  #addToJournal(stored: readonly StoredEvent[]): void {
    if (stored.length === 0) return;
    const open = this.#open();
    const all = merged(open.events, stored);
    const last = all.at(-1)?.pos ?? "";
    const isFull = all.length > MAX_OPEN;
    if (isFull) this.#store(all);
    const storedTo = isFull && last > open.storedTo ? last : open.storedTo;
    this.#state.set(KEY, { events: isFull ? [] : all, ...newestOf(open, stored), storedTo } satisfies Open);
  }

  /**
   * Looks events up. Returns a function that finds the stored event of each: at the same position, or with the same id, at any position of the
   * journal or of its archived day. Nothing is found on a damaged day, nor what was withdrawn.
   */
  find(events: readonly TakenEvent[]): (incoming: TakenEvent) => StoredEvent | undefined {
    const { events: open, storedTo } = this.#open();
    const isFound = (one: StoredEvent) => !this.#imports.isWithdrawn(one);
    const openAt = new Map(open.filter(isFound).map((one) => [one.pos, one]));
    const archivedTo = this.archivedTo();
    /** A day may be archived in part. */
    const firstDay = dayOf(startOf(archivedTo));
    const ofJournal = events.filter(({ event }) => dayOf(startOf(event.at)) >= firstDay);
    const byId = this.#withIds(new Set(ofJournal.flatMap(({ id }) => id ?? [])));
    const days = new Map<number, ReadonlyMap<string, StoredEvent>>();
    const ofDay = (day: number) => {
      const known = days.get(day) ?? this.#lookUp(day);
      days.set(day, known);
      return known;
    };
    return (incoming) => {
      const pos = positionOf(incoming);
      if (archivedTo > 0 && dayOf(pos) <= dayOf(startOf(archivedTo - 1))) {
        const ids = ofDay(dayOf(pos));
        const found = ids.get(pos) ?? (incoming.id === null ? undefined : ids.get(`#${incoming.id}`));
        if (found || dayOf(pos) < firstDay) return found;
      }
      const found = openAt.get(pos) ?? (incoming.id === null ? undefined : byId.get(incoming.id));
      if (found) return found;
      const at = pos <= storedTo ? this.#segmentOf(pos) : null;
      return at === null ? undefined : this.#eventsOf(at).find((one) => one.pos === pos && isFound(one));
    };
  }

  /** The events of an archived day by position, and by `#` and their id. */
  #lookUp(day: number): ReadonlyMap<string, StoredEvent> {
    const found = new Map<string, StoredEvent>();
    if (!this.isReadable(day)) return found;
    for (const stored of this.#days.ofDay(day)) {
      if (this.#imports.isWithdrawn(stored)) continue;
      const id = idOf(stored.pos);
      found.set(stored.pos, stored);
      if (id !== null) found.set(`#${id}`, stored);
    }
    return found;
  }

  /** Whether an archived day can be read. */
  isReadable(day: number): boolean {
    try {
      this.#days.ofDay(day);
      return true;
    } catch (error) {
      if (error instanceof DamagedDay) return false;
      throw error;
    }
  }

  /** A position with at most this many events of the journal after it; "" if there are no more. */
  lastOf(count: number): string {
    const segments = this.#directory();
    const first = segments.length - Math.floor((count - MAX_OPEN) / MAX_SEGMENT);
    return first > 0 ? (segments[first]?.first ?? "") : "";
  }

  /** Position of the newest event, cuts included; null without any. */
  newestPos(): string | null {
    return this.#open().newestPos;
  }

  /** Time of the newest event that was sent; null without any. Cuts do not count: they come from the service itself. */
  newestAt(): number | null {
    return this.#open().newestAt;
  }

  /** Events after a position up to and including an instant, in order. */
  after(pos: string, until: number): Generator<MeantEvent> {
    // No position lies between `pos` and `pos` followed by a zero character. The one before all events has no time.
    return this.#meant(pos === "" ? "" : `${pos}\0`, startOf(until + 1));
  }

  /** Time of the first event after a position; null when there is none. */
  nextAt(pos: string): number | null {
    if ((this.newestPos() ?? "") <= pos) return null;
    for (const { event } of this.after(pos, Number.MAX_SAFE_INTEGER)) return event.at;
    return null;
  }

  /** Time of the first sample after an instant and up to another one; null when there is none. */
  firstSampleAfter(at: number, until: number): number | null {
    for (const { event } of this.after(startOf(at + 1), until)) {
      if (["count", "reading", "sample", "state"].includes(event.kind)) return event.at;
    }
    return null;
  }

  /** Events in [start, end), in order. */
  in({ start, end }: Interval): Generator<MeantEvent> {
    return this.#meant(startOf(start), startOf(end));
  }

  /** Events in [start, end) as they were sent, in order. */
  sent({ start, end }: Interval): Generator<StoredEvent> {
    return this.between(startOf(start), startOf(end));
  }

  /** Events in [from, to) as they were sent, in order. Throws `DamagedDay` when it comes to one. */
  *between(from: string, to: string): Generator<StoredEvent> {
    const journal = startOf(this.archivedTo());
    if (from < journal) yield* this.#days.between(from, to < journal ? to : journal);
    yield* this.#inJournal(from, to);
  }

  /** Time of the last count of cycles before a position; null when there is none. */
  lastCyclesBefore(pos: string): number | null {
    const isAsked = (one: StoredEvent) => {
      if (one.pos >= pos) return false;
      const event = this.#meaningOf(asSent(one));
      return event?.kind === "count" && event.cycles > 0;
    };
    if (pos < startOf(this.archivedTo())) return this.#lastArchived(dayOf(pos), isAsked);
    const open = this.#open();
    const last = open.events.findLast(isAsked)?.event.at ?? null;
    for (const { first } of [...this.#directory()].reverse()) {
      if (first >= pos) continue;
      const stored = this.#eventsOf(first).findLast(isAsked)?.event.at;
      if (stored !== undefined) return Math.max(stored, last ?? 0);
    }
    return last;
  }

  /** The time of the last event of an archived day, or of the days right before it, that is asked for; null: there is none. */
  #lastArchived(day: number, isAsked: (one: StoredEvent) => boolean): number | null {
    for (let before = 0; before < MAX_LOOK_BACK_DAYS; before++) {
      const last = this.isReadable(day - before) ? this.#days.ofDay(day - before).findLast(isAsked) : undefined;
      if (last) return last.event.at;
    }
    return null;
  }

  /** Replaces stored events, by their positions. */
  replace(events: ReadonlyMap<string, InputEvent>): void {
    const changed = (one: StoredEvent): StoredEvent => ({ ...one, event: events.get(one.pos) ?? one.event });
    const journal = startOf(this.archivedTo());
    const archived = [...events.keys()].filter((pos) => pos < journal);
    for (const day of new Set(archived.map(dayOf))) this.#days.rewrite(day, this.#days.ofDay(day).map(changed));
    const open = this.#open();
    this.#state.set(KEY, { ...open, events: open.events.map(changed) } satisfies Open);
    for (const first of new Set([...events.keys()].filter((pos) => pos >= journal).map((pos) => this.#segmentOf(pos))))
      if (first !== null) this.#save(first, this.#eventsOf(first).map(changed));
  }

  /**
   * Moves the events of the journal before an instant to the rows of their days: those of a few days at most. Returns the instant before which all
   * are moved.
   */
  archive(before: number): number {
    const moved: StoredEvent[] = [];
    const days = new Set<number>();
    let until = before;
    for (const stored of this.#inJournal("", startOf(before))) {
      days.add(dayOf(stored.pos));
      const isEnough = moved.length >= MAX_ARCHIVED || days.size > MAX_DAYS;
      if (isEnough && stored.event.at !== moved.at(-1)?.event.at) {
        until = stored.event.at;
        break;
      }
      moved.push(stored);
    }
    for (const [day, events] of Map.groupBy(moved, ({ pos }) => dayOf(pos))) this.#days.add(day, events);
    this.#forget(until);
    this.#state.set(ARCHIVED_TO, until);
    return until;
  }

  /**
   * Has the events before an instant kept with the archived days from now on: those that come. There must be none in the journal.
   */
  archiveFrom(before: number): void {
    this.#state.set(ARCHIVED_TO, before);
  }

  /** Time of the first event of the journal; null without any. */
  firstAt(): number | null {
    for (const { event } of this.#inJournal("", startOf(Number.MAX_SAFE_INTEGER))) return event.at;
    return null;
  }

  /** Whether a stored event counts for nothing, because its import was undone or people withdrew it. */
  isWithdrawn(stored: StoredEvent): boolean {
    return this.#imports.isWithdrawn(stored) || this.#withdrawals.covers(stored);
  }

  /** Finds the newest event again, when some were withdrawn, or restored. */
  findNewest(): void {
    this.#state.set(KEY, { ...this.#open(), newestAt: this.#newestSentAt() } satisfies Open);
  }

  #newestSentAt(): number | null {
    const isSent = (one: StoredEvent) => one.event.kind !== "cut" && !this.isWithdrawn(one);
    const open = this.#open().events.findLast(isSent)?.event.at ?? -1;
    for (const { first } of [...this.#directory()].reverse()) {
      const last = this.#eventsOf(first).findLast(isSent);
      if (last) return Math.max(last.event.at, open);
    }
    if (open >= 0) return open;
    for (const part of this.#days.parts(0, MAX_DAY).reverse()) {
      const last = this.isReadable(part.day) ? this.#days.eventsOf(part).findLast(isSent) : undefined;
      if (last) return last.event.at;
    }
    return null;
  }

  /** The events before this instant are not in the journal any more; 0: all events are. */
  archivedTo(): number {
    return this.#state.get<number>(ARCHIVED_TO) ?? 0;
  }

  /** Forgets the events of the journal before an instant. */
  #forget(before: number): void {
    const from = startOf(before);
    const isKept = ({ pos }: StoredEvent) => pos >= from;
    const segments = [...this.#directory()];
    for (const [i, { first }] of segments.entries()) {
      if (first >= from) break;
      const next = segments[i + 1]?.first;
      this.#save(first, next !== undefined && next <= from ? [] : this.#eventsOf(first).filter(isKept));
    }
    this.#unreadable.forget("segments", from);
    const open = this.#open();
    if (!open.events.every(isKept)) this.#state.set(KEY, { ...open, events: open.events.filter(isKept) } satisfies Open);
  }

  #open(): Open {
    return this.#state.get<Open>(KEY) ?? NEW;
  }

  /** Events in [from, to) with what they mean, in order: without pulses of channels that did not feed the machine then. */
  *#meant(from: string, to: string): Generator<MeantEvent> {
    const said = this.#said(from, to);
    for (const stored of this.between(from, to)) {
      const event = this.#meaningOf(stored);
      if (!event) continue;
      for (let [next] = said; next && next.pos < stored.pos; [next] = said) {
        yield next;
        said.shift();
      }
      yield { ...stored, event };
    }
    yield* said;
  }

  /** What people said afterwards of the time in [from, to), in order: as events of their own, which come before the others of their instants. */
  #said(from: string, to: string): MeantEvent[] {
    const amendments = this.#amendments.live();
    return amendments.edges({ start: timeOf(from), end: timeOf(to) + 1 }).flatMap((at) => {
      const event = amendments.eventAt(at);
      if (!event) return [];
      const pos = `${startOf(at)}${kindOrder.amended}=`;
      return from <= pos && pos < to ? [{ pos, event }] : [];
    });
  }

  #meaningOf(stored: StoredEvent): MachineEvent | null {
    const { event } = stored;
    if (this.isWithdrawn(stored)) return withdrawn(event.at);
    return isSentPulses(event) ? this.#channels().meaningOf(event) : this.#amendments.live().meaningOf(event);
  }

  /** Events of the journal in [from, to) as they were sent, in order. */
  *#inJournal(from: string, to: string): Generator<StoredEvent> {
    const isAsked = ({ pos }: StoredEvent) => from <= pos && pos < to;
    const open = this.#open();
    const rest = open.events.filter(isAsked).map(asSent);
    const start = from <= open.storedTo ? (this.#segmentOf(from) ?? from) : to;
    for (const { first } of start < to ? this.#directory() : []) {
      if (first < start || first >= to) continue;
      for (const stored of this.#eventsOf(first).filter(isAsked).map(asSent)) {
        for (let [next] = rest; next && next.pos < stored.pos; [next] = rest) {
          yield next;
          rest.shift();
        }
        yield stored;
      }
    }
    yield* rest;
  }

  /** Puts events into the segments that they belong to. A segment that grows too large is divided. */
  #store(events: readonly StoredEvent[]): void {
    for (const [first, part] of Map.groupBy(events, ({ pos }) => this.#segmentOf(pos))) {
      const all = first === null ? part : merged(this.#eventsOf(first), part);
      const size = Math.ceil(all.length / Math.ceil(all.length / MAX_SEGMENT));
      for (let start = 0; start < all.length; start += size) {
        const events = all.slice(start, start + size);
        this.#save((start === 0 && first) || (events[0]?.pos ?? ""), events);
      }
    }
  }

  /** The start of the segment that a position belongs to; null before the first segment. */
  #segmentOf(pos: string): string | null {
    return this.#directory().findLast(({ first }) => first <= pos)?.first ?? null;
  }

  /** Returns the stored events with these ids. Scans all hashes once, however many ids are looked up. */
  #withIds(ids: ReadonlySet<string>): Map<string, StoredEvent> {
    if (ids.size === 0) return new Map();
    const hashes = new Set([...ids].map(hashOf));
    // A day of 1-second counts has 86,400 hashes. Their last 16 bits rule out nearly all of them without a look-up in the set.
    const ends = new Uint8Array(0x10000);
    for (const hash of hashes) ends[hash & 0xffff] = 1;
    const hasAny = (stored: Uint32Array) => {
      for (const hash of stored) if (ends[hash & 0xffff] === 1 && hashes.has(hash)) return true;
      return false;
    };
    const segments = this.#directory().filter((segment) => hasAny(segment.ids));
    const all = [...this.#open().events, ...segments.flatMap(({ first }) => this.#eventsOf(first))];
    const found = all.filter((one) => !this.#imports.isWithdrawn(one));
    return new Map(
      found.flatMap((one) => {
        const id = idOf(one.pos);
        return id !== null && ids.has(id) ? [[id, one] as const] : [];
      }),
    );
  }

  #directory(): Segment[] {
    this.#segments ??= this.#sql
      .exec<{ first: string; ids: ArrayBuffer }>("SELECT first, ids FROM segments")
      .toArray()
      .map(({ first, ids }) => ({ first, ids: new Uint32Array(ids) }))
      .sort((a, b) => (a.first < b.first ? -1 : 1));
    return this.#segments;
  }

  #eventsOf(first: string): readonly StoredEvent[] {
    const known = this.#read.get(first);
    if (known) return known;
    const query = "SELECT events FROM segments WHERE first = ?";
    const text = this.#sql.exec<{ events: string }>(query, first).toArray()[0]?.events ?? null;
    const events = this.#parse(first, text);
    this.#remember(first, events);
    return events;
  }

  /** The events of a segment that can be read. If they are not all, the segment as it was is kept apart, and they replace it. */
  #parse(first: string, text: string | null): StoredEvent[] {
    const place = { table: "segments", key: first };
    if (text === null) {
      // The directory lists it, so either its key cannot be read, or its events were kept apart earlier.
      this.#unreadable.keep(place, null, "it is not found by its key");
      return [];
    }
    const remove = () => void this.#sql.exec("DELETE FROM segments WHERE first = ?", first);
    const all = this.#unreadable.parse<unknown>(place, text, remove) ?? [];
    const events = Array.isArray(all) ? all.filter(isStored) : [];
    if (Array.isArray(all) && events.length === all.length) return events;
    this.#unreadable.keep(place, text, "it holds something else than events");
    this.#sql.exec("UPDATE segments SET events = ? WHERE first = ?", JSON.stringify(events), first);
    return events;
  }

  #remember(first: string, events: readonly StoredEvent[]): void {
    this.#read.delete(first);
    for (const oldest of this.#read.keys()) if (this.#read.size >= MAX_READ) this.#read.delete(oldest);
    this.#read.set(first, events);
  }

  /** Saves the events of a segment, or deletes the segment if there are none. */
  #save(first: string, events: readonly StoredEvent[]): void {
    const segments = this.#directory();
    const place = segments.findLastIndex((segment) => segment.first < first) + 1;
    const isThere = segments[place]?.first === first;
    if (events.length === 0) {
      this.#sql.exec("DELETE FROM segments WHERE first = ?", first);
      this.#read.delete(first);
      segments.splice(place, isThere ? 1 : 0);
      return;
    }
    const ids = idsOf(events);
    this.#sql.exec(
      `INSERT INTO segments (first, ids, events) VALUES (?, ?, ?)
       ON CONFLICT DO UPDATE SET ids = excluded.ids, events = excluded.events`,
      ...[first, ids.buffer, JSON.stringify(events)],
    );
    this.#remember(first, events);
    segments.splice(place, isThere ? 1 : 0, { first, ids });
  }
}

/** The newest of all events, once some are added. */
function newestOf({ newestPos, newestAt }: Open, added: readonly StoredEvent[]): Pick<Open, "newestPos" | "newestAt"> {
  const newest = { newestPos, newestAt };
  for (const { pos, event } of added) {
    if (newest.newestPos === null || pos > newest.newestPos) newest.newestPos = pos;
    if (event.kind !== "cut" && event.at > (newest.newestAt ?? -1)) newest.newestAt = event.at;
  }
  return newest;
}

/** What stands in the place of an event that was withdrawn: it is of no kind that the ledger knows, so it passes it over. */
function withdrawn(at: number): MachineEvent {
  return { kind: "withdrawn", at } as unknown as MachineEvent;
}
