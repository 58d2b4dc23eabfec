import { addDays, startOfDay } from "./days.ts";
import { DAY_MS } from "./time.ts";

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

/** A break of half an hour that begins at a time such as 12:00. */
export function breakFrom(start: string): { start: string; end: string } {
  return { start, end: start.replace(/00$/, "30") };
}

/** A part of a shift in one column of a week's picture: hours since midnight. */
export interface Bar {
  /** 0..6 from Monday. */
  column: number;
  from: number;
  to: number;
  isBreak: boolean;
}

/** The bars of shifts in a week. What goes on after midnight is in the next column; that of Sunday in Monday's. */
export function barsOf(shifts: readonly ShiftTemplate[]): Bar[] {
  const hourOf = (clock: string) => Number(clock.slice(0, 2)) + Number(clock.slice(3)) / 60;
  const within = (column: number, from: number, to: number, isBreak: boolean): Bar[] => {
    const end = Math.min(to, 24);
    return [
      ...(from < 24 ? [{ column, from, to: end, isBreak }] : []),
      ...(to > 24 ? [{ column: (column + 1) % 7, from: Math.max(from - 24, 0), to: to - 24, isBreak }] : []),
    ];
  };
  return shifts.flatMap(({ start, end, days, breakAt }) =>
    days.flatMap((day) => {
      const [from, to] = [hourOf(start), hourOf(end)];
      const column = everyDay.indexOf(day);
      const pause = breakAt === null ? null : hourOf(breakAt) + (hourOf(breakAt) < from ? 24 : 0);
      return [
        ...within(column, from, to <= from ? to + 24 : to, false),
        ...(pause === null ? [] : within(column, pause, pause + 0.5, true)),
      ];
    }),
  );
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

/** The day on which a time zone next changes its clocks, in the year after `today`; null: there is none. Such a day is longer or shorter than 24 h. */
export function nextClockChange(timeZone: string, today: string): string | null {
  const days = Array.from({ length: 366 }, (_, i) => addDays(today, i));
  const isChanged = (day: string) => startOfDay(addDays(day, 1), timeZone) - startOfDay(day, timeZone) !== DAY_MS;
  return days.find(isChanged) ?? null;
}
