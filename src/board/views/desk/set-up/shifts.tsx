import type { ApiSchema } from "../../../data/api.ts";
import { weekdays } from "../../../domain/days.ts";
import { clockOf, minutesOf } from "../../../domain/week.ts";
import { setUp } from "../../../texts/set-up.ts";
import { workingHours } from "../../../texts/working-hours.ts";
import { useDesk } from "../desk-state.ts";
import { weekdayText } from "./field-input.tsx";
import { itemFields, type ResourceKind, ResourcePage, textColumn } from "./resource-page.tsx";

const t = workingHours.shifts;
type Shift = ApiSchema<"Shift">;

/** The shifts of the plant: new ones, their names, and those that are not needed any more. What numbers depend on is changed in the week. */
export function Shifts() {
  const { weekStart } = useDesk().setUp;
  const [sunday = "", ...others] = weekdays;
  return <ResourcePage kind={kindOf(weekStart === "monday" ? [...others, sunday] : weekdays)} />;
}

function kindOf(ordered: readonly string[]): ResourceKind<Shift> {
  return {
    path: "/v1/shifts",
    texts: t,
    nameOf: ({ name }) => name,
    columns: [
      textColumn(t.name, ({ name }) => name),
      { name: t.times, cell: ({ start, end }) => `${start}–${end}`, sortBy: ({ start }) => start },
      { name: t.days, cell: ({ days }) => daysText(days, ordered) },
      {
        name: t.machines,
        cell: ({ machineIds }) => (machineIds === null ? setUp.allMachines : t.machineCount(machineIds.length)),
      },
    ],
    permission: "set-up:write",
    form: (shift) => (shift ? nameFields(shift.name) : newFields(ordered)),
  };
}

function daysText(days: readonly string[], ordered: readonly string[]): string {
  if (days.length === ordered.length) return t.everyDay;
  return days.length === 0
    ? t.byCalendar
    : ordered
        .filter((day) => days.includes(day))
        .map(weekdayText)
        .join(" ");
}

const nameField = { kind: "text", label: t.name, maxLength: 100 } as const;

function nameFields(name: string) {
  return itemFields({
    fields: { name: nameField },
    initial: { name },
    body: (draft, refuse) => {
      if (draft.name.trim() === "") refuse("name", setUp.faults.required);
      return { name: draft.name.trim() };
    },
  });
}

function newFields(ordered: readonly string[]) {
  return itemFields({
    fields: {
      name: nameField,
      start: { kind: "text", label: t.start },
      end: { kind: "text", label: t.end },
      days: {
        kind: "several",
        label: t.days,
        options: ordered.map((day) => ({ value: day, label: weekdayText(day) })),
        all: t.everyDay,
      },
    },
    initial: { name: "", start: "06:00", end: "14:00", days: weekdays.slice(1, 6) },
    body: ({ name, start, end, days }, refuse) => {
      if (name.trim() === "") refuse("name", setUp.faults.required);
      const [from, to] = [minutesOf(start), minutesOf(end)];
      if (from === null) refuse("start", setUp.faults.clock);
      if (to === null) refuse("end", setUp.faults.clock);
      return { name: name.trim(), start: clockOf(from ?? 0), end: clockOf(to ?? 0), days };
    },
  });
}
