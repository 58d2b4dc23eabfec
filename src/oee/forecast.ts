import type { ShiftSums } from "./shift-ledger.ts";
import type { ShiftOccurrence } from "./shifts.ts";
import { MINUTE_MS, without } from "./time.ts";

/** Before this much scheduled time, a single stop would decide the forecast. */
const LEAST_SCHEDULED_MS = 15 * MINUTE_MS;

interface SoFar {
  sums: Pick<ShiftSums, "availableMs" | "nonProgrammedMs">;
  /** Units counted. */
  total: number;
  targetUnits: number;
  /** How much `targetUnits` grows per millisecond at present; 0 in time that is not scheduled. */
  targetPerMs: number;
}

/** What a running shift will come to, in units. */
interface Forecast {
  /** The target of the whole shift; null without a standard, and before scheduled time while none is in force. */
  targetAtEnd: number | null;
  /** The units at its end; null before a quarter of an hour of scheduled time. */
  forecast: number | null;
}

/**
 * What a shift comes to if all time that is left without its planned breaks is scheduled, if the standard stays, and if as many units are made
 * per scheduled time as so far, stops included.
 * @param asOf the instant of the numbers, epoch ms
 */
export function forecastOf({ sums, total, targetUnits, targetPerMs }: SoFar, shift: ShiftOccurrence, asOf: number): Forecast {
  const scheduledMs = sums.availableMs + sums.nonProgrammedMs;
  const rest = { start: Math.min(asOf, shift.end), end: shift.end };
  const restMs = without(rest, shift.breaks).reduce((sum, { start, end }) => sum + end - start, 0);
  // In a break the present growth is none: then the mean so far counts.
  const perMs = targetPerMs > 0 ? targetPerMs : scheduledMs > 0 ? targetUnits / scheduledMs : 0;
  return {
    targetAtEnd: perMs > 0 ? targetUnits + perMs * restMs : null,
    forecast: scheduledMs >= LEAST_SCHEDULED_MS ? total + (total / scheduledMs) * restMs : null,
  };
}
