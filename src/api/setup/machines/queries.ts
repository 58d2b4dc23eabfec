import { and, eq, getTableColumns, gte, isNull, sql } from "drizzle-orm";
import { companies, countChannels, countSensors, machines } from "../../../db/schema.ts";
import { isFree, type SetUpTable } from "../queries.ts";

export type MachineRow = typeof machines.$inferSelect;

const { id, companyId, updatedAt, deletedAt, ref } = machines;

export const machineTable: SetUpTable<MachineRow> = {
  ...{ table: machines, id, companyId, updatedAt, deletedAt },
  columns: getTableColumns(machines),
  checks: (next, before) => (next.ref === before?.ref ? [] : [isFree(machineTable, next, ref, next.ref, "/ref")]),
  removal: (before, now) => ({ deletedAt: now, decommissionedAt: Math.min(before.decommissionedAt ?? now, now) }),
  // Its channels are free from now on; counts from before stay its own. Whoever is changing count sensors at the time starts over.
  detach: (db, before, now) => [
    db.delete(countSensors).where(eq(countSensors.machineId, before.id)),
    db
      .delete(countChannels)
      .where(and(eq(countChannels.machineId, before.id), isNull(countChannels.until), gte(countChannels.since, now))),
    db
      .update(countChannels)
      .set({ until: now })
      .where(and(eq(countChannels.machineId, before.id), isNull(countChannels.until))),
    db
      .update(companies)
      .set({ sensorsVersion: sql`${companies.sensorsVersion} + 1` })
      .where(eq(companies.id, before.companyId)),
  ],
  machines: (before) => (before ? [before.id] : []),
};
