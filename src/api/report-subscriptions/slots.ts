import type { Interval } from "../../oee/time.ts";

/** The status of a machine as in `/v1/timeline`; `U` outside shifts. */
export type SlotStatus = "A" | "N" | "P" | "O" | "D" | "U";

/** The share of a slot from which a stop is shown. */
const STOPPED_FROM = 0.2;

/** A number of consecutive equal parts of a period in which a machine mostly had the same status. */
export interface Run {
  status: SlotStatus;
  slots: number;
}

export interface Stretch extends Interval {
  status: SlotStatus;
}

/**
 * A machine's time in equal parts, with equal neighbours joined. A part is stopped if a stop took a fifth of it, else it has the status of most of
 * its time. So stops are visible in a long period, too. Pure.
 * @param stretches do not overlap; the time between them is outside shifts
 */
export function slotsOf({ start, end }: Interval, count: number, stretches: readonly Stretch[]): Run[] {
  const slotMs = (end - start) / count;
  const time = Array.from({ length: count }, () => new Map<SlotStatus, number>());
  for (const stretch of stretches) {
    const first = Math.max(0, Math.floor((stretch.start - start) / slotMs));
    for (let i = first; i < count && start + i * slotMs < stretch.end; i++) {
      const from = Math.max(stretch.start, start + i * slotMs);
      const until = Math.min(stretch.end, start + (i + 1) * slotMs);
      const slot = time[i] as Map<SlotStatus, number>;
      if (until > from) slot.set(stretch.status, (slot.get(stretch.status) ?? 0) + until - from);
    }
  }
  const runs: Run[] = [];
  for (const slot of time) {
    const status = statusOf(slot, slotMs);
    const last = runs.at(-1);
    if (last?.status === status) last.slots++;
    else runs.push({ status, slots: 1 });
  }
  return runs;
}

function statusOf(slot: ReadonlyMap<SlotStatus, number>, slotMs: number): SlotStatus {
  if ((slot.get("N") ?? 0) >= slotMs * STOPPED_FROM) return "N";
  const known = [...slot.values()].reduce((sum, ms) => sum + ms, 0);
  const all: [SlotStatus, number][] = [...slot, ["U", slotMs - known]];
  return all.reduce((most, one) => (one[1] > most[1] ? one : most))[0];
}
