import { and, eq, getTableColumns, gt, isNull, or, sql } from "drizzle-orm";
import type { CompanyDb } from "../../../db/client.ts";
import { columnsByIndex } from "../../../db/conditions.ts";
import { setUpVersions, shifts } from "../../../db/schema.ts";
import { weekdays } from "../../../oee/time.ts";
import type { StoredVersion } from "../../../resource/item-versions.ts";
import type { Condition, Owner, SetUpTable } from "../../../resource/queries.ts";
import { versionedMembers, versionsOfItem } from "../../../resource/versions.ts";

export type ShiftRow = typeof shifts.$inferSelect;

const { id, companyId, updatedAt, deletedAt } = shifts;

export const shiftTable: SetUpTable = {
  ...{ table: shifts, id, companyId, updatedAt, deletedAt },
  columns: () => getTableColumns(shifts),
};

/** The statement that reads a company's shifts. */
export function selectShifts(db: CompanyDb, ofCompany: Owner) {
  return db.select().from(shifts).where(isShiftOf(ofCompany));
}

/** The members of shifts whose versions are kept. */
export const shiftVersions = [
  versionedMembers("shift", ({ start, end, days, breaks, machineIds }: ShiftRow) => ({ start, end, days, breaks, machineIds }), {
    shownOf: ({ days, ...body }) => ({ ...body, days: days.map((day) => weekdays[day - 1]) }),
  }),
];

/**
 * The statement that reads those versions of a company's shifts that may hold from an instant on, or from now on if some shift has one that is yet to begin
 * or end: without such versions, the rows say everything.
 */
export function selectPlannedShifts(db: CompanyDb, ofCompany: Owner, since = Number.POSITIVE_INFINITY) {
  const now = Math.min(Date.now(), since);
  const isOfShift = and(
    eq(setUpVersions.companyId, ofCompany),
    eq(setUpVersions.kind, "shift"),
    isNull(setUpVersions.withdrawnAt),
  );
  const hasPlanned = sql`EXISTS (SELECT 1 FROM ${setUpVersions} AS planned WHERE planned.company_id = ${ofCompany}
    AND planned.kind = 'shift' AND (planned.due_at IS NOT NULL OR ${Number.isFinite(since) ? 1 : 0}))`;
  return db
    .select(columnsByIndex(getTableColumns(setUpVersions)))
    .from(versionsOfItem)
    .where(and(isOfShift, or(isNull(setUpVersions.validUntil), gt(setUpVersions.validUntil, now)), hasPlanned))
    .limit(MOST_PLANNED);
}

const MOST_PLANNED = 5000;

/** Condition: nobody has planned a version of a shift of the company since these were read, nor withdrawn one. */
export function areAllPlanned(ofCompany: number, planned: readonly StoredVersion[]): Condition {
  const known = planned.filter(({ dueAt }) => dueAt !== null).map(({ id: version }) => version);
  return sql`(SELECT coalesce(sum(${setUpVersions.id}), 0) FROM ${versionsOfItem} WHERE ${setUpVersions.companyId} = ${ofCompany}
    AND ${setUpVersions.kind} = 'shift' AND ${setUpVersions.dueAt} IS NOT NULL) = ${known.reduce((sum, one) => sum + one, 0)}`;
}

/** Condition: the company has exactly these shifts, each unchanged since it was read. */
export function areAllShifts(ofCompany: number, known: readonly ShiftRow[]): Condition {
  const versions = known.toSorted((a, b) => a.id - b.id).map((shift) => [shift.id, shift.updatedAt]);
  return sql`(SELECT json_group_array(json_array(${id}, ${updatedAt}) ORDER BY ${id}) FROM ${shifts}
    WHERE ${isShiftOf(sql`${ofCompany}`)}) = ${JSON.stringify(versions)}`;
}

function isShiftOf(ofCompany: Owner) {
  return sql`${companyId} = ${ofCompany} AND ${deletedAt} IS NULL`;
}
