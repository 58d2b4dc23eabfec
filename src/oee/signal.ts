import { type AmendedEvent, type CountEvent, type LedgerEvent, LONGEST_COVER_MS } from "./events.ts";
import { minOf } from "./extremes.ts";
import type { DeepReadonly } from "./read-only.ts";
import type { Settings } from "./settings.ts";
import { clip, type Interval } from "./time.ts";

/** A span of time as derived from the signals alone, before breaks, manual stops and shifts. */
export interface Span extends Interval {
  kind: "available" | "noData" | "planned" | "unplanned";
}

/**
 * The signal reducer's state: plain data, which can be saved as JSON and continued at any event.
 * A *spell* is time without running. Whether it is a stop or a micro-stop is known once it has lasted longer than
 * `stopAfterMs` or has ended. Until then its parts are held back.
 * A gap is checked by the limits in force when it began, so changed settings do not affect the past.
 *
 * A count may *cover* time before it: everything that it counts was made since an instant, which its sender says (`since`) or the machine's
 * `reportingMs` supplies. The machine was available for as long as its cycles take, up to the count. Only the rest of the gap may be a stop,
 * and what was covered is not silence. So a gap is only decided once it has ended.
 */
export interface SignalState {
  source: Settings["signal"];
  /** Time of the last sample: counts, zeros too, states, heartbeats. */
  sampleAt: number;
  noDataAfterMs: number | null;
  /** The state since `cursor`. A machine with counts as its signal only runs at the instants of its counts: it is always in a spell. */
  mode: "running" | "planned" | "unplanned" | "unknown";
  cursor: number;
  spellAt: number;
  stopAfterMs: number;
  /** By how much counts may come late: as long as they are collected. An open spell is a stop that much later. Absent: 0. */
  reportingMs?: number;
  parts: Span[];
  /** The newest counts, if they cover time before them: other counts of the same instant may cover more. Absent or null: none. */
  covered?: Covered | null;
  /** Whether there was silence since the last count. Absent: no. */
  isBroken?: boolean;
  /** The instant of the last counts that came first after a silence. */
  afterSilenceAt?: number;
  /** The last span, held back because it may still grow. */
  last: Span | null;
}

/** The counts of one instant that cover time before it, with the limits in force then. */
interface Covered extends Limits {
  at: number;
  since: number;
  /** How long their cycles take at the standard, in ms; null: without a standard, the whole time since `since`. */
  neededMs: number | null;
}

interface Limits {
  stopAfterMs: number;
  reportingMs: number;
}

/** A read-only view of the state. */
export type SignalView = DeepReadonly<SignalState>;

type Emit = (span: Span) => void;
type Rules = Pick<Settings, "signal" | "stopAfterMs" | "noDataAfterMs" | "reportingMs">;

/** The most parts of a stop that are held back, of which each silence adds two. Counts cannot cover time before them. */
const MOST_PARTS = 60;

/** The state of a machine without events. */
export function startSignal(rules: Rules, commissionedAt: number): SignalState {
  return {
    source: rules.signal,
    sampleAt: commissionedAt,
    noDataAfterMs: silenceAfterMs(rules),
    mode: firstMode(rules.signal),
    cursor: commissionedAt,
    spellAt: commissionedAt,
    ...limitsOf(rules),
    parts: [],
    last: null,
  };
}

/**
 * Adds an event to the state, which it changes, and emits the spans that became certain, in order and without gaps.
 * @param neededMs how long the cycles of a count take at the standard in force; null without one
 * @returns false if it is a count whose time is not known: it is the first one after a silence, does not say since when it was made, and
 *   is more than the machine makes in the usual time between two counts
 */
export function advanceSignal(
  signal: SignalState,
  event: LedgerEvent | AmendedEvent,
  rules: Rules,
  neededMs: number | null,
  emit: Emit,
): boolean {
  if (event.kind === "operator" || event.kind === "sku" || event.kind === "cut" || event.kind === "amended") return true;
  const { at } = event;
  if (signal.covered && (signal.covered.at < at || signal.source !== rules.signal)) closeCovered(signal, signal.covered, emit);
  receive(signal, at, event.kind === "state" ? at : (sinceOf(event) ?? at), rules, emit);
  if (signal.source !== rules.signal) changeSource(signal, at, rules, emit);
  if (event.kind === "count") return receiveCount(signal, event, rules, neededMs, emit);
  if (signal.source === "counts") return true;
  if (event.kind === "state") changeMode(signal, modeOf(event.state), at, rules, emit);
  if (!isStopped(signal.mode)) closeMode(signal, at, emit);
  return true;
}

/** Ends the silence before a sample, if it is one: up to the time since which the sample says what happened. */
function receive(signal: SignalState, at: number, since: number, rules: Rules, emit: Emit): void {
  const knownFrom = Math.max(since, signal.sampleAt);
  if (isSilence(signal, knownFrom)) {
    endSilence(signal, knownFrom, emit);
    signal.isBroken = true;
    if (signal.source === "states") beginSpell(signal, knownFrom, limitsOf(rules));
  }
  signal.sampleAt = at;
  signal.noDataAfterMs = silenceAfterMs(rules);
}

/** Adds a count. Returns as `advanceSignal`. */
function receiveCount(signal: SignalState, count: CountEvent, rules: Rules, neededMs: number | null, emit: Emit): boolean {
  const { at, cycles } = count;
  const since = sinceOf(count);
  const isUnknown = since === null && (signal.isBroken === true || signal.afterSilenceAt === at);
  if (isUnknown) signal.afterSilenceAt = at;
  const isUsual = cycles === 1 || (cycles > 0 && neededMs !== null && neededMs <= rules.stopAfterMs);
  if (signal.source === "states") {
    signal.isBroken = false;
    if (!isStopped(signal.mode)) closeMode(signal, at, emit);
    return !isUnknown || isUsual;
  }
  const from = isUnknown ? null : coveredFrom(since, at, rules);
  if (from === null) endGap(signal, at, rules, emit);
  // Pulses that make no cycles say nothing about the time that they took.
  else if (cycles > 0) cover(signal, { at, since: from, neededMs, ...limitsOf(rules) });
  return !isUnknown || isUsual;
}

/** Emits the remaining spans up to `until`, as of then. The state must not be used afterwards: pass a copy to continue. */
export function finishSignal(signal: SignalState, until: number, emit: Emit): void {
  if (signal.covered) closeCovered(signal, signal.covered, emit);
  if (isSilence(signal, until)) endSilence(signal, until, emit);
  // Counts that are still being collected may turn it into running time.
  if (signal.source === "counts") closeSpell(signal, until, isStop(signal, until), emit);
  else closeMode(signal, until, emit);
  if (signal.last) emit(signal.last);
}

/** The kind of span at an instant, which is not before the last event. */
export function kindAt(signal: SignalView, at: number): Span["kind"] {
  if (isSilence(signal, at)) return "noData";
  if (isStopped(signal.mode)) return isStop(signal, at) ? signal.mode : "available";
  return signal.mode === "running" ? "available" : "noData";
}

/** The start of the present silence, if it exceeds the limit at an instant, which is not before the last event; otherwise null. */
export function silentSince(signal: SignalView, at: number): number | null {
  return isSilence(signal, at) ? signal.sampleAt : null;
}

/** Start of the spans that later events may still change. */
export function undecidedFrom(signal: SignalView): number {
  return signal.parts[0]?.start ?? signal.cursor;
}

/** The time up to which no later event can change the spans, unless it covers time. An open stop is certain: it can only grow. */
export function certainTo(signal: SignalView): number {
  return isStopped(signal.mode) && isStop(signal, signal.sampleAt) ? signal.sampleAt : undecidedFrom(signal);
}

/** The time up to which no later event at all can change the spans. */
export function coverableFrom(signal: SignalView): number {
  return Math.max(undecidedFrom(signal), signal.sampleAt - LONGEST_COVER_MS - signal.stopAfterMs);
}

/** The next instant after `now` at which silence alone turns into a stop or no data; null when neither can. */
export function nextThreshold(signal: SignalView, now: number): number | null {
  // Both rules say "longer than": a gap of exactly the limit is within it.
  const thresholds = [
    isStopped(signal.mode) ? stopAt(signal) : null,
    signal.noDataAfterMs === null ? null : signal.sampleAt + signal.noDataAfterMs + 1,
  ].filter((at): at is number => at !== null && at > now);
  return thresholds.length > 0 ? minOf(thresholds) : null;
}

function firstMode(source: Settings["signal"]): SignalState["mode"] {
  return source === "counts" ? "unplanned" : "unknown";
}

function modeOf(state: (LedgerEvent & { kind: "state" })["state"]): SignalState["mode"] {
  if (state === "running") return "running";
  if (state === "unavailable") return "unknown";
  return state === "setup" || state === "maintenance" ? "planned" : "unplanned";
}

function isSilence(signal: SignalView, at: number): boolean {
  return signal.noDataAfterMs !== null && at - signal.sampleAt > signal.noDataAfterMs;
}

/** Whether the spell that is open at an instant is a stop, whatever is counted at that instant. */
function isStop(signal: SignalView, at: number): boolean {
  return at >= stopAt(signal);
}

/** The time at which the open spell becomes a stop: both limits say "longer than". */
function stopAt(signal: SignalView): number {
  const { covered, source } = signal;
  const { stopAfterMs, reportingMs = 0 } = covered ?? signal;
  const lateMs = source === "counts" ? reportingMs : 0;
  return (covered?.at ?? signal.spellAt) + stopAfterMs + lateMs + 1;
}

function isStopped(mode: SignalState["mode"]): mode is "planned" | "unplanned" {
  return mode === "planned" || mode === "unplanned";
}

function beginSpell(signal: SignalState, at: number, { stopAfterMs, reportingMs }: Limits): void {
  signal.spellAt = at;
  signal.stopAfterMs = stopAfterMs;
  signal.reportingMs = reportingMs;
}

function limitsOf({ stopAfterMs, reportingMs }: Rules): Limits {
  return { stopAfterMs, reportingMs: reportingMs ?? 0 };
}

/** How long nothing may be received. The next count may come as late as it is collected, and then covers that time. */
function silenceAfterMs({ noDataAfterMs, reportingMs }: Rules): number | null {
  return noDataAfterMs === null ? null : noDataAfterMs + (reportingMs ?? 0);
}

/** The start of the time that an event covers, as its sender says; null: not said. */
function sinceOf({ at, since }: { at: number; since?: number }): number | null {
  return since === undefined ? null : Math.max(since, at - LONGEST_COVER_MS);
}

/** The start of the time that a count covers; null: it covers none. */
function coveredFrom(since: number | null, at: number, { reportingMs }: Rules): number | null {
  return since ?? (reportingMs ? at - reportingMs : null);
}

/** Ends the gap before a count that covers nothing. */
function endGap(signal: SignalState, at: number, rules: Rules, emit: Emit): void {
  if (signal.covered) closeCovered(signal, signal.covered, emit);
  closeMode(signal, at, emit);
  beginSpell(signal, at, limitsOf(rules));
  signal.isBroken = false;
}

/** Extends the covered time by that of a count: counts of the same instant cover time together. */
function cover(signal: SignalState, count: Covered): void {
  const other = signal.covered ?? { since: count.since, neededMs: 0 };
  const neededMs = count.neededMs === null || other.neededMs === null ? null : count.neededMs + other.neededMs;
  signal.covered = { ...count, since: Math.min(count.since, other.since), neededMs };
  signal.isBroken = false;
}

/** Ends the gap before counts that cover a part of it. */
function closeCovered(signal: SignalState, { at, since, neededMs, ...limits }: Covered, emit: Emit): void {
  addPart(signal, at);
  const knownFrom = Math.max(since, signal.parts[0]?.start ?? at);
  const from = neededMs === null ? knownFrom : Math.max(knownFrom, at - Math.round(neededMs));
  const before = signal.parts.flatMap((part) => {
    const rest = clip(part, part.start, knownFrom);
    return rest ? [{ ...part, ...rest }] : [];
  });
  const last = before.at(-1);
  if (last?.kind === "unplanned") last.end = from;
  else if (knownFrom < from) before.push({ start: knownFrom, end: from, kind: "unplanned" });
  signal.parts = before;
  releaseParts(signal, from - signal.spellAt > signal.stopAfterMs, emit);
  write(signal, { start: from, end: at, kind: "available" }, emit);
  signal.covered = null;
  beginSpell(signal, at, limits);
}

/** Turns the time since the last sample into no data. */
function endSilence(signal: SignalState, at: number, emit: Emit): void {
  const silence: Span = { start: signal.sampleAt, end: at, kind: "noData" };
  if (signal.source === "counts") {
    // The gap between counts continues through the silence, and its whole length decides whether it is a stop.
    addPart(signal, silence.start);
    signal.parts.push(silence);
    const kept = signal.parts[MOST_PARTS / 2];
    if (signal.parts.length >= MOST_PARTS && kept && isStop(signal, kept.start)) {
      for (const part of signal.parts.splice(0, MOST_PARTS / 2)) write(signal, part, emit);
    }
  } else {
    closeMode(signal, silence.start, emit);
    write(signal, silence, emit);
  }
  signal.cursor = at;
}

/** Changes the kind of signal that determines the machine's status. */
function changeSource(signal: SignalState, at: number, rules: Rules, emit: Emit): void {
  closeMode(signal, at, emit);
  signal.source = rules.signal;
  signal.mode = firstMode(rules.signal);
  beginSpell(signal, at, limitsOf(rules));
}

function changeMode(signal: SignalState, mode: SignalState["mode"], at: number, rules: Rules, emit: Emit): void {
  if (mode === signal.mode) return;
  const staysInSpell = isStopped(signal.mode) && isStopped(mode);
  if (staysInSpell) {
    addPart(signal, at);
    if (isStop(signal, at)) releaseParts(signal, true, emit);
  } else {
    closeMode(signal, at, emit);
    beginSpell(signal, at, limitsOf(rules));
  }
  signal.mode = mode;
}

/** Writes the span from the cursor to `at`. */
function closeMode(signal: SignalState, at: number, emit: Emit): void {
  if (isStopped(signal.mode)) {
    closeSpell(signal, at, at - signal.spellAt > signal.stopAfterMs, emit);
    return;
  }
  write(signal, { start: signal.cursor, end: at, kind: signal.mode === "running" ? "available" : "noData" }, emit);
  signal.cursor = at;
}

function closeSpell(signal: SignalState, at: number, stop: boolean, emit: Emit): void {
  // By far the most common case, a count soon after another count, needs no part.
  if (!stop && signal.parts.length === 0) {
    write(signal, { start: signal.cursor, end: at, kind: "available" }, emit);
  } else {
    addPart(signal, at);
    releaseParts(signal, stop, emit);
  }
  signal.cursor = at;
}

function addPart(signal: SignalState, end: number): void {
  if (end > signal.cursor)
    signal.parts.push({ start: signal.cursor, end, kind: signal.mode === "planned" ? "planned" : "unplanned" });
  signal.cursor = end;
}

function releaseParts(signal: SignalState, asStop: boolean, emit: Emit): void {
  for (const part of signal.parts) write(signal, asStop || part.kind === "noData" ? part : { ...part, kind: "available" }, emit);
  signal.parts = [];
}

/** Writes a span. It joins spans of the same kind, but not stops: a count between two of them ended the first. */
function write(signal: SignalState, span: Span, emit: Emit): void {
  if (span.end <= span.start) return;
  const { last } = signal;
  if (last && last.kind === span.kind && (span.kind === "available" || span.kind === "noData")) {
    last.end = span.end;
    return;
  }
  if (last) emit(last);
  signal.last = span;
}
