import type { ShiftOccurrence } from "../../src/oee/shifts.ts";
import { type Interval, MINUTE_MS, SECOND_MS } from "../../src/oee/time.ts";
import { seededRandom } from "../random.ts";
import type { Behaviour } from "./plant.ts";

/** Why a machine does not run for a while. */
export type Reason =
  | "lateStart"
  | "earlyStop"
  | "break"
  | "changeover"
  | "maintenance"
  | "breakdown"
  | "jam"
  | "microStop"
  | "offline";

/** A time without running. */
export interface Standstill extends Interval {
  reason: Reason;
}

/** The events of a machine in one shift. `speed` is the share of the standard speed at which it runs. */
export interface ShiftScript {
  standstills: Standstill[];
  speed: number;
}

// How often per shift, and how long: minutes, from and to.
const mishaps: { reason: Reason; atMost: number; minutes: [number, number]; isRareAndLong: boolean }[] = [
  { reason: "maintenance", atMost: 0.25, minutes: [15, 35], isRareAndLong: false },
  { reason: "breakdown", atMost: 1.4, minutes: [3, 40], isRareAndLong: true },
  { reason: "offline", atMost: 0.15, minutes: [6, 12], isRareAndLong: false },
  { reason: "jam", atMost: 6, minutes: [2.5, 8], isRareAndLong: true },
  { reason: "microStop", atMost: 14, minutes: [0.6, 1.6], isRareAndLong: false },
];

/** Standstills and speed of a machine in a shift: always the same for the same shift. Nights are worse. */
export function scriptShift(
  machine: { id: number; signal: "counts" | "states"; behaviour: Behaviour },
  shift: ShiftOccurrence,
  isNight: boolean,
  hasChangeover: boolean,
): ShiftScript {
  const random = seededRandom("shift", machine.id, shift.start);
  const between = (from: number, to: number) => from + random() * (to - from);
  const trouble = machine.behaviour.trouble * (isNight ? 1.35 : 1);
  const standstills: Standstill[] = [];
  // A second standstill on top of another one, or adjacent to it, would add nothing.
  const add = (reason: Reason, from: number, lengthMs: number) => {
    const start = Math.round(from);
    const end = Math.min(shift.end, Math.round(from + lengthMs));
    const isFree = standstills.every((other) => end + 2 * MINUTE_MS < other.start || other.end + 2 * MINUTE_MS < start);
    if (isFree && start >= shift.start) standstills.push({ reason, start, end });
  };

  add("lateStart", shift.start, between(1, isNight ? 10 : 7) * MINUTE_MS);
  const earlyMs = between(1, isNight ? 9 : 6) * MINUTE_MS;
  add("earlyStop", shift.end - earlyMs, earlyMs);
  for (const pause of shift.breaks) {
    const late = between(0, 60) * SECOND_MS;
    if (random() < 0.9) add("break", pause.start + late, pause.end - pause.start - late + between(0, 3) * MINUTE_MS);
  }
  const free = () => between(shift.start, shift.end);
  if (hasChangeover) add("changeover", free(), between(12, 28) * MINUTE_MS);
  for (const { reason, atMost, minutes, isRareAndLong } of mishaps) {
    if (reason === "offline" && machine.signal === "counts") continue;
    const times = Math.floor(between(0.3, 1) * atMost * trouble + random());
    for (let i = 0; i < times; i++) {
      const share = isRareAndLong ? random() ** 2 : random();
      add(reason, free(), (minutes[0] + share * (minutes[1] - minutes[0])) * MINUTE_MS);
    }
  }
  standstills.sort((a, b) => a.start - b.start);
  return { standstills, speed: machine.behaviour.speed * between(0.94, 1.02) * (isNight ? 0.96 : 1) };
}
