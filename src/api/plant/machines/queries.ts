import { and, eq, getTableColumns, gte, isNull, sql } from "drizzle-orm";
import type { CompanyDb } from "../../../db/client.ts";
import { companies, countChannels, countSensors, formerLines, machines } from "../../../db/schema.ts";
import type { SetUpTable } from "../../../resource/queries.ts";

export type MachineRow = typeof machines.$inferSelect;

const { id, companyId, updatedAt, deletedAt } = machines;

export const machineTable: SetUpTable = {
  ...{ table: machines, id, companyId, updatedAt, deletedAt },
  columns: () => getTableColumns(machines),
};

/** The statements that free the channels of a machine from now on. Raising the version makes concurrent sensor changes start over. */
export function freeChannels(db: CompanyDb, machine: MachineRow, now: number) {
  const isInForce = and(eq(countChannels.machineId, machine.id), isNull(countChannels.until));
  return [
    db.delete(countSensors).where(eq(countSensors.machineId, machine.id)),
    db.delete(countChannels).where(and(isInForce, gte(countChannels.since, now))),
    db.update(countChannels).set({ until: now }).where(isInForce),
    db
      .update(companies)
      .set({ sensorsVersion: sql`${companies.sensorsVersion} + 1` })
      .where(eq(companies.id, machine.companyId)),
  ];
}

/** The statements that note that a machine leaves its line; none if it stays, or was in none. */
export function leaveLine(db: CompanyDb, { id: machineId, lineId }: MachineRow, nextLineId: number | null) {
  if (lineId === null || lineId === nextLineId) return [];
  return [db.insert(formerLines).values({ lineId, machineId }).onConflictDoNothing()];
}

/** The statements that note that a machine was in its line. */
export function wasInLine(db: CompanyDb, machine: MachineRow) {
  return leaveLine(db, machine, null);
}
