import { maxOf } from "./extremes.ts";
import { MINUTE_MS } from "./time.ts";

// How the minutes of a shift were used, from its length to the time that good output takes at standard speed.

/** The times of a shift, or of its elapsed part, in ms. Every ms of `length` is in exactly one of the next five. */
export interface ShiftUse {
  length: number;
  noData: number;
  other: number;
  programmed: number;
  nonProgrammed: number;
  available: number;
  /** Cycles times their standards. */
  ideal: number;
  /** The part of the ideal time that was spent on rejected units. */
  defects: number;
  /** Whether any cycle had a standard. Without one, the losses by speed and quality are unknown. */
  hasStandard: boolean;
}

/** The length of a shift in ms so far, which its segments cover: from its start, or from the commissioning if that is in the shift. */
export function shiftLength(explained: {
  shift: { startTime: string };
  asOf: string;
  segments: readonly { startTime: string }[];
}): number {
  return Date.parse(explained.asOf) - Date.parse(explained.segments[0]?.startTime ?? explained.shift.startTime);
}

export const waterfallKeys = [
  "shift",
  "noData",
  "outside",
  "planned",
  "stops",
  "slow",
  "fast",
  "quality",
  "good",
  "running",
] as const;
export type WaterfallKey = (typeof waterfallKeys)[number];

/** A bar from `from` to `to` on the scale of minutes. `minutes`: its length, negative for a loss. */
export interface WaterfallBar {
  key: WaterfallKey;
  kind: "whole" | "loss" | "gain" | "rest";
  minutes: number;
  from: number;
  to: number;
}

/** The bars of a shift, in order. Each begins where the one before ends, and the last is the rest. */
export function waterfallOf(times: ShiftUse): WaterfallBar[] {
  const bars: WaterfallBar[] = [];
  const minutes = (ms: number) => ms / MINUTE_MS;
  let level = times.length;
  const whole = (key: WaterfallKey, kind: "whole" | "rest") =>
    bars.push({ key, kind, minutes: minutes(level), from: 0, to: minutes(level) });
  const change = (key: WaterfallKey, ms: number) => {
    const next = level + ms;
    const [from, to] = ms < 0 ? [next, level] : [level, next];
    bars.push({ key, kind: ms > 0 ? "gain" : "loss", minutes: minutes(ms), from: minutes(from), to: minutes(to) });
    level = next;
  };
  whole("shift", "whole");
  change("noData", -times.noData);
  change("outside", -times.other);
  change("planned", -times.programmed);
  change("stops", -times.nonProgrammed);
  if (!times.hasStandard) {
    whole("running", "rest");
    return bars;
  }
  // Faster than standard: the production exceeds the standard of the running time.
  if (times.ideal > times.available) change("fast", times.ideal - times.available);
  else change("slow", times.ideal - times.available);
  change("quality", -times.defects);
  whole("good", "rest");
  return bars;
}

/** The end of the scale: the largest end of any bar. */
export function scaleEnd(bars: readonly WaterfallBar[]): number {
  return maxOf([1, ...bars.map(({ to }) => to)]);
}
