import {
  type CountEvent,
  type FoldedEvent,
  kindOrder,
  type MachineEvent,
  type ReadingEvent,
  type SampleEvent,
} from "../../src/oee/events.ts";
import { advanceLedger, type MachineLedger, openSpans, type Presence, signedInAt, startLedger } from "../../src/oee/machine.ts";
import { type ProductionMetrics, productionMetrics, type ShiftIndicators, shiftIndicators } from "../../src/oee/metrics.ts";
import { type OperatorTime, operatorTimes } from "../../src/oee/operators.ts";
import { type OrderRun, type OutsideHour, type ShiftTally, unitsWithoutTimeIn } from "../../src/oee/production.ts";
import { takeReading } from "../../src/oee/readings.ts";
import { type Settings, type SettingsHistory, settingsAt, standardCycleMs } from "../../src/oee/settings.ts";
import type { ShiftDefinition } from "../../src/oee/shift-definition.ts";
import { type PartTally, type ShiftPart, shiftParts } from "../../src/oee/shift-parts.ts";
import { type ShiftRecord, shiftRecord } from "../../src/oee/shift-record.ts";
import { ShiftCalendar, type ShiftOccurrence } from "../../src/oee/shifts.ts";
import type { Span } from "../../src/oee/signal.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, minuteOfDay } from "../../src/oee/time.ts";
import { type ManualStop, type Piece, type StopFacts, timelineOf } from "../../src/oee/timeline.ts";

/** Monday, 5 January 2026, 00:00 UTC. */
export const MONDAY = Date.UTC(2026, 0, 5);

/** The instant of a UTC wall-clock time `HH:mm` or `HH:mm:ss` on Monday, or on a later day. */
export function at(clock: string, day = 0): number {
  const [, , seconds = "0"] = clock.split(":");
  return MONDAY + day * DAY_MS + minuteOfDay(clock) * MINUTE_MS + Number(seconds) * 1000;
}

/** An early shift, 06:00-14:00 every day; `over` has the differences. */
export function shift(over: Partial<ShiftDefinition> = {}): ShiftDefinition {
  return { id: 1, start: "06:00", end: "14:00", days: [1, 2, 3, 4, 5, 6, 7], breaks: [], ...over };
}

/** A machine that counts, in UTC, in service since Monday 00:00, with the usual limits and one early shift. */
export function settings(over: Partial<Settings> = {}): Settings {
  return {
    since: 0,
    timezone: "UTC",
    signal: "counts",
    stopAfterMs: 2 * MINUTE_MS,
    noDataAfterMs: 5 * MINUTE_MS,
    commissionedAt: MONDAY,
    decommissionedAt: null,
    standardCycleMs: null,
    skuStandardsMs: {},
    shifts: [shift()],
    plan: [],
    signOutAtShiftEnd: true,
    ...over,
  };
}

/** One cycle that makes one unit; `over` has the differences. */
export function count(atMs: number, over: Partial<CountEvent> = {}): CountEvent {
  return { kind: "count", at: atMs, cycles: 1, total: 1, defects: 0, good: null, ...over };
}

/** A running total, of which each pulse is one cycle that makes one unit; `over` has the differences. */
export function reading(atMs: number, value: number, over: Partial<ReadingEvent> = {}): ReadingEvent {
  const perPulse = { cycles: 1, total: 1, defects: 0, good: null };
  return { kind: "reading", at: atMs, value, counter: "1:1", fedSince: 0, perPulse, ...over };
}

export function sample(atMs: number): SampleEvent {
  return { kind: "sample", at: atMs };
}

/** Makes an item every `stepMs` from `from` to `to`, both included. */
export function every(stepMs: number, from: number, to: number, make: (atMs: number) => MachineEvent): MachineEvent[] {
  return Array.from({ length: Math.floor((to - from) / stepMs) + 1 }, (_, i) => make(from + i * stepMs));
}

/** Events in the order of the ledger; those of one instant and kind by content, so that the order is unique. */
export function inOrder<Event extends FoldedEvent>(events: readonly Event[]): Event[] {
  const keyed = events.map((event) => ({ event, text: JSON.stringify(event) }));
  keyed.sort(
    (a, b) =>
      a.event.at - b.event.at ||
      kindOrder[a.event.kind] - kindOrder[b.event.kind] ||
      (a.text < b.text ? -1 : Number(a.text > b.text)),
  );
  return keyed.map(({ event }) => event);
}

/** An unfinished ledger, with everything that became certain so far. */
export interface Fold {
  ledger: MachineLedger;
  spans: Span[];
  presences: Presence[];
  tallies: ShiftTally[];
  runs: OrderRun[];
  parts: PartTally[];
  outsideHours: OutsideHour[];
}

export function startFold(history: SettingsHistory): Fold {
  return { ledger: startLedger(history), spans: [], presences: [], tallies: [], runs: [], parts: [], outsideHours: [] };
}

/** Adds events, in order, to a fold. */
export function advance(fold: Fold, events: Iterable<FoldedEvent>, history: SettingsHistory, calendar: ShiftCalendar): void {
  const sink = {
    span: (span: Span) => fold.spans.push(span),
    presence: (presence: Presence) => fold.presences.push(presence),
    tally: (tally: ShiftTally) => fold.tallies.push(tally),
    run: (run: OrderRun) => fold.runs.push(run),
    part: (part: PartTally) => fold.parts.push(part),
    outsideHour: (hour: OutsideHour) => fold.outsideHours.push(hour),
  };
  for (const event of events) advanceLedger(fold.ledger, event, history, calendar, sink);
}

/** The facts that a stop's classification sets. */
export interface Classification extends Partial<StopFacts> {
  isAnnotated: boolean;
}

export interface ReplayOptions {
  now: number;
  manual?: ManualStop[];
  cuts?: number[];
  joins?: number[];
  /** The classification of a stop; null without one. */
  classify?: (piece: Piece) => Classification | null;
}

/** One shift as reported. */
export interface ShiftReport extends ShiftRecord {
  occurrence: ShiftOccurrence;
  asOf: number;
  indicators: ShiftIndicators;
  metrics: ProductionMetrics;
  tally: ShiftTally | null;
  operators: OperatorTime[];
  parts: ShiftPart[];
}

export interface Replay {
  now: number;
  fold: Fold;
  /** Up to now; open pieces end a millisecond later. */
  pieces: Piece[];
  stops: Piece[];
  shifts: ShiftReport[];
}

/** Folds events, given in any order, from the start and reads the ledger as of `now`. */
export function replay(events: readonly MachineEvent[], machine: Settings | SettingsHistory, options: ReplayOptions): Replay {
  const history: SettingsHistory = Array.isArray(machine) ? machine : [machine];
  const calendar = new ShiftCalendar(history);
  const fold = startFold(history);
  const sorted = inOrder(events);
  advance(fold, sorted, history, calendar);
  return readFold(fold, sorted, history, options);
}

/** Reads a fold as of `now`, as the machine's object does: spans, then the time line, then each shift's record. */
export function readFold(
  fold: Fold,
  events: readonly MachineEvent[],
  history: SettingsHistory,
  { now, manual = [], cuts = [], joins = [], classify = () => null }: ReplayOptions,
): Replay {
  const calendar = new ShiftCalendar(history);
  const { commissionedAt } = history[0];
  const { decommissionedAt } = settingsAt(history, now);
  const until = Math.min(now, decommissionedAt ?? now);
  const end = until < now ? until : now + 1;
  const spans = [...fold.spans, ...openSpans(fold.ledger, until, end)];
  const pieces = timelineOf(spans, calendar.between(commissionedAt, end), { manual, cuts, joins }).map((piece) => {
    const classification = piece.stop && classify(piece);
    return piece.stop && classification ? { ...piece, stop: { ...piece.stop, ...classification } } : piece;
  });
  const signedIn = signedInAt(fold.ledger, Number.NEGATIVE_INFINITY, calendar);
  const reader = { skuId: null as string | null };
  const counted = events.map((event) => {
    if (event.kind === "sku") reader.skuId = event.skuId;
    return takeReading(reader, event, history);
  });
  const unitsCounted = ({ start, end }: { start: number; end: number }) =>
    counted.reduce((units, e) => (e.kind === "count" && start <= e.at && e.at < end ? units + e.total : units), 0);
  const shifts = calendar.between(commissionedAt, end).map((occurrence): ShiftReport => {
    const asOf = Math.min(until, occurrence.end);
    const isOpen = asOf < occurrence.end && end > until;
    const tally = [...fold.tallies, fold.ledger.tally].find((one) => one?.start === occurrence.start) ?? null;
    const record = shiftRecord({
      occurrence,
      pieces,
      asOf,
      isOpen,
      tally,
      standardCycleMs: standardCycleMs(settingsAt(history, asOf), fold.ledger.skuId),
      unitsCounted: (interval) => unitsCounted(interval) - unitsWithoutTimeIn(tally, interval),
    });
    const runs = [...fold.runs, fold.ledger.run].filter((run) => run !== null && run.start < occurrence.end);
    const parts = shiftParts({
      hours: calendar.hours(occurrence),
      record,
      runs: runs as OrderRun[],
      tally,
      tallies: [...fold.parts, fold.ledger.part].filter((part) => part?.shiftStart === occurrence.start) as PartTally[],
      standardAt: (skuId, at) => standardCycleMs(settingsAt(history, at), skuId),
      unitsPerCycleAt: () => ({ units: 1, isExact: false }),
      changes: history.map(({ since }) => since),
    });
    return {
      ...record,
      occurrence,
      asOf,
      tally,
      parts,
      indicators: shiftIndicators(record.sums, !isOpen),
      metrics: productionMetrics(record.sums, record.made),
      operators: operatorTimes(occurrence, record.segments, [...fold.presences, ...signedIn], history),
    };
  });
  return { now, fold, pieces, stops: pieces.filter((piece) => piece.kind === "stop"), shifts };
}

/** The only shift of a replay. */
export function onlyShift({ shifts }: Replay): ShiftReport {
  const [first, ...others] = shifts;
  if (!first || others.length > 0) throw new Error(`one shift expected, ${shifts.length} found`);
  return first;
}

/** Stops in readable form: minutes after `from`, an open one without an end, and their kind. */
export function readable({ stops, now }: Replay, from: number): string[] {
  return stops.map(({ start, end, stop }) => {
    const kind = stop?.isManual ? "manual" : (stop?.breakName ?? (stop?.isProgrammed ? "programmed" : "unplanned"));
    return `${(start - from) / MINUTE_MS}-${end > now ? "" : (end - from) / MINUTE_MS} ${kind}`;
  });
}

export { HOUR_MS, MINUTE_MS };
