import { getTableColumns, sql } from "drizzle-orm";
import type { CompanyDb } from "../../../db/client.ts";
import { shifts } from "../../../db/schema.ts";
import type { Condition, Owner, SetUpTable } from "../../../resource/queries.ts";

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

/** Condition: the company has exactly these shifts, each unchanged since it was read. */
export function areAllShifts(ofCompany: number, known: readonly ShiftRow[]): Condition {
  const versions = known.toSorted((a, b) => a.id - b.id).map((shift) => [shift.id, shift.updatedAt]);
  return sql`(SELECT json_group_array(json_array(${id}, ${updatedAt}) ORDER BY ${id}) FROM ${shifts}
    WHERE ${isShiftOf(sql`${ofCompany}`)}) = ${JSON.stringify(versions)}`;
}

function isShiftOf(ofCompany: Owner) {
  return sql`${companyId} = ${ofCompany} AND ${deletedAt} IS NULL`;
}
