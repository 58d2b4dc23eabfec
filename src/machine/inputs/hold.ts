import { recordId } from "../../core/record-id.ts";
import type { CountEvent, MachineEvent, ReadingEvent } from "../../oee/events.ts";
import { HOLD_FACTOR, isPlausible, isSuspicious } from "../../oee/plausible.ts";
import { type CounterReader, readingOf, takeReading } from "../../oee/readings.ts";
import { settingsAt, standardCycleMs } from "../../oee/settings.ts";
import { isoOf } from "../../oee/time.ts";
import { ofMachine, putMachineEvent } from "../publish/machine-event.ts";
import { heldSums, type ProjectionContext, putHeld } from "../publish/projection.ts";
import type { Configuration } from "../settings/configuration.ts";
import type { MachineStorage } from "../storage/machine-storage.ts";
import { dayAndReasonOf, entryOf, type HeldSums, joined, MOST_HELD, sumsOf } from "./held-counts.ts";
import { positionOf } from "./ledger-position.ts";
import type { StoredEvent, TakenEvent } from "./stored-event.ts";
import { readerBefore } from "./units-counted.ts";

// Counts that the machine cannot have made are held. This is decided once, when a count arrives: no replay holds or releases one.

const FACTOR_KEY = "hold factor";
const COUNTED_KEY = "counted to";
/** The most channels whose last count is known. */
const MOST_CHANNELS = 200;

/** The time of the last count of each channel, by node and channel. */
type CountedTo = Record<string, number>;

/** What an event counts. `lastAt`: the time of the channel's last count before it; absent: not known yet. */
interface Counted {
  event: CountEvent;
  pulses: number;
  lastAt?: number;
}

/** What is to be held of new events. */
export interface Implausible {
  held: ReadonlyMap<TakenEvent, Counted>;
  /** Those for which there is no room. */
  tooMany: ReadonlySet<TakenEvent>;
  countedTo: CountedTo;
}

/** How many times the cycles that fit the machine may report; null: any number. */
function holdFactor(storage: MachineStorage): number | null {
  const kept = storage.setUp<{ factor: number | null }>(FACTOR_KEY);
  return kept ? kept.factor : HOLD_FACTOR;
}

export function saveHoldFactor(storage: MachineStorage, factor: number | null): void {
  storage.saveSetUp(FACTOR_KEY, { factor });
}

/**
 * Finds the counts that the machine cannot have made: each in the time since the last count of its channel, or since its own `since`.
 * @param find finds the stored event of an event: one that is stored already was checked before
 */
export function implausibleOf(
  storage: MachineStorage,
  configuration: Configuration,
  events: readonly TakenEvent[],
  find: (incoming: TakenEvent) => StoredEvent | undefined,
): Implausible {
  const batch = new Batch(storage, configuration);
  const held = new Map<TakenEvent, Counted>();
  const tooMany = new Set<TakenEvent>();
  for (const incoming of inOrder(events)) {
    const counted = batch.countedIn(incoming);
    if (!counted || batch.isPlausible(incoming, counted) || find(incoming)) {
      batch.take(incoming);
    } else if (storage.held.totals().count + held.size < MOST_HELD) {
      held.set(incoming, counted);
      batch.noteCount(incoming);
    } else tooMany.add(incoming);
  }
  return { held, tooMany, countedTo: batch.countedTo };
}

/**
 * Stores the counts that are held, and the sums that D1 should show of them.
 * @param added the events that were stored, by position
 */
export function hold(
  context: ProjectionContext,
  { held, countedTo }: Implausible,
  added: ReadonlyMap<string, MachineEvent>,
): void {
  const { storage, now } = context;
  if (added.size > 0) storage.saveValue(COUNTED_KEY, countedTo);
  if (held.size === 0) return;
  // Of two with the same position, one was stored.
  const stored = new Map([...held].map((one) => [positionOf(one[0]), one]));
  for (const [pos, [{ id, event: sent, source, imported }, { event, pulses }]] of stored) {
    if (!added.has(pos)) continue;
    const { nodeId = 0, channel = 0 } = source?.sent ?? {};
    const reading = sent.kind === "reading" ? sent : null;
    const entry = entryOf(event.at, "implausible");
    const more = { ...(source && { sent: source.sent }), ...(imported && { importId: imported.importId }) };
    storage.held.add({ pos, entry, id, nodeId, channel, pulses, event, reading, ...more, heldAt: now });
  }
  holdSums(
    context,
    [...stored.keys()].filter((pos) => added.has(pos)),
  );
}

/** Stores what is held of the entries of new held events, and publishes the first of each. */
function holdSums(context: ProjectionContext, positions: Iterable<string>): void {
  const counts = context.storage.held.at(positions);
  for (const [entry, ofEntry] of Map.groupBy(counts, (count) => count.entry)) {
    const known = heldSums(context, entry);
    const sums = joined(known, sumsOf(ofEntry));
    putHeld(context, entry, sums);
    if (!known && sums) publishHeld(context, entry, sums);
  }
}

/**
 * Holds events of a time whose books are closed, each once, and stores the sums that D1 should show of them. Nothing else is stored of them.
 * @returns the positions of those that are held from now on
 */
export function holdClosed(context: ProjectionContext, closed: ReadonlySet<TakenEvent>): Set<string> {
  const { storage, now } = context;
  const added = new Set<string>();
  if (closed.size === 0) return added;
  const known = new Set(storage.held.at([...closed].map(positionOf)).map(({ pos }) => pos));
  for (const taken of closed) {
    const pos = positionOf(taken);
    if (known.has(pos) || added.has(pos)) continue;
    added.add(pos);
    const { id, event, source } = taken;
    const { nodeId = 0, channel = 0, value = 0 } = source?.sent ?? {};
    const reading = event.kind === "reading" ? event : null;
    const entry = entryOf(event.at, "closedBooks");
    storage.held.add({ pos, entry, id, nodeId, channel, pulses: value, event: countIn(event), reading, taken, heldAt: now });
  }
  holdSums(context, added);
  return added;
}

/** What an event counts by itself: that of a reading is not known before it is taken. */
function countIn(event: MachineEvent): CountEvent {
  return event.kind === "count" ? event : { kind: "count", at: event.at, cycles: 0, total: 0, defects: 0, good: null };
}

/** Forgets when each channel counted last, because some counts were withdrawn: the next ones may have taken all the time since the commissioning. */
export function forgetCountedTo(storage: MachineStorage): void {
  storage.saveValue(COUNTED_KEY, {});
}

/** Publishes that counts of a day are held, once for the first of them. */
function publishHeld(context: ProjectionContext, entry: number, sums: HeldSums): void {
  const { count, units, firstAt, lastAt } = sums;
  const heldId = recordId(context.identity.machineId, entry);
  const { reason } = dayAndReasonOf(entry);
  const data = { ...ofMachine(context), heldId, reason, count, units, since: isoOf(firstAt), until: isoOf(lastAt) };
  putMachineEvent(context, "machine.counts_held", heldId, context.now, data);
}

/** New events in order, and what the check of the next one depends on. */
class Batch {
  readonly #storage: MachineStorage;
  readonly #configuration: Configuration;
  readonly #factor: number | null;
  readonly #before: Readonly<CountedTo>;
  /** The last count of each channel among these events. */
  readonly #own: CountedTo = {};
  readonly #headPos: string;
  /** The SKU and the counters after the ledger and these events. */
  readonly #reader: CounterReader;

  constructor(storage: MachineStorage, configuration: Configuration) {
    this.#storage = storage;
    this.#configuration = configuration;
    this.#factor = holdFactor(storage);
    this.#before = storage.value<CountedTo>(COUNTED_KEY) ?? {};
    const head = storage.head();
    const { skuId = null, counters = {} } = (head?.ledger ?? {}) as Partial<CounterReader>;
    this.#headPos = head?.pos ?? "";
    // Its counters are replaced, never changed.
    this.#reader = { skuId, counters };
  }

  get countedTo(): CountedTo {
    const all = { ...this.#before };
    for (const [key, at] of Object.entries(this.#own)) all[key] = Math.max(at, all[key] ?? at);
    const newest = Object.entries(all).sort(([, a], [, b]) => b - a);
    return newest.length <= MOST_CHANNELS ? all : Object.fromEntries(newest.slice(0, MOST_CHANNELS));
  }

  /** Takes an event that counts. */
  take(incoming: TakenEvent): void {
    this.noteCount(incoming);
    if (this.#isLate(incoming)) return;
    const { event } = incoming;
    if (event.kind === "sku") this.#reader.skuId = event.skuId;
    else takeReading(this.#reader, event, this.#configuration.history);
  }

  /** Notes that a channel has counted. A reading that is held leaves its counter as it was: the next one counts since the same reading. */
  noteCount(incoming: TakenEvent): void {
    if (incoming.event.kind === "count") this.#own[keyOf(incoming)] = incoming.event.at;
  }

  /** What an event counts; null: nothing, or too little to be checked. */
  countedIn(incoming: TakenEvent): Counted | null {
    const { event } = incoming;
    if (event.kind !== "count" && event.kind !== "reading") return null;
    const counted = event.kind === "count" ? { event, pulses: pulsesOf(incoming, event) } : this.#read(incoming, event);
    return counted && isSuspicious(counted) ? counted : null;
  }

  isPlausible(incoming: TakenEvent, { event, pulses, lastAt }: Counted): boolean {
    const { cycles, at } = event;
    const settings = settingsAt(this.#configuration.history, at);
    const skuId = this.#isLate(incoming) ? this.#storage.ledger.skuBefore(at + 1) : this.#reader.skuId;
    const standardMs = standardCycleMs(settings, skuId);
    const since = Math.min(event.since ?? lastAt ?? this.#lastCountBefore(incoming), at - (settings.reportingMs ?? 0));
    return isPlausible({ pulses, cycles, since, at, standardMs }, this.#factor);
  }

  #read(incoming: TakenEvent, reading: ReadingEvent): Counted | null {
    const { history } = this.#configuration;
    let reader = this.#reader;
    if (this.#isLate(incoming)) {
      // Up to the newest total it only takes its part of what a later reading counted. Otherwise the readings before it have to be looked up.
      const { high = 0 } = reader.counters?.[reading.counter] ?? {};
      if (reading.value <= high) return null;
      reader = readerBefore(this.#storage, history, positionOf(incoming));
    }
    const { event, pulses, state } = readingOf(reader, reading, history);
    return event.kind === "count" ? { event, pulses, lastAt: state.before?.at ?? event.at } : null;
  }

  #isLate(incoming: TakenEvent): boolean {
    return positionOf(incoming) <= this.#headPos;
  }

  /** The last count of its channel; if that is a later one, because this one is late, the machine's last count; or else the commissioning. */
  #lastCountBefore(incoming: TakenEvent): number {
    const { event, source } = incoming;
    const key = keyOf(incoming);
    const [own, before] = [this.#own[key], this.#before[key]];
    if (before !== undefined && before < event.at) return Math.max(before, own ?? before);
    if (own !== undefined) return own;
    const begin = Math.max(this.#configuration.history[0].commissionedAt, source?.fedSince ?? 0);
    return before === undefined ? begin : (this.#storage.events.lastCyclesBefore(positionOf(incoming)) ?? begin);
  }
}

function pulsesOf({ source }: TakenEvent, { cycles, total, defects, good }: CountEvent): number {
  return source?.sent.value ?? Math.max(cycles, total, defects, good ?? 0);
}

function keyOf({ source }: TakenEvent): string {
  return source ? `${source.sent.nodeId}:${source.sent.channel}` : "";
}

function inOrder(events: readonly TakenEvent[]): TakenEvent[] {
  return [...events].sort((a, b) => (positionOf(a) < positionOf(b) ? -1 : 1));
}
