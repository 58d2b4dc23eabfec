import type { Interval } from "../../oee/time.ts";

/** What a machine did: as in `/v1/timeline`; `U` outside shifts. */
export type SlotStatus = "A" | "N" | "P" | "O" | "D" | "U";

/** Part of a slot from which on a stop is shown. */
const STOPPED_FROM = 0.2;

/** So many equal parts of a period in a row, in which a machine mostly did the same. */
export interface Run {
  status: SlotStatus;
  slots: number;
}

export interface Stretch extends Interval {
  status: SlotStatus;
}

/**
 * A machine's time in equal parts, equal neighbours together: stopped where a stop took a fifth of the part, else what held for most of it. So stops
 * show in a long period, too. Pure.
 * @param stretches without overlap; time between them is outside shifts
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
