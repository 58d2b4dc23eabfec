import type { MachineEvent } from "./events.ts";
import { minOf } from "./extremes.ts";
import type { DeepReadonly } from "./read-only.ts";
import type { Settings } from "./settings.ts";
import type { Interval } from "./time.ts";

/** A span of time as derived from the signals alone, before breaks, manual stops and shifts. */
export interface Span extends Interval {
  kind: "available" | "noData" | "planned" | "unplanned";
}

/**
 * The signal reducer's state: plain data, which can be saved as JSON and continued at any event.
 * A *spell* is time without running. Whether it is a stop or a micro-stop is known once it has lasted longer than
 * `stopAfterMs` or has ended. Until then its parts are held back.
 * A gap is judged by the limits in force when it began, so changed settings do not affect the past.
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
  parts: Span[];
  /** The last span, held back because it may still grow. */
  last: Span | null;
}

/** A read-only view of the state. */
export type SignalView = DeepReadonly<SignalState>;

type Emit = (span: Span) => void;
type Rules = Pick<Settings, "signal" | "stopAfterMs" | "noDataAfterMs">;

/** The state of a machine without events. */
export function startSignal(rules: Rules, commissionedAt: number): SignalState {
  return {
    source: rules.signal,
    sampleAt: commissionedAt,
    noDataAfterMs: rules.noDataAfterMs,
    mode: firstMode(rules.signal),
    cursor: commissionedAt,
    spellAt: commissionedAt,
    stopAfterMs: rules.stopAfterMs,
    parts: [],
    last: null,
  };
}

/** Adds an event to the state, which it changes, and emits the spans that became certain, in order and without gaps. */
export function advanceSignal(signal: SignalState, event: MachineEvent, rules: Rules, emit: Emit): void {
  if (event.kind === "operator" || event.kind === "sku" || event.kind === "cut") return;
  const { at } = event;
  if (isSilence(signal, at)) {
    endSilence(signal, at, emit);
    if (signal.source === "states") beginSpell(signal, at, rules);
  }
  signal.sampleAt = at;
  signal.noDataAfterMs = rules.noDataAfterMs;
  if (signal.source !== rules.signal) changeSource(signal, at, rules, emit);
  if (signal.source === "counts") {
    if (event.kind !== "count") return;
    closeMode(signal, at, emit);
    beginSpell(signal, at, rules);
    return;
  }
  if (event.kind === "state") changeMode(signal, modeOf(event.state), at, rules, emit);
  if (!isStopped(signal.mode)) closeMode(signal, at, emit);
}

/** Emits the remaining spans up to `until`, as of then. The state must not be used afterwards: pass a copy to continue. */
export function finishSignal(signal: SignalState, until: number, emit: Emit): void {
  if (isSilence(signal, until)) endSilence(signal, until, emit);
  closeMode(signal, until, emit);
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
export function unsettledFrom(signal: SignalView): number {
  return signal.parts[0]?.start ?? signal.cursor;
}

/** The time up to which no later event can change the spans. An open stop is certain: it can only grow. */
export function certainTo(signal: SignalView): number {
  return isStopped(signal.mode) && isStop(signal, signal.sampleAt) ? signal.sampleAt : unsettledFrom(signal);
}

/** The next instant after `now` at which silence alone turns into a stop or no data; null when neither can. */
export function nextThreshold(signal: SignalView, now: number): number | null {
  // Both rules say "longer than": a gap of exactly the limit is within it.
  const thresholds = [
    isStopped(signal.mode) ? signal.spellAt + signal.stopAfterMs + 1 : null,
    signal.noDataAfterMs === null ? null : signal.sampleAt + signal.noDataAfterMs + 1,
  ].filter((at): at is number => at !== null && at > now);
  return thresholds.length > 0 ? minOf(thresholds) : null;
}

function firstMode(source: Settings["signal"]): SignalState["mode"] {
  return source === "counts" ? "unplanned" : "unknown";
}

function modeOf(state: (MachineEvent & { kind: "state" })["state"]): SignalState["mode"] {
  if (state === "running") return "running";
  if (state === "unavailable") return "unknown";
  return state === "setup" || state === "maintenance" ? "planned" : "unplanned";
}

function isSilence(signal: SignalView, at: number): boolean {
  return signal.noDataAfterMs !== null && at - signal.sampleAt > signal.noDataAfterMs;
}

function isStop(signal: SignalView, at: number): boolean {
  return at - signal.spellAt > signal.stopAfterMs;
}

function isStopped(mode: SignalState["mode"]): mode is "planned" | "unplanned" {
  return mode === "planned" || mode === "unplanned";
}

function beginSpell(signal: SignalState, at: number, rules: Rules): void {
  signal.spellAt = at;
  signal.stopAfterMs = rules.stopAfterMs;
}

/** Turns the time since the last sample into no data. */
function endSilence(signal: SignalState, at: number, emit: Emit): void {
  const silence: Span = { start: signal.sampleAt, end: at, kind: "noData" };
  if (signal.source === "counts") {
    // The gap between counts continues through the silence, and its whole length decides whether it is a stop.
    addPart(signal, silence.start);
    signal.parts.push(silence);
    if (isStop(signal, at)) releaseParts(signal, true, emit);
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
  beginSpell(signal, at, rules);
}

function changeMode(signal: SignalState, mode: SignalState["mode"], at: number, rules: Rules, emit: Emit): void {
  if (mode === signal.mode) return;
  const staysInSpell = isStopped(signal.mode) && isStopped(mode);
  if (staysInSpell) {
    addPart(signal, at);
    if (isStop(signal, at)) releaseParts(signal, true, emit);
  } else {
    closeMode(signal, at, emit);
    beginSpell(signal, at, rules);
  }
  signal.mode = mode;
}

/** Writes the span from the cursor to `at`. */
function closeMode(signal: SignalState, at: number, emit: Emit): void {
  if (isStopped(signal.mode)) {
    closeSpell(signal, at, emit);
    return;
  }
  write(signal, { start: signal.cursor, end: at, kind: signal.mode === "running" ? "available" : "noData" }, emit);
  signal.cursor = at;
}

function closeSpell(signal: SignalState, at: number, emit: Emit): void {
  const stop = isStop(signal, at);
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
