import type { SignalConfig } from "../config/signal.ts";
import { noPace, type Pace, take } from "./plausible.ts";
import { difference } from "./value.ts";

/** What is known of a counter: plain data, which is stored as JSON. */
export interface CounterState {
  at: number;
  /** The total that it showed, in decimal digits. */
  last: string;
  /** The part of a pulse that is not counted yet. */
  rest: number;
  pace: Pace;
  /** How long there usually is between two readings, ms; 0: unknown. */
  interval: number;
}

export interface Counted {
  state: CounterState;
  /** Whole pulses since the reading before. */
  pulses: number;
  /** The time of the reading before, if it is longer ago than usual. */
  since: number | null;
  /** Why the pulses cannot have been made. */
  fault: string | null;
}

/** What is plausible for a counter of which nobody says how fast it may be; only to decide whether it wrapped. */
const FASTEST_PER_MINUTE = 6000;
/** The most pulses of one event. */
const MOST_PULSES = 1_000_000_000;

/**
 * Reads a running total. The first reading counts nothing. If the total went down, the counter wrapped if that is plausible in the time since,
 * else it was reset, and made what it shows (`on_reset`). What is implausible is counted by nobody, and the next readings start from it.
 */
export function readCounter(
  config: SignalConfig,
  known: CounterState | null,
  { value, at, isRepeated }: { value: bigint | number; at: number; isRepeated: boolean },
  isAfterStart: boolean,
): Counted | null {
  if (known === null)
    return {
      state: { at, last: String(value), rest: 0, pace: noPace, interval: 0 },
      pulses: 0,
      since: null,
      fault: null,
    };
  const elapsed = at - known.at;
  const last = /^-?\d+$/.test(known.last) ? BigInt(known.last) : Number(known.last);
  const made = difference(value, last);
  // A reading from before the newest one, or a message that comes again: what it shows is counted already.
  if (elapsed < 0 || (isRepeated && made < 0)) return null;
  const { raw, how } = made >= 0 ? { raw: made, how: "" } : decreased(config, last, value, elapsed);
  return counted(config, known, { raw, at, how, last: String(value) }, isAfterStart);
}

/** What a counter made whose total went down. */
function decreased(config: SignalConfig, last: bigint | number, value: bigint | number, elapsedMs: number) {
  const { width, scale, max_per_minute, on_reset } = config;
  if (width !== undefined) {
    const size = 2n ** BigInt(width);
    const wrapped = difference(typeof value === "bigint" ? value + size : Number(value) + Number(size), last);
    const perMinute = max_per_minute ?? FASTEST_PER_MINUTE;
    const most = (perMinute * elapsedMs) / 60_000 + 1;
    const limit = max_per_minute === undefined ? Math.min(most, (Number(size) * scale) / 2) : most;
    if (Number(wrapped) * scale <= limit) return { raw: wrapped, how: "" };
  }
  return { raw: on_reset === "count-new" ? value : 0n, how: ` after the total went down from ${last} to ${value}` };
}

/** Makes whole pulses of what was made, and checks whether that is plausible. Delta and edge signals use it, too: they have no `last`. */
export function counted(
  config: SignalConfig,
  known: CounterState,
  { raw, at, how, last }: { raw: bigint | number; at: number; how: string; last: string },
  isAfterStart: boolean,
): Counted {
  const elapsed = at - known.at;
  // Rounded, so that no error of binary fractions adds up.
  const exact = Math.round((Number(raw) * config.scale + known.rest) * 1e9) / 1e9;
  const pulses = Math.floor(exact);
  const limit = config.max_per_minute;
  const { isPlausible, pace } =
    limit === undefined ? { isPlausible: true, pace: known.pace } : take(known.pace, pulses, elapsed, limit);
  const isPause = isAfterStart || (known.interval > 0 && elapsed > 3 * known.interval);
  const state = { at, last, rest: exact - pulses, pace, interval: intervalAfter(known.interval, elapsed) };
  const since = isPause && elapsed > 0 ? known.at : null;
  if (pulses > MOST_PULSES) return { state, pulses, since, fault: `${pulses} pulses${how} are more than one event can have` };
  const fault = isPlausible ? null : `${pulses} pulses in ${elapsed / 1000} s${how} are more than ${limit} a minute`;
  return { state, pulses, since, fault };
}

function intervalAfter(interval: number, elapsed: number): number {
  if (interval === 0) return elapsed;
  return Math.min(interval * 0.8 + elapsed * 0.2, interval * 1.5);
}
