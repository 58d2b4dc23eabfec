import { and, desc, eq, getTableColumns, isNull, sql } from "drizzle-orm";
import type { CompanyDb } from "../../db/client.ts";
import { ifBetween, ifGiven, ifListed } from "../../db/conditions.ts";
import { eventWithdrawals, machines } from "../../db/schema.ts";
import type { WithdrawalsQuery } from "./query.ts";

const { revision: _, updatedAt: __, ...own } = getTableColumns(eventWithdrawals);
const columns = {
  ...own,
  machineName: sql<string | null>`(SELECT name FROM machines WHERE id = event_withdrawals.machine_id)`.as("machine_name"),
};

export type WithdrawalRow = Awaited<ReturnType<typeof selectWithdrawalsInOrder>>[number];

/** The statement that reads the withdrawals that match a query, newest first by their time, one more than its limit. */
export function selectWithdrawalsInOrder(
  db: CompanyDb,
  { companyId, machineIds, from, to, includeRestored, cursor, limit }: WithdrawalsQuery,
) {
  const { fromAt, id } = eventWithdrawals;
  return db
    .select(columns)
    .from(eventWithdrawals)
    .where(
      and(
        ifGiven(eventWithdrawals.companyId, companyId),
        ifListed(eventWithdrawals.machineId, machineIds),
        ifBetween(fromAt, from, to),
        includeRestored ? undefined : isNull(eventWithdrawals.restoredAt),
        cursor && sql`(${fromAt}, ${id}) < (${cursor[0]}, ${cursor[1]})`,
      ),
    )
    .orderBy(desc(fromAt), desc(id))
    .limit(limit + 1);
}

/** A withdrawal of a company (undefined: of any); undefined if there is none. */
export function findWithdrawal(db: CompanyDb, id: number, companyId: number | undefined) {
  return db
    .select(columns)
    .from(eventWithdrawals)
    .where(and(eq(eventWithdrawals.id, id), ifGiven(eventWithdrawals.companyId, companyId)))
    .get();
}

/** A machine of a company (undefined: of any), also a deleted one: its past can be put right. */
export function findWithdrawnMachine(db: CompanyDb, machineId: number, companyId: number | undefined) {
  const { id, configVersion } = machines;
  return db
    .select({ id, configVersion })
    .from(machines)
    .where(and(eq(id, machineId), ifGiven(machines.companyId, companyId)))
    .get();
}
