import { getTableColumns, type SQL, sql } from "drizzle-orm";
import { shifts } from "../../../db/schema.ts";
import { machineTable } from "../machines/queries.ts";
import { areThere, type SetUpCheck, type SetUpTable } from "../queries.ts";
import { dayMinutes, lengthMinutes, minuteOfDay, weekMinutes } from "./shift-clock.ts";

export type ShiftRow = typeof shifts.$inferSelect;

const { id, companyId, updatedAt, deletedAt } = shifts;

export const shiftTable: SetUpTable<ShiftRow> = {
  ...{ table: shifts, id, companyId, updatedAt, deletedAt },
  columns: getTableColumns(shifts),
  checks(next, before) {
    const known = before?.machineIds ?? [];
    const ids = (next.machineIds ?? []).map((machineId) => (known.includes(machineId) ? null : machineId));
    const named = ids.flatMap((machineId, index) => (machineId === null ? [] : { machineId, index }));
    const wanted = named.map(({ machineId }) => machineId);
    return [areThere(machineTable, next.companyId, wanted, (i) => `/machineIds/${named[i]?.index}`), isAlone(next)];
  },
  machines(before, next) {
    const lists = [before, next].flatMap((row) => (row ? [row.machineIds] : []));
    return lists.includes(null) ? "all" : lists.flatMap((ids) => ids ?? []);
  },
};

/** Checks that no other shift of the same machines runs at the same time of the week. */
function isAlone(next: ShiftRow): SetUpCheck {
  const starts = JSON.stringify(next.days.map((day) => (day - 1) * dayMinutes + minuteOfDay(next.start)));
  const machineIds = next.machineIds && JSON.stringify(next.machineIds);
  const minuteOf = (clock: SQL) => sql`(substr(${clock}, 1, 2) * 60 + substr(${clock}, 4, 2))`;
  const start = minuteOf(sql`shift.start`);
  return {
    status: 409,
    finds: sql`SELECT other.name FROM json_each(${starts}) AS mine, (
        SELECT shift.name, (day.value - 1) * ${dayMinutes} + ${start} AS start,
          (${minuteOf(sql`shift.end`)} - ${start} + ${dayMinutes} - 1) % ${dayMinutes} + 1 AS length
        FROM ${shifts} AS shift, json_each(shift.days) AS day
        WHERE shift.company_id = ${next.companyId} AND shift.id <> ${next.id} AND shift.deleted_at IS NULL
          AND (shift.machine_ids IS NULL OR ${machineIds} IS NULL OR EXISTS (SELECT 1 FROM json_each(shift.machine_ids) AS theirs
            WHERE theirs.value IN (SELECT value FROM json_each(${machineIds}))))
      ) AS other
      WHERE (other.start - mine.value + ${weekMinutes}) % ${weekMinutes} < ${lengthMinutes(next)}
        OR (mine.value - other.start + ${weekMinutes}) % ${weekMinutes} < other.length LIMIT 1`,
    fault: (name) => ({ pointer: "/start", code: "overlap", message: `the shift would overlap ${name} on the same machines` }),
  };
}
