import { and, desc, eq, getTableColumns, gt, gte, lt, sql } from "drizzle-orm";
import type { CompanyDb } from "../../../db/client.ts";
import { ifGiven, ifListed } from "../../../db/conditions.ts";
import { heldEntries, machines } from "../../../db/schema.ts";
import { DAY_MS } from "../../../oee/time.ts";
import type { HeldQuery } from "./query.ts";

export type HeldEntryRow = Awaited<ReturnType<typeof selectEntriesInOrder>>[number];

/** The statement that reads the entries that match a query, newest day first, one more than its limit. */
export function selectEntriesInOrder(db: CompanyDb, { companyId, machineIds, from, to, cursor, limit }: HeldQuery) {
  return selectEntries(db)
    .where(
      and(
        ifGiven(heldEntries.companyId, companyId),
        ifListed(heldEntries.machineId, machineIds),
        // By day as well, so that only the rows of these days are read.
        from === undefined ? undefined : and(gt(heldEntries.day, from - DAY_MS), gte(heldEntries.lastAt, from)),
        to === undefined ? undefined : and(lt(heldEntries.day, to), lt(heldEntries.firstAt, to)),
        cursor && sql`(${heldEntries.day}, ${heldEntries.id}) < (${cursor[0]}, ${cursor[1]})`,
      ),
    )
    .orderBy(desc(heldEntries.day), desc(heldEntries.id))
    .limit(limit + 1);
}

/** An entry of a company (undefined: of any); undefined if there is none. */
export function findEntry(db: CompanyDb, id: number, companyId: number | undefined) {
  return selectEntries(db)
    .where(and(eq(heldEntries.id, id), ifGiven(heldEntries.companyId, companyId)))
    .get();
}

/** A machine of a company (undefined: of any), deleted or not; undefined if there is none. */
export function findMachine(db: CompanyDb, id: number, companyId: number | undefined) {
  return db
    .select({ configVersion: machines.configVersion })
    .from(machines)
    .where(and(eq(machines.id, id), ifGiven(machines.companyId, companyId)))
    .get();
}

function selectEntries(db: CompanyDb) {
  return db
    .select({ ...getTableColumns(heldEntries), machineName: sql<string>`${machines.name}`.as("machine_name") })
    .from(heldEntries)
    .innerJoin(machines, eq(machines.id, heldEntries.machineId));
}
