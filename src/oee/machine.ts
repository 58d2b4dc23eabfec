import type { AmendedEvent, CountEvent, FoldedEvent, LedgerEvent, Run } from "./events.ts";
import {
  addCount,
  addToOutsideHour,
  addToRun,
  type CountFacts,
  emptySku,
  emptyTally,
  lateDefects,
  nothingRejectable,
  type OrderRun,
  type OutsideHour,
  type Rejectable,
  rejectableAfter,
  type ShiftTally,
  skuIn,
} from "./production.ts";
import type { DeepReadonly } from "./read-only.ts";
import { type CounterReader, takeReading } from "./readings.ts";
import { type Settings, type SettingsHistory, settingsAt, standardCycleMs } from "./settings.ts";
import { addToPart, emptyPart, type PartTally } from "./shift-parts.ts";
import { hourAt, type ShiftCalendar, type ShiftOccurrence } from "./shifts.ts";
import { advanceSignal, finishSignal, kindAt, type SignalState, type Span, startSignal } from "./signal.ts";
import type { Interval } from "./time.ts";

/** The time from an operator's sign-in to the sign-out. */
export interface Presence extends Interval {
  operatorId: number;
}

/** The state that results from a machine's events: plain data, which can be saved as JSON and continued at any event. */
export interface MachineLedger extends CounterReader {
  signal: SignalState;
  /** The production since the last SKU event; null before the first. */
  run: OrderRun | null;
  /** Sign-in time by operator. Operators whose shift has ended since are removed by the next event. */
  signedIn: Record<string, number>;
  /** The counts of the latest shift in which anything was counted. */
  tally: ShiftTally | null;
  /** The counts of the latest part of a shift in which anything was counted; null after the run changed. */
  part: PartTally | null;
  /** The latest local hour in which anything was counted outside shifts. Absent before the first such count. */
  outsideHour?: OutsideHour;
  /** What the events say is made, while an amendment says something else; null: nothing yet. Absent: no amendment is in force. */
  sentRun?: SentRun | null;
  /** Who would be signed in by the events, and since when, while an amendment says who is there. Absent: none is in force. */
  sentSignedIn?: Record<string, number>;
  /** The units that may still be rejected. Absent in ledgers saved before it was kept, and before the first count. */
  rejectable?: Rejectable;
}

/** A run without what was made in it. */
type SentRun = Run & Pick<OrderRun, "closedOrderId">;

/** A read-only view of the ledger. */
export type LedgerView = DeepReadonly<MachineLedger>;

/** Receives what becomes certain while a ledger advances. */
export interface LedgerSink {
  span(span: Span): void;
  presence(presence: Presence): void;
  tally(tally: ShiftTally): void;
  run(run: OrderRun): void;
  part(part: PartTally): void;
  outsideHour(hour: OutsideHour): void;
}

/** The ledger of a machine at its commissioning. */
export function startLedger(history: SettingsHistory): MachineLedger {
  const [first] = history;
  return {
    signal: startSignal(first, first.commissionedAt),
    skuId: null,
    run: null,
    signedIn: {},
    tally: null,
    part: null,
  };
}

/**
 * Adds the next event to the ledger, which it changes. Events come in order: by time, then `kindOrder`.
 * Event by event, in batches, or all at once from a saved ledger, the result is the same.
 */
export function advanceLedger(
  ledger: MachineLedger,
  stored: FoldedEvent,
  history: SettingsHistory,
  calendar: ShiftCalendar,
  sink: LedgerSink,
): void {
  const event = takeReading(ledger, stored, history);
  const settings = settingsAt(history, event.at);
  signOutLeftOver(ledger, event.at, calendar, sink);
  const standardMs = event.kind === "count" ? standardCycleMs(settings, ledger.skuId) : null;
  const neededMs = event.kind === "count" && standardMs !== null ? event.cycles * standardMs : null;
  const hasTime = advanceSignal(ledger.signal, event, settings, neededMs, sink.span);
  switch (event.kind) {
    case "sku":
      changeSku(ledger, event, sink);
      return;
    case "cut":
      cutRun(ledger, event, sink);
      return;
    case "operator":
      signInOrOut(ledger, event, sink);
      return;
    case "amended":
      amendRun(ledger, event, sink);
      amendPresences(ledger, event, sink);
      return;
    case "count": {
      const occurrence = calendar.at(event.at);
      if (ledger.run) addToRun(ledger.run, event, { standardMs, hasTime }, occurrence !== null);
      const tally = occurrence && tallyOf(ledger, occurrence, sink);
      const sku = tally && skuIn(tally, ledger.skuId);
      ledger.rejectable ??= nothingRejectable();
      const late = lateDefects(ledger.rejectable, event, sku, ledger.skuId, (skuId) => standardCycleMs(settings, skuId));
      if (!occurrence || !tally) {
        countOutsideShifts(ledger, event, calendar, sink);
        return;
      }
      const operatorIds = operatorsAt(ledger, event.at, occurrence, settings);
      addCount(tally, event, ledger.skuId, operatorIds, { standardMs, hasTime, late });
      const settingsSince = settings === history[0] ? Number.NEGATIVE_INFINITY : settings.since;
      countInPart(ledger, event, { occurrence, settingsSince }, calendar, { standardMs, hasTime, late }, sink);
    }
  }
}

/**
 * The spans that are not certain yet, as of `until`. Does not change the ledger.
 * @param end the end of the last one: a millisecond after `until` shows the state from then on, even at an edge
 */
export function openSpans(ledger: LedgerView, until: number, end: number): Span[] {
  const spans: Span[] = [];
  finishSignal(structuredClone(ledger.signal) as SignalState, until, (span) => spans.push(span));
  if (end <= until) return spans;
  const kind = kindAt(ledger.signal, until);
  const last = spans.at(-1);
  if (last?.kind === kind) last.end = end;
  else spans.push({ start: until, end, kind });
  return spans;
}

/** The operators signed in by event at an instant, which is not before the ledger's last event, with the latest end of their presence. */
export function signedInAt(ledger: LedgerView, at: number, calendar: ShiftCalendar): Presence[] {
  return Object.entries(ledger.signedIn)
    .map(([id, start]) => ({ operatorId: Number(id), start, end: calendar.signOutAt(start) }))
    .filter(({ end }) => at < end);
}

function countInPart(
  ledger: MachineLedger,
  count: CountEvent,
  { occurrence, settingsSince }: { occurrence: ShiftOccurrence; settingsSince: number },
  calendar: ShiftCalendar,
  facts: CountFacts,
  sink: LedgerSink,
): void {
  const { at } = count;
  // New settings may have another standard, which begins another part.
  if (!ledger.part || at >= ledger.part.end || ledger.part.start < settingsSince) {
    closePart(ledger, sink);
    // Finding the hour is costly, so it is done once for all counts of a part.
    const hour = hourAt(calendar.hours(occurrence), at);
    ledger.part = emptyPart(occurrence.start, hour, settingsSince, ledger);
  }
  addToPart(ledger.part, count, facts);
}

/** The tally of a shift, which is begun with its first count. */
function tallyOf(ledger: MachineLedger, { start, end }: ShiftOccurrence, sink: LedgerSink): ShiftTally {
  if (ledger.tally?.start === start) return ledger.tally;
  if (ledger.tally) sink.tally(ledger.tally);
  ledger.tally = emptyTally(start, end);
  return ledger.tally;
}

/** Nothing but the calendar divides the hours, so that one which a shift interrupts has one sum. */
function countOutsideShifts(ledger: MachineLedger, count: CountEvent, calendar: ShiftCalendar, sink: LedgerSink): void {
  if (!ledger.outsideHour || count.at >= ledger.outsideHour.end) {
    if (ledger.outsideHour) sink.outsideHour(ledger.outsideHour);
    ledger.outsideHour = { ...calendar.localHourOf(count.at), units: 0 };
  }
  addToOutsideHour(ledger.outsideHour, count);
}

function closePart(ledger: MachineLedger, sink: LedgerSink): void {
  if (ledger.part) sink.part(ledger.part);
  ledger.part = null;
}

/** The ids (as strings) of the operators to credit at an instant, each once: those signed in, otherwise those planned for the shift. */
function operatorsAt(ledger: MachineLedger, at: number, { shiftId }: ShiftOccurrence, { plan }: Settings): string[] {
  const signedIn = Object.keys(ledger.signedIn);
  return signedIn.length > 0 || plan.length === 0 ? signedIn : plannedAt(plan, shiftId, at).map(String);
}

/** The operators who are planned for a shift at an instant, each once. */
export function plannedAt(plan: Settings["plan"], shiftId: number, at: number): number[] {
  const planned = plan.filter((p) => p.shiftId === shiftId && p.since <= at && at < p.until);
  return [...new Set(planned.map((p) => p.operatorId))];
}

/** Signs out the operators whose shift has ended since they signed in. */
function signOutLeftOver(ledger: MachineLedger, at: number, calendar: ShiftCalendar, sink: LedgerSink): void {
  for (const [id, since] of Object.entries(ledger.signedIn)) {
    const end = calendar.signOutAt(since);
    if (at < end) continue;
    delete ledger.signedIn[id];
    sink.presence({ operatorId: Number(id), start: since, end });
  }
  const sent = ledger.sentSignedIn ?? {};
  for (const [id, since] of Object.entries(sent)) if (at >= calendar.signOutAt(since)) delete sent[id];
}

function changeSku(ledger: MachineLedger, event: LedgerEvent & { kind: "sku" }, sink: LedgerSink): void {
  const { at, skuId, workOrderId, isReplaced } = event;
  if (isReplaced) ledger.sentRun = { skuId, workOrderId };
  else beginRun(ledger, at, { skuId, workOrderId }, sink);
}

/** Begins a run. After an amendment there may be nothing that the events say is made (null): that is a run without a SKU, so that its parts are its own. */
function beginRun(ledger: MachineLedger, at: number, next: SentRun | null, sink: LedgerSink): void {
  if (ledger.run && ledger.run.start < at) sink.run(ledger.run);
  closePart(ledger, sink);
  const { skuId = null, ...ofOrder } = next ?? { workOrderId: null };
  if (ledger.rejectable && skuId !== ledger.skuId) ledger.rejectable = rejectableAfter(ledger.rejectable, ledger.skuId);
  ledger.skuId = skuId;
  ledger.run = { start: at, ...ofOrder, made: emptySku(skuId) };
}

/** Splits the order's run at the instant, if it is the current run. A reopened order goes on if nothing else was set since it was closed. */
function cutRun(ledger: MachineLedger, cut: LedgerEvent & { kind: "cut" }, sink: LedgerSink): void {
  const { at, order } = cut;
  if (ledger.sentRun !== undefined) {
    if (ledger.sentRun)
      ledger.sentRun = { skuId: ledger.sentRun.skuId, ...(ofOrderAfter(ledger.sentRun, cut) ?? ledger.sentRun) };
    // An amendment says for which order something was made, whether that was closed or not.
    if (order !== undefined) return;
  }
  const { run } = ledger;
  const ofOrder = run && ofOrderAfter(run, cut);
  if (!ofOrder || (run.start >= at && order === undefined)) return;
  if (run.start < at) sink.run(run);
  closePart(ledger, sink);
  ledger.run = { start: at, ...ofOrder, made: emptySku(run.made.skuId) };
}

/** For which order a run goes on after a cut; null: the cut is not about it. */
function ofOrderAfter(
  run: Pick<OrderRun, "workOrderId" | "closedOrderId">,
  { workOrderId, order }: LedgerEvent & { kind: "cut" },
): Pick<OrderRun, "workOrderId" | "closedOrderId"> | null {
  if ((order === "reopened" ? run.closedOrderId : run.workOrderId) !== workOrderId) return null;
  return order === "closed" ? { workOrderId: null, closedOrderId: workOrderId } : { workOrderId };
}

function signInOrOut(ledger: MachineLedger, event: LedgerEvent & { kind: "operator" }, sink: LedgerSink): void {
  const { operatorId, action, at, isReplaced } = event;
  if (isReplaced) ledger.sentSignedIn ??= {};
  const signedIn = isReplaced ? (ledger.sentSignedIn ?? {}) : ledger.signedIn;
  const since = signedIn[operatorId];
  if (action === "in") signedIn[operatorId] = since ?? at;
  else if (since !== undefined) {
    delete signedIn[operatorId];
    if (since < at && !isReplaced) sink.presence({ operatorId, start: since, end: at });
  }
}

/** Goes on with what an amendment says is made, or, after it, with what the events say. */
function amendRun(ledger: MachineLedger, { at, run }: AmendedEvent, sink: LedgerSink): void {
  if (run) {
    if (ledger.sentRun === undefined) ledger.sentRun = ledger.run && sentRunOf(ledger.run);
    beginRun(ledger, at, run, sink);
  } else if (run === null && ledger.sentRun !== undefined) {
    beginRun(ledger, at, ledger.sentRun, sink);
    delete ledger.sentRun;
  }
}

function sentRunOf({ made, workOrderId, closedOrderId }: OrderRun): SentRun | null {
  return made.skuId === null ? null : { skuId: made.skuId, workOrderId, ...(closedOrderId !== undefined && { closedOrderId }) };
}

/** Signs in whoever an amendment says is there, and nobody else; after it, whoever is signed in by the events. Who stays is not interrupted. */
function amendPresences(ledger: MachineLedger, { at, present }: AmendedEvent, sink: LedgerSink): void {
  if (present === undefined || (present === null && !ledger.sentSignedIn)) return;
  const there = new Set(present?.map(String) ?? Object.keys(ledger.sentSignedIn ?? {}));
  if (present) ledger.sentSignedIn ??= { ...ledger.signedIn };
  else delete ledger.sentSignedIn;
  for (const [id, since] of Object.entries(ledger.signedIn)) {
    if (there.has(id)) continue;
    delete ledger.signedIn[id];
    if (since < at) sink.presence({ operatorId: Number(id), start: since, end: at });
  }
  for (const id of there) ledger.signedIn[id] ??= at;
}
