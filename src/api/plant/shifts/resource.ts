import { z } from "@hono/zod-openapi";
import { distinct, idParameter, nameText } from "../../../core/inputs.ts";
import { weekdays } from "../../../oee/time.ts";
import { companyIdMember, type Resource, setUpAccess, stampMembers, stampsOf } from "../../../resource/resource.ts";
import { breaks, clock, planned, sentBreaks } from "./members.ts";
import { type ShiftRow, shiftTable, shiftVersions } from "./queries.ts";
import { removeShift, restoreShift, storeShift } from "./rules.ts";

const name = nameText(100).openapi({ example: "Morning" });
const days = distinct(z.enum(weekdays))
  .max(7)
  .openapi({ description: "Days on which it starts. Empty: only on calendar days that name it" });
const dayNumbers = days.transform((names) => names.map((day) => weekdays.indexOf(day) + 1).sort());
const machineIds = distinct(z.int().min(1)).min(1).nullable().openapi({ description: "Null: every machine of the company" });
const own = {
  name,
  start: clock("", "06:00"),
  end: clock("; before the start: on the next day; equal to the start: 24 h later", "14:00"),
};

export const shifts: Resource<ShiftRow> = {
  names: { type: "Shift", types: "Shifts", noun: "shift", nouns: "shifts" },
  path: "/v1/shifts",
  description: `Shifts of a machine must not overlap. Until a machine's first event, its shifts apply from its commissioning on, whatever the order of
set-up. After that, a change applies from the next occurrence: the running shift keeps its start, end and breaks even if it is deleted, and closed shifts
keep their numbers. Other times on some dates, also for the running shift, are calendar days. If the first shift of a live machine is created while it runs, it counts from its start.`,
  access: { ...setUpAccess, machines: { get: "company" } },
  table: shiftTable,
  members: {
    id: idParameter,
    item: z
      .object({ id: z.int(), companyId: companyIdMember, ...own, days, breaks: breaks(planned), machineIds, ...stampMembers })
      .openapi("Shift"),
    create: z.object({ ...own, days: dayNumbers, breaks: sentBreaks.default([]), machineIds: machineIds.default(null) }),
    change: z.object({ ...own, days: dayNumbers, breaks: sentBreaks, machineIds }).partial(),
    example: {
      name: "Morning",
      start: "06:00",
      end: "14:00",
      days: ["monday", "tuesday", "wednesday", "thursday", "friday"],
      breaks: [{ name: "Lunch", start: "10:00", end: "10:30" }],
    },
  },
  shape: {
    item(row) {
      const { id, companyId, name, start, end, breaks, machineIds } = row;
      const days = row.days.map((day) => weekdays[day - 1]);
      return { id, companyId, name, start, end, days, breaks, machineIds, ...stampsOf(row) };
    },
  },
  versioned: shiftVersions,
  inSetUp: ({ id, start, end, days, breaks, machineIds }) => ({ shift: { id, start, end, days, breaks, machineIds } }),
  watched: "set-up",
  rules: { store: storeShift, remove: removeShift, restore: restoreShift },
};
