import { addDays, startOfDay } from "./days.ts";
import { DAY_MS } from "./time.ts";
import { DAY_MINUTES, spanOf, wrapped } from "./week.ts";

// What the first steps of a plant offer: working hours and machines that most plants can begin with, and change later.

const workdays = ["monday", "tuesday", "wednesday", "thursday", "friday"] as const;
const everyDay = [...workdays, "saturday", "sunday"] as const;

/** A shift as it is created, without its name. */
export interface ShiftTemplate {
  name: "day" | "morning" | "afternoon" | "night";
  start: string;
  end: string;
  days: readonly (typeof everyDay)[number][];
  /** Half an hour, or none. */
  breakAt: string | null;
}

const three = (days: ShiftTemplate["days"]): readonly ShiftTemplate[] => [
  { name: "morning", start: "06:00", end: "14:00", days, breakAt: "10:00" },
  { name: "afternoon", start: "14:00", end: "22:00", days, breakAt: "18:00" },
  { name: "night", start: "22:00", end: "06:00", days, breakAt: "02:00" },
];

/** Working hours to choose from. */
export const hoursTemplates = {
  one: [{ name: "day", start: "08:00", end: "16:00", days: workdays, breakAt: "12:00" }],
  two: three(workdays).slice(0, 2),
  three: three(workdays),
  fourCrews: three(everyDay),
  always: [{ name: "day", start: "00:00", end: "00:00", days: everyDay, breakAt: null }],
} as const satisfies Record<string, readonly ShiftTemplate[]>;

export type HoursTemplate = keyof typeof hoursTemplates;

/**
 * Shifts with an edge of one of them at another time. A shift that begins when this one ends, or ends when it begins, follows; a break that would
 * no longer lie within its shift is left out.
 */
export function withEdge(
  shifts: readonly ShiftTemplate[],
  name: ShiftTemplate["name"],
  edge: "start" | "end",
  at: string,
): readonly ShiftTemplate[] {
  const before = shifts.find((one) => one.name === name)?.[edge];
  const opposite = edge === "start" ? "end" : "start";
  return shifts.map((shift) => {
    const moved = shift.name === name ? edge : shift[opposite] === before ? opposite : null;
    return moved === null ? shift : withinShift({ ...shift, [moved]: at });
  });
}

function withinShift(shift: ShiftTemplate): ShiftTemplate {
  if (shift.breakAt === null) return shift;
  const { from, length } = spanOf(shift);
  const rest = spanOf(breakFrom(shift.breakAt));
  const begins = wrapped(rest.from - from, DAY_MINUTES);
  return begins + rest.length <= length ? shift : { ...shift, breakAt: null };
}

/** A break of half an hour that begins at a time such as 12:00. */
export function breakFrom(start: string): { start: string; end: string } {
  return { start, end: start.replace(/00$/, "30") };
}

/** Kinds of machines to choose from. Each brings causes of stops, and after how many seconds without a count a stop begins. */
export const machineKinds = { press: 120, filler: 60, cnc: 600, packing: 120 } as const satisfies Record<string, number>;

export type MachineKind = keyof typeof machineKinds;

/** After how many seconds without a count a machine stands: three pieces must be missing at least. The most that the API takes is a day. */
export function stopAfterSeconds(kind: MachineKind, cycleSeconds: number): number {
  return Math.min(Math.max(machineKinds[kind], Math.ceil(cycleSeconds * 3)), DAY_MS / 1000);
}

/** The reference of a new machine: its name in capital letters, such as PRESS-1. */
export function refOf(name: string): string {
  const plain = name.normalize("NFD").replace(/\p{M}/gu, "").toUpperCase();
  return plain.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "") || "MACHINE";
}

/** Whether the clocks of a zone change on a day: it is longer or shorter than 24 h. */
export function isClockChange(day: string, timeZone: string): boolean {
  return startOfDay(addDays(day, 1), timeZone) - startOfDay(day, timeZone) !== DAY_MS;
}

/** The day on which a time zone next changes its clocks, in the year after `today`; null: there is none. */
export function nextClockChange(timeZone: string, today: string): string | null {
  const days = Array.from({ length: 366 }, (_, i) => addDays(today, i));
  return days.find((day) => isClockChange(day, timeZone)) ?? null;
}
