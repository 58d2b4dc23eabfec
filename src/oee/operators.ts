import type { Presence } from "./machine.ts";
import type { SettingsHistory } from "./settings.ts";
import type { Segment } from "./shift-ledger.ts";
import type { ShiftOccurrence } from "./shifts.ts";
import { clip, type Interval, without } from "./time.ts";

/** An operator's time at a machine in one shift, in ms. */
export interface OperatorTime {
  operatorId: number;
  /** Available time while signed in. */
  uptimeMs: number;
  /** Unavailable time (programmed or not) while signed in. */
  downtimeMs: number;
}

/**
 * The time of each operator in a shift, by id: operators signed in by event and, while nobody is signed in, planned operators. An operator
 * who signs in at the very end is in the list with zeros.
 * @param segments of the shift, from its start or the commissioning up to now, in order
 * @param presences that overlap the shift; an open one ends at infinity
 */
export function operatorTimes(
  occurrence: ShiftOccurrence,
  segments: readonly Segment[],
  presences: readonly Presence[],
  history: SettingsHistory,
): OperatorTime[] {
  const inService = { start: segments[0]?.start ?? occurrence.start, end: occurrence.end };
  const now = segments.at(-1)?.end ?? occurrence.start;
  const byOperator = new Map<number, Interval[]>();
  const add = (operatorId: number, interval: Interval) => {
    const known = byOperator.get(operatorId) ?? [];
    // An operator who is planned twice counts once.
    byOperator.set(operatorId, [...known, ...without(interval, known)].sort(byStart));
  };
  for (const presence of presences) {
    const part = clip(presence, occurrence.start, occurrence.end);
    if (part) add(presence.operatorId, part);
  }
  const alone = without(inService, presences.toSorted(byStart));
  for (const { operatorId, ...planned } of plannedTimes(occurrence, history)) {
    for (const interval of alone) {
      const part = clip(interval, planned.start, planned.end);
      if (part && part.start <= now) add(operatorId, part);
    }
  }
  return [...byOperator]
    .map(([operatorId, times]) => ({ operatorId, ...timeIn(segments, times) }))
    .sort((a, b) => a.operatorId - b.operatorId);
}

/** The times in a shift for which operators were planned on it, each plan only while its settings were in force. */
function plannedTimes({ shiftId, start, end }: ShiftOccurrence, history: SettingsHistory): Presence[] {
  return history.flatMap(({ since, plan }, i) => {
    const from = i === 0 ? start : since;
    const inForce = clip({ start: from, end: history[i + 1]?.since ?? end }, start, end);
    if (!inForce) return [];
    return plan.flatMap((planned) => {
      const part = planned.shiftId === shiftId ? clip(inForce, planned.since, planned.until) : null;
      return part ? [{ operatorId: planned.operatorId, ...part }] : [];
    });
  });
}

function timeIn(segments: readonly Segment[], times: readonly Interval[]): { uptimeMs: number; downtimeMs: number } {
  const sums = { uptimeMs: 0, downtimeMs: 0 };
  for (const { bucket, ...segment } of segments) {
    for (const { start, end } of times) {
      const part = clip(segment, start, end);
      if (!part) continue;
      if (bucket === "available") sums.uptimeMs += part.end - part.start;
      else if (bucket === "programmed" || bucket === "nonProgrammed") sums.downtimeMs += part.end - part.start;
    }
  }
  return sums;
}

function byStart(a: Interval, b: Interval): number {
  return a.start - b.start;
}
