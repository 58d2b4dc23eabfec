// Where the minutes of a shift went, from its length to what good output took at standard speed.

/** Of a shift or the part of it that is over, in ms. Every ms of `length` is in exactly one of the next five. */
export interface ShiftTimes {
  length: number;
  noData: number;
  other: number;
  programmed: number;
  nonProgrammed: number;
  available: number;
  /** Cycles times their standards. */
  ideal: number;
  /** The part of it that made what was rejected. */
  defects: number;
  /** Whether any cycle had a standard: without one nobody knows what was lost by speed and quality. */
  hasStandard: boolean;
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

/** A bar from `from` to `to` on the scale of minutes. `minutes`: what it takes away (negative) or is. */
export interface WaterfallBar {
  key: WaterfallKey;
  kind: "whole" | "loss" | "gain" | "rest";
  minutes: number;
  from: number;
  to: number;
}

/** The bars of a shift, in order: each begins where the one before ends, and the last is what is left. */
export function waterfallOf(times: ShiftTimes): WaterfallBar[] {
  const bars: WaterfallBar[] = [];
  const minutes = (ms: number) => ms / 60_000;
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
  // Faster than standard: more was made than the running time is good for.
  if (times.ideal > times.available) change("fast", times.ideal - times.available);
  else change("slow", times.ideal - times.available);
  change("quality", -times.defects);
  whole("good", "rest");
  return bars;
}

/** The end of the scale: no bar is longer. */
export function scaleEnd(bars: readonly WaterfallBar[]): number {
  return Math.max(1, ...bars.map(({ to }) => to));
}
