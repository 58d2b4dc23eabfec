import type { Counts } from "./tally.ts";

/** USD that a machine may cost in a month, by the name of its scenario. */
export const dollarBounds: Record<string, number> = {
  "10-s counts": 0.4,
  "10-s counts, watched": 0.8,
  "60-s counts": 0.15,
  idle: 0.01,
};

/** What a short run may count, by the name of its scenario. What costs money only goes down: tighten a bound when it does. */
export const countBounds: Record<string, Partial<Counts>> = {};
