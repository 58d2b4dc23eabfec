import { and, desc, eq, getTableColumns, gte, lt, sql } from "drizzle-orm";
import type { CompanyDb } from "../../../db/client.ts";
import { ifGiven, ifListed } from "../../../db/conditions.ts";
import { machines, orphanedEdits, users } from "../../../db/schema.ts";
import type { OrphanedEditsQuery } from "./query.ts";

export type OrphanedEditRow = Awaited<ReturnType<typeof selectOrphanedEditsInOrder>>[number];

/** The statement that reads the orphaned edits that match a query, of the latest stops first, one more than its limit. */
export function selectOrphanedEditsInOrder(
  db: CompanyDb,
  { companyId, machineIds, from, to, cursor, limit }: OrphanedEditsQuery,
) {
  return db
    .select({
      ...getTableColumns(orphanedEdits),
      machineName: sql<string>`${machines.name}`.as("machine_name"),
      userName: sql<string | null>`${users.name}`.as("user_name"),
    })
    .from(orphanedEdits)
    .innerJoin(machines, eq(machines.id, orphanedEdits.machineId))
    .leftJoin(users, eq(users.id, orphanedEdits.userId))
    .where(
      and(
        ifGiven(orphanedEdits.companyId, companyId),
        ifListed(orphanedEdits.machineId, machineIds),
        from === undefined ? undefined : gte(orphanedEdits.startAt, from),
        to === undefined ? undefined : lt(orphanedEdits.startAt, to),
        cursor && sql`(${orphanedEdits.startAt}, ${orphanedEdits.id}) < (${cursor[0]}, ${cursor[1]})`,
      ),
    )
    .orderBy(desc(orphanedEdits.startAt), desc(orphanedEdits.id))
    .limit(limit + 1);
}
