import { z } from "@hono/zod-openapi";
import { answerText } from "../../../core/answer-text.ts";
import { idParameter } from "../../../core/inputs.ts";
import { calendarScopes } from "../../../db/values.ts";
import { companyIdMember, type Resource, setUpAccess, stampMembers, stampsOf } from "../../../resource/resource.ts";
import { breaks, clock, planned, sentBreaks } from "../shifts/members.ts";
import { type CalendarDayRow, calendarDayTable } from "./queries.ts";
import { removeDay, restoreDay, storeDay } from "./rules.ts";

const MOST_SHIFTS = 10;

const id = z.int().min(1);
const date = z.iso
  .date()
  .refine((text) => text >= "1970-01-01" && text < "2200-01-01", "must be between 1970-01-01 and 2199-12-31")
  .openapi({ description: "The day in the company's time zone on which its shifts start", example: "2026-12-24" });
const scope = z
  .enum(calendarScopes)
  .openapi({ description: "A day of a machine replaces that of its line, and that of a line the company's" });
const times = {
  shiftId: id.openapi({ description: "A shift of the company, also one without weekdays" }),
  start: clock("", "06:00"),
  end: clock("; before the start: on the next day; equal to the start: 24 h later", "12:00"),
};
const sentShift = z.object({ ...times, breaks: sentBreaks.optional() });
const closed = z.literal(true).openapi({ description: "No shift starts on this day" });
const sentShifts = z.array(sentShift).min(1).max(MOST_SHIFTS).openapi({
  description:
    "All shifts that start on this day, in place of those of its weekday. Breaks that are left out are those of the shift that lie inside",
});
const shownShifts = z.array(z.object({ ...times, breaks: breaks(planned) })).openapi({ description: "Empty: it is closed" });

export const calendarDays: Resource<CalendarDayRow> = {
  names: { type: "CalendarDay", types: "CalendarDays", noun: "calendar day", nouns: "calendar days" },
  path: "/v1/calendar-days",
  description: `Days that are closed, or have other shifts than their weekday: for the company, a line or a machine. A calendar day holds whenever it is entered: it changes
a future day, today with the running shift, or a past day, whose shifts are then computed again. Shifts of the company that run at some machines only do so here, too, unless the day
is one of a machine. Where two shifts overlap across midnight, the one that starts later takes over at its start. A company, line or machine has at most 400 days.`,
  access: setUpAccess,
  table: calendarDayTable,
  members: {
    id: idParameter,
    item: z
      .object({
        ...{ id: z.int(), companyId: companyIdMember, date: answerText, scope },
        lineId: z.int().nullable(),
        machineId: z.int().nullable(),
        closed: z.boolean(),
        shifts: shownShifts,
        ...stampMembers,
      })
      .openapi("CalendarDay"),
    create: z.object({
      ...{ date, scope },
      lineId: id.nullable().default(null).openapi({ description: "Required for the scope `line`" }),
      machineId: id.nullable().default(null).openapi({ description: "Required for the scope `machine`" }),
      closed: closed.optional(),
      shifts: sentShifts.optional(),
    }),
    change: z.object({ closed, shifts: sentShifts }).partial(),
    example: { date: "2026-12-24", scope: "company", shifts: [{ shiftId: 1, start: "06:00", end: "12:00" }] },
  },
  shape: {
    item(row) {
      const { id, companyId, date, scope, lineId, machineId } = row;
      const shifts = row.shifts.map(({ id: shiftId, start, end, breaks }) => ({ shiftId, start, end, breaks }));
      return { id, companyId, date, scope, lineId, machineId, closed: shifts.length === 0, shifts, ...stampsOf(row) };
    },
  },
  inSetUp: ({ id, date, lineId, machineId, shifts, deletedAt }) => ({
    day: { id, date, lineId, machineId, shifts: deletedAt === null ? shifts : null },
  }),
  watched: "set-up",
  rules: { store: storeDay, remove: removeDay, restore: restoreDay },
};
