import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { CompanyDb } from "./client.ts";
import { machines, recalculations } from "./schema.ts";

// Which numbers are being recalculated: those of a machine and a time. Nearly always there are none.

/** The times that machines recalculate, as JSON, for a statement that reads rows as well. Undefined: of all companies. */
export function recalculatedTimes(companyId: number | undefined): SQL {
  const isOwn = companyId === undefined ? sql`true` : sql`${machines.companyId} = ${companyId}`;
  return sql`(SELECT json_group_array(json_array(id, recalculating_from, recalculating_to)) FROM ${machines}
    WHERE ${isOwn} AND recalculating_from IS NOT NULL)`;
}

/** The statement that reads them alone. */
export function selectRecalculatedTimes(db: CompanyDb, companyId: number) {
  return db.select({ times: recalculatedTimes(companyId).as("times") }).from(sql`(SELECT 1)`);
}

/** A machine and a time: from its start until before its end (epoch ms). */
interface MachineTime {
  machineId: number;
  start: number;
  end: number;
}

type Times = readonly [machineId: number, from: number, to: number][];

/**
 * Whether any number of a machine and a time is being recalculated.
 * @param read the value of `recalculatedTimes`
 */
export function isRecalculatedBy(read: unknown): (time: MachineTime) => boolean {
  const times: Times = JSON.parse(String(read));
  return ({ machineId, start, end }) => times.some(([id, from, to]) => id === machineId && from < end && start <= to);
}

/**
 * Whether any number of some machines (undefined: of any) and a time is being recalculated.
 * @param read the result of `selectRecalculatedTimes`
 */
export function areRecalculated(
  read: readonly { times: unknown }[],
  { start, end }: { start: number; end: number },
  machineIds: readonly number[] | undefined,
): boolean {
  const times: Times = JSON.parse(String(read[0]?.times ?? "[]"));
  return times.some(([id, from, to]) => (machineIds?.includes(id) ?? true) && from < end && start <= to);
}

/** The statement that ends a recalculation that was asked for, if all of its machines have ended. */
export function endRecalculation(db: CompanyDb, id: number, now: number) {
  const isOver = sql`NOT EXISTS (SELECT 1 FROM recalculation_machines WHERE recalculation_id = ${id} AND state NOT IN ('done', 'failed'))`;
  return db
    .update(recalculations)
    .set({ endedAt: now })
    .where(and(eq(recalculations.id, id), isNull(recalculations.endedAt), isOver));
}
