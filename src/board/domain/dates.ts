// From when and until when a change holds, as people say it.

import { addDays, instantAt, startOfDay } from "./days.ts";
import { clockFrom } from "./typed-times.ts";

/** An instant as it is typed: a day (ISO date), and a time of day. */
export interface TypedInstant {
  day: string;
  clock: string;
}

export interface When {
  isNow: boolean;
  from: TypedInstant;
  /** `next`: each member until the next change of it that is known. */
  until: "next" | "instant" | "all";
  end: TypedInstant;
  reason: string;
}

/** The members of a request that say when it holds. */
export interface Dates {
  effectiveFrom?: string;
  effectiveUntil?: string;
  through?: "all";
  reason?: string;
}

/** `clock`: not a time of day. `skipped`: the clocks are set forward over it. */
export type InstantFault = "clock" | "skipped";

/** The instant (epoch ms) of a day and time in a zone. */
export function instantOf({ day, clock }: TypedInstant, zone: string): { at: number } | { fault: InstantFault } {
  const typed = clockFrom(clock);
  if (typed === null) return { fault: "clock" };
  const within = { start: startOfDay(day, zone) - 1, end: startOfDay(addDays(day, 1), zone) };
  const at = instantAt(typed, within, zone);
  return at === null ? { fault: "skipped" } : { at };
}

/** What a request says of when it holds, and what is wrong with what was typed, by the API's names of the members. */
export function datesOf(when: When, zone: string): { dates: Dates; faults: Map<string, InstantFault> } {
  const faults = new Map<string, InstantFault>();
  const isoOf = (name: string, typed: TypedInstant) => {
    const found = instantOf(typed, zone);
    if ("at" in found) return { [name]: new Date(found.at).toISOString() };
    faults.set(name, found.fault);
    return {};
  };
  const reason = when.reason.trim() === "" ? {} : { reason: when.reason.trim() };
  if (when.isNow) return { dates: reason, faults };
  const dates: Dates = {
    ...isoOf("effectiveFrom", when.from),
    ...(when.until === "instant" && isoOf("effectiveUntil", when.end)),
    ...(when.until === "all" && { through: "all" as const }),
    ...reason,
  };
  return { dates, faults };
}
