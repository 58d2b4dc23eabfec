import { and, eq, getTableColumns, gte, isNull, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { CompanyDb } from "../../../db/client.ts";
import { inList } from "../../../db/conditions.ts";
import { jsonRows } from "../../../db/json-rows.ts";
import { companies, countChannels, countSensors, formerLines, machines } from "../../../db/schema.ts";
import type { SetUpTable } from "../../../resource/queries.ts";

export type MachineRow = typeof machines.$inferSelect;

const { id, companyId, updatedAt, deletedAt } = machines;

export const machineTable: SetUpTable = {
  ...{ table: machines, id, companyId, updatedAt, deletedAt },
  columns: () => getTableColumns(machines),
};

/** The statement after which concurrent changes of count sensors start over. */
function raiseSensorsVersion(db: CompanyDb, { companyId }: MachineRow) {
  return db
    .update(companies)
    .set({ sensorsVersion: sql`${companies.sensorsVersion} + 1` })
    .where(eq(companies.id, companyId));
}

/** The statements that free the channels of a machine from now on. */
export function freeChannels(db: CompanyDb, machine: MachineRow, now: number) {
  const isInForce = and(eq(countChannels.machineId, machine.id), isNull(countChannels.until));
  return [
    db.delete(countSensors).where(eq(countSensors.machineId, machine.id)),
    db.delete(countChannels).where(and(isInForce, gte(countChannels.since, now))),
    db.update(countChannels).set({ until: now }).where(isInForce),
    raiseSensorsVersion(db, machine),
  ];
}

/** The statements that give a machine its channels back that were freed at an instant, apart from those that a machine has now. */
export function takeChannelsBack(db: CompanyDb, machine: MachineRow, { freedAt, now }: { freedAt: number; now: number }) {
  const open = alias(countChannels, "open");
  const isSame = and(
    eq(open.companyId, countChannels.companyId),
    eq(open.nodeId, countChannels.nodeId),
    eq(open.channel, countChannels.channel),
    isNull(open.until),
  );
  const isFree = sql`NOT EXISTS (SELECT 1 FROM ${countChannels} AS open WHERE ${isSame})`;
  const { companyId, nodeId, channel, machineId, type, countingFactor, wrapsAt, isCounted } = countChannels;
  const own = and(eq(machineId, machine.id), eq(countChannels.until, freedAt));
  return [
    db.insert(countChannels).select(
      // In the order of the table's columns.
      sql`SELECT ${companyId}, ${nodeId}, ${channel}, ${now}, NULL, ${machineId}, ${type}, ${countingFactor}, ${wrapsAt}, ${isCounted}
        FROM ${countChannels} WHERE ${own} AND ${isFree}`,
    ),
    db.insert(countSensors).select(
      sql`SELECT ${machineId}, max(${isCounted}), ${now} FROM ${countChannels}
        WHERE ${and(eq(machineId, machine.id), isNull(countChannels.until))} GROUP BY ${machineId}`,
    ),
    raiseSensorsVersion(db, machine),
  ];
}

/** The statement that reads which of these machines have channels. */
export function selectWithChannels(db: CompanyDb, machineIds: readonly number[]) {
  const isOne = inList(countChannels.machineId, machineIds);
  return db
    .selectDistinct({ id: countChannels.machineId })
    .from(countChannels)
    .where(and(isOne, isNull(countChannels.until)));
}

/** Condition: none of these machines has channels. */
export function haveNoChannels(machineIds: readonly number[]) {
  const isOne = and(inList(countChannels.machineId, machineIds), isNull(countChannels.until));
  return sql`NOT EXISTS (SELECT 1 FROM ${countChannels} WHERE ${isOne})`;
}

/** The statement that notes that machines leave their lines. */
export function leaveLines(db: CompanyDb, rows: readonly (typeof formerLines.$inferInsert)[]) {
  return db.insert(formerLines).select(jsonRows(formerLines, rows)).onConflictDoNothing();
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
