import { eq, getTableColumns, sql } from "drizzle-orm";
import { companies, countSensors, machines } from "../../../db/schema.ts";
import { isFree, type SetUpTable } from "../queries.ts";

export type MachineRow = typeof machines.$inferSelect;

const { id, companyId, updatedAt, deletedAt, ref } = machines;

export const machineTable: SetUpTable<MachineRow> = {
  ...{ table: machines, id, companyId, updatedAt, deletedAt },
  columns: getTableColumns(machines),
  checks: (next, before) => (next.ref === before?.ref ? [] : [isFree(machineTable, next, ref, next.ref, "/ref")]),
  removal: (before, now) => ({ deletedAt: now, decommissionedAt: Math.min(before.decommissionedAt ?? now, now) }),
  // Frees its channels. Whoever is changing count sensors at the time starts over.
  detach: (db, before) => [
    db.delete(countSensors).where(eq(countSensors.machineId, before.id)),
    db
      .update(companies)
      .set({ sensorsVersion: sql`${companies.sensorsVersion} + 1` })
      .where(eq(companies.id, before.companyId)),
  ],
  machines: (before) => (before ? [before.id] : []),
};
