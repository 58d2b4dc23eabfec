import { companyOf } from "../../core/actor.ts";
import type { Caller } from "../../core/caller.ts";
import { availabilityChanges } from "../../oee/availability.ts";
import { type Interval, isoOf } from "../../oee/time.ts";
import { noMachine } from "./owner.ts";
import { findTimeline } from "./queries.ts";

/** A machine's status at the start of a window, and each status change up to its end or now. */
export async function getAvailability({ db, actor }: Caller, machineId: number, { start, end }: Interval) {
  const window = { start, end: Math.min(end, Date.now()) };
  const timeline = await findTimeline(db, machineId, companyOf(actor), window);
  if (!timeline) throw noMachine(machineId);
  if (window.start >= window.end) return [];
  const changes = availabilityChanges(window, timeline.service, timeline.shifts, timeline.stops);
  return changes.map(({ status, at }) => ({ status, timestamp: isoOf(at) }));
}
