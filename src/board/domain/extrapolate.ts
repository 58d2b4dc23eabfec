import type { Row } from "../../client/live-protocol.ts";
import { HOUR_MS, MINUTE_MS } from "./time.ts";

/** The figures of a machine in its running shift, as of an instant: minutes, units. */
export interface Figures {
  availableTime: number;
  unavailableTime: number;
  noDataTime: number;
  lateStartTime: number;
  idealTime: number;
  total: number;
  defects: number;
  target: number;
}

/**
 * The figures of a row, extended to `now` (epoch ms) or the end of its shift: the API's answer at that time if nothing has happened since.
 * Null outside shifts.
 */
export function figuresAt(row: Row, now: number): Figures | null {
  const { asOf, shift, status, availableTime, total, target } = row;
  if (!asOf || !shift || availableTime === null || total === null || target === null) return null;
  const since = Math.max(0, Math.min(now, Date.parse(shift.endTime)) - Date.parse(asOf));
  const minutes = since / MINUTE_MS;
  const isLate = status === "N" && availableTime === 0;
  return {
    availableTime: availableTime + (status === "A" ? minutes : 0),
    unavailableTime: (row.unavailableTime ?? 0) + (status === "N" || status === "P" ? minutes : 0),
    noDataTime: (row.noDataTime ?? 0) + (status === "D" ? minutes : 0),
    lateStartTime: (row.lateStartTime ?? 0) + (isLate ? minutes : 0),
    idealTime: row.idealTime ?? 0,
    total,
    defects: row.defects ?? 0,
    target: target + ((row.targetPerHour ?? 0) * since) / HOUR_MS,
  };
}

/** How a shift goes, by the forecast for its end. Near its target it is neither won nor lost: noise. */
export type Trend = "ahead" | "behind" | "even";

/** From this many percent of the target to all of it, a shift goes as planned. */
export const EVEN_FROM = 97;

/** The forecast for the end of a shift as a share of its target; null without one of them. Extended to `now` like the figures. */
export function forecastShareAt(row: Row, now: number): number | null {
  const ends = endsOf(row, now);
  return ends && ends.targetAtEnd > 0 ? ends.forecast / ends.targetAtEnd : null;
}

/** What the shift will come to, and its target, in units. */
export function endsOf(row: Row, now: number): { forecast: number; targetAtEnd: number } | null {
  const { asOf, shift, status, forecast, targetAtEnd, availableTime, nonProgrammedDowntime } = row;
  // An older service does not have them.
  if (!asOf || !shift || forecast == null || targetAtEnd == null) return null;
  const scheduled = (availableTime ?? 0) + (nonProgrammedDowntime ?? 0);
  const since = Math.max(0, Math.min(now, Date.parse(shift.endTime)) - Date.parse(asOf)) / MINUTE_MS;
  // Each scheduled minute in which nothing is counted slows down what is expected of the rest.
  const slowed = (status === "A" || status === "N") && scheduled > 0 ? scheduled / (scheduled + since) : 1;
  return { forecast: forecast * slowed, targetAtEnd };
}

/**
 * @param share the forecast as a share of the target
 * @param difference to the target of this moment, in units
 */
export function trendOf(share: number | null, difference: number): Trend {
  // As it is shown: in whole percent.
  const percent = Math.round(100 * (share ?? 1));
  // After a change of the standard the two may contradict each other.
  if (percent > 100 && difference > 0) return "ahead";
  return percent < EVEN_FROM && difference < 0 ? "behind" : "even";
}

/** Whether more was made than fits into the running time: its standard, or the time between its reports, is wrong. */
export function isDoubtful({ availableTime, idealTime }: Pick<Figures, "availableTime" | "idealTime">): boolean {
  return idealTime > 1.5 * availableTime && idealTime - availableTime > 10;
}

/** The sums of several machines' figures. */
export function sumOf(all: readonly Figures[]): Figures {
  const sum: Figures = {
    ...{ availableTime: 0, unavailableTime: 0, noDataTime: 0, lateStartTime: 0, idealTime: 0 },
    ...{ total: 0, defects: 0, target: 0 },
  };
  for (const one of all) for (const name of Object.keys(sum) as (keyof Figures)[]) sum[name] += one[name];
  return sum;
}

/** OEE in percent, from minutes and units, never an average of percentages. Null while no time counts. */
export function oeeOf({
  availableTime,
  unavailableTime,
  idealTime,
  total,
  defects,
}: Pick<Figures, "availableTime" | "unavailableTime" | "idealTime" | "total" | "defects">): number | null {
  const counted = availableTime + unavailableTime;
  if (counted <= 0) return null;
  // Availability times effectiveness: both are 0 without available time.
  const made = availableTime > 0 ? idealTime / counted : 0;
  // Rejects alone are units that were made earlier.
  const whenNothingMade = defects > 0 ? 0 : 1;
  const quality = total > 0 ? Math.max(0, (total - defects) / total) : whenNothingMade;
  return 100 * made * quality;
}
