import type { SignalConfig } from "../config/signal.ts";
import type { Reading } from "../sources/source.ts";
import { type CounterState, counted, readCounter } from "./counter.ts";
import { type EdgeState, readEdge } from "./edge.ts";
import { noPace } from "./plausible.ts";
import { type MachineState, stateOf } from "./states.ts";
import { levelOf, numberOf } from "./value.ts";

/** What an event says, without its machine and its id. */
export type EventDraft = { at: number; since: number | null } & (
  | { kind: "cycle" | "total" | "good" | "defect" | "rework"; value: number }
  | { kind: "state"; state: MachineState }
  | { kind: "sku"; skuId: string; workOrderId: string | null }
  | { kind: "heartbeat" }
);

/** What is known of a signal: plain data, which is stored as JSON. */
export interface SignalState {
  counter?: CounterState;
  edge?: EdgeState;
  /** The newest value of a state, a SKU or an order, and when it was so. */
  text?: { at: number; value: string };
  /** The newest value that could not be read: said once. */
  bad?: string;
}

/** A value that makes no event. `draft`: what it would be, if people say that it is right. */
export interface Refused {
  code: "unreadable" | "implausible" | "unknown_state";
  message: string;
  draft: EventDraft | null;
}

export interface SignalResult {
  state: SignalState;
  event: EventDraft | null;
  refused: Refused | null;
  /** Whether the value changed anything but the time of the newest reading. */
  isNews: boolean;
}

/** The longest SKU, order or value of a state. */
const LONGEST_TEXT = 128;

/**
 * What one reading of a signal means after the readings before. The events of SKUs and orders are made of the states of both signals, by
 * `productOf`. Null: the reading is older than the newest one, and says nothing new.
 * @param isAfterStart whether it is the first reading of the signal since the bridge started
 */
export function readSignal(
  config: SignalConfig,
  known: SignalState,
  reading: Reading & { at: number },
  isAfterStart: boolean,
): SignalResult | null {
  const { kind } = config;
  if (kind === "state" || kind === "sku" || kind === "order") return readText(config, kind, known, reading, isAfterStart);
  const result =
    config.reading === "edge" ? readContact(config, known, reading) : readCount(config, known, reading, isAfterStart);
  return result && { ...result, isNews: result.isNews || result.event !== null || result.refused !== null };
}

function readCount(config: SignalConfig, known: SignalState, reading: Reading & { at: number }, isAfterStart: boolean) {
  const value = numberOf(reading.value);
  const isTooHigh = config.width !== undefined && value !== null && value >= 2n ** BigInt(config.width);
  if (value === null || value < 0) return unreadable(known, reading, "is no number of 0 or more");
  if (isTooHigh && config.reading === "cumulative") return unreadable(known, reading, `does not fit into ${config.width} bits`);
  const { at, isRepeated = false } = reading;
  if (config.reading === "cumulative") {
    const result = readCounter(config, known.counter ?? null, { value, at, isRepeated }, isAfterStart);
    return result && countedResult(config, known, result, at);
  }
  if (isRepeated) return null;
  // The first value may be of any time before: a minute is what its plausibility is measured by.
  const before = known.counter ?? { at: at - 60_000, last: "", rest: 0, pace: noPace, interval: 0 };
  const since = { ...before, at: Math.min(before.at, at) };
  const result = counted(config, since, { raw: value, at, how: "", last: "" }, false);
  return countedResult(config, known, { ...result, since: null }, at);
}

function readContact(config: SignalConfig, known: SignalState, reading: Reading & { at: number }) {
  const level = levelOf(reading.value);
  if (level === null) return unreadable(known, reading, "is neither 0 nor 1");
  const { at, isRepeated = false } = reading;
  const result = readEdge(config, known.edge ?? null, { level, at, isRepeated });
  if (result === null) return null;
  const isNews = known.edge?.level !== level || known.edge.roseAt !== result.state.roseAt;
  const next: SignalState = { ...withoutBad(known), edge: result.state };
  if (result.pulseAt === null) return { state: next, event: null, refused: null, isNews };
  const before = known.counter ?? { at: result.pulseAt - 60_000, last: "", rest: 0, pace: noPace, interval: 0 };
  const pulse = counted(config, before, { raw: 1n, at: result.pulseAt, how: "", last: "" }, false);
  return countedResult(config, next, { ...pulse, since: null }, result.pulseAt);
}

function countedResult(
  { kind }: SignalConfig,
  known: SignalState,
  { state, pulses, since, fault }: ReturnType<typeof counted>,
  at: number,
) {
  const next: SignalState = { ...withoutBad(known), counter: state };
  const isNews = known.counter?.last !== state.last || known.counter.rest !== state.rest;
  if (pulses === 0) return { state: next, event: null, refused: null, isNews };
  const draft: EventDraft = { kind: kind as "total", value: pulses, at, since };
  if (fault === null) return { state: next, event: draft, refused: null, isNews };
  return { state: next, event: null, refused: { code: "implausible" as const, message: fault, draft }, isNews };
}

function readText(
  config: SignalConfig,
  kind: "state" | "sku" | "order",
  known: SignalState,
  reading: Reading & { at: number },
  isAfterStart: boolean,
): SignalResult | null {
  const { at } = reading;
  const value = typeof reading.value === "boolean" ? String(Number(reading.value)) : String(reading.value).trim();
  if (known.text && at < known.text.at) return null;
  if (value.length > LONGEST_TEXT) return unreadable(known, reading, `is longer than ${LONGEST_TEXT} characters`);
  const isNews = known.text?.value !== value;
  const state: SignalState = { ...withoutBad(known), text: { at, value } };
  if (kind !== "state") return { state, event: null, refused: null, isNews };
  const meant = stateOf(config, value);
  if (meant === null) return unreadable(known, reading, "is none of the states of the configuration", "unknown_state");
  // What it was while the bridge was not there is unknown: its state is said again.
  const isChange = isAfterStart || !known.text || stateOf(config, known.text.value) !== meant;
  return { state, event: isChange ? { kind: "state", state: meant, at, since: null } : null, refused: null, isNews };
}

/** When the newest reading of a signal was. */
export function newestOf({ counter, edge, text }: SignalState): number {
  return Math.max(counter?.at ?? 0, edge?.at ?? 0, text?.at ?? 0);
}

/** The event of the product in work after a SKU or an order has changed; null: no SKU is known. An empty order is none. */
export function productOf(sku: SignalState, order: SignalState | null): EventDraft | null {
  if (!sku.text?.value) return null;
  const at = Math.max(sku.text.at, order?.text?.at ?? 0);
  return { kind: "sku", skuId: sku.text.value, workOrderId: order?.text?.value || null, at, since: null };
}

/** A state signal whose source says that it has no value: what it has next is news. */
export function unavailableState(at: number): SignalState {
  return { text: { at, value: "" } };
}

function unreadable(
  known: SignalState,
  { value }: Reading,
  what: string,
  code: "unreadable" | "unknown_state" = "unreadable",
): SignalResult {
  const bad = String(value).slice(0, LONGEST_TEXT);
  const isNews = known.bad !== bad;
  const refused = isNews ? { code, message: `${JSON.stringify(bad)} ${what}`, draft: null } : null;
  return { state: { ...known, bad }, event: null, refused, isNews };
}

function withoutBad({ bad: _, ...state }: SignalState): SignalState {
  return state;
}
