// From when and until when a change holds, as people say it.

import { type InstantFault, instantOf, type TypedInstant } from "./days.ts";
import { iso } from "./time.ts";

export interface When {
  isNow: boolean;
  from: TypedInstant;
  /** `next`: each member until the next change of it that is known. */
  until: "next" | "instant" | "all";
  end: TypedInstant;
  reason: string;
}

/** What a form has at first: from now on, and if another instant is chosen, from the start of today. */
export function fromNowOn(today: string): When {
  const start = { day: today, clock: "00:00" };
  return { isNow: true, from: start, until: "next", end: start, reason: "" };
}

/** The members of a request that say when it holds. */
export interface Dates {
  effectiveFrom?: string;
  effectiveUntil?: string;
  through?: "all";
  reason?: string;
}

/** What a request says of when it holds, and what is wrong with what was typed, by the API's names of the members. */
export function datesOf(when: When, zone: string): { dates: Dates; faults: Map<string, InstantFault> } {
  const faults = new Map<string, InstantFault>();
  const isoOf = (name: string, typed: TypedInstant) => {
    const found = instantOf(typed, zone);
    if ("at" in found) return { [name]: iso(found.at) };
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
