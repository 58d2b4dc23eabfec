import { setUp } from "../../../texts/set-up.ts";
import type { SetUp } from "../plant-data.ts";
import type { CalendarDay } from "./kinds.ts";

const t = setUp.days;

/** For what a calendar day is, in words. */
export function scopeName(day: CalendarDay, { lines, machines }: SetUp): string {
  const nameIn = (all: readonly { id: number; name: string }[], id: number | null) =>
    all.find((one) => one.id === id)?.name ?? String(id);
  if (day.scope === "line") return t.line(nameIn(lines, day.lineId));
  return day.scope === "machine" ? nameIn(machines, day.machineId) : t.plant;
}

/** What holds on a calendar day, in words. */
export function whatText({ closed, shifts }: CalendarDay, plant: SetUp): string {
  if (closed) return t.closed;
  const nameOf = (id: number) => plant.shifts.find((one) => one.id === id)?.name ?? String(id);
  return shifts.map(({ shiftId, start, end }) => `${nameOf(shiftId)} ${start}–${end}`).join(", ");
}
