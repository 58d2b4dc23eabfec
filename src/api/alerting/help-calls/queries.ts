import { aliasedTable, and, desc, eq, getTableColumns, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import { takeId } from "../../../core/sequence.ts";
import type { CompanyDb } from "../../../db/client.ts";
import { ifBetween, ifGiven, ifListed, inList } from "../../../db/conditions.ts";
import { isUnchanged } from "../../../db/expect.ts";
import { helpCalls, machines, users } from "../../../db/schema.ts";
import { insertEvents } from "../../../events/queries.ts";
import { isoOf } from "../../../oee/time.ts";
import type { HelpCallQuery } from "./query.ts";

type CallValues = typeof helpCalls.$inferSelect;
export type HelpCallRow = Awaited<ReturnType<typeof selectHelpCall>>[number];

const callers = aliasedTable(users, "callers");
const answerers = aliasedTable(users, "answerers");

function selectCalls(db: CompanyDb) {
  return db
    .select({
      ...getTableColumns(helpCalls),
      machineName: sql<string>`${machines.name}`.as("machine_name"),
      calledByName: sql<string>`coalesce(${helpCalls.calledByName}, ${callers.name})`.as("shown_caller"),
      answeredByName: sql<string | null>`coalesce(${helpCalls.answeredByName}, ${answerers.name})`.as("shown_answerer"),
    })
    .from(helpCalls)
    .innerJoin(machines, eq(machines.id, helpCalls.machineId))
    .leftJoin(callers, eq(callers.id, helpCalls.calledBy))
    .leftJoin(answerers, eq(answerers.id, helpCalls.answeredBy));
}

/** The statement that reads a call of a company (undefined: of any). */
export function selectHelpCall(db: CompanyDb, id: number, companyId: number | undefined) {
  return selectCalls(db).where(and(eq(helpCalls.id, id), ifGiven(helpCalls.companyId, companyId)));
}

/** The statement that reads the calls that match a query, newest first, one more than its limit. */
export function selectHelpCalls(db: CompanyDb, { companyId, machineIds, isOpen, from, to, cursor, limit }: HelpCallQuery) {
  return selectCalls(db)
    .where(
      and(
        ifGiven(helpCalls.companyId, companyId),
        ifListed(helpCalls.machineId, machineIds),
        isOpen === undefined ? undefined : (isOpen ? isNull : isNotNull)(helpCalls.answeredAt),
        ifBetween(helpCalls.createdAt, from, to),
        cursor && sql`(${helpCalls.createdAt}, ${helpCalls.id}) < (${cursor[0]}, ${cursor[1]})`,
      ),
    )
    .orderBy(desc(helpCalls.createdAt), desc(helpCalls.id))
    .limit(limit + 1);
}

/** The statement that reads a machine of a company (undefined: of any). */
export function selectMachine(db: CompanyDb, id: number, companyId: number | undefined) {
  return db
    .select({ companyId: machines.companyId, name: machines.name })
    .from(machines)
    .where(and(eq(machines.id, id), ifGiven(machines.companyId, companyId), isNull(machines.deletedAt)));
}

/** The statement that reads the open call of a machine. */
export function selectOpenCall(db: CompanyDb, machineId: number) {
  return db.select({ id: helpCalls.id, createdAt: helpCalls.createdAt }).from(helpCalls).where(isOpenAt(machineId));
}

/** Condition: the machine is not deleted. */
export function isMachineThere(id: number): SQL {
  return sql`EXISTS (SELECT 1 FROM ${machines} WHERE ${and(eq(machines.id, id), isNull(machines.deletedAt))})`;
}

/** Condition: no call is open at the machine. */
export function hasNoOpenCall(machineId: number): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM ${helpCalls} WHERE ${isOpenAt(machineId)})`;
}

/** Condition: the call is unchanged since it was read. */
export function isSameCall(call: Pick<CallValues, "id" | "updatedAt">): SQL {
  return isUnchanged(helpCalls, call);
}

/** The statement that reserves the id of a new call. */
export function takeCallId(db: CompanyDb) {
  return takeId(db, helpCalls);
}

/** The statement that stores a call. */
export function insertHelpCall(db: CompanyDb, values: CallValues) {
  return db.insert(helpCalls).values(values);
}

/** The statement that stores the `help.called` event. */
export function insertCalledEvent(
  db: CompanyDb,
  { id, companyId, machineId, message, calledBy, calledByName, createdAt }: CallValues,
  now: number,
) {
  const data = {
    ...{ machineId, machineName: null, lineId: null, lineName: null, helpCallId: id, since: isoOf(createdAt) },
    ...{ message, userId: calledBy, userName: calledByName },
  };
  return insertEvents(db, [{ id: `help.called:${id}`, companyId, machineId, type: "help.called", at: createdAt, data }], now);
}

/** The statement that updates columns of a call. */
export function updateHelpCall(db: CompanyDb, id: number, values: Partial<CallValues>) {
  return db.update(helpCalls).set(values).where(eq(helpCalls.id, id));
}

function isOpenAt(machineId: number): SQL | undefined {
  return and(eq(helpCalls.machineId, machineId), isNull(helpCalls.answeredAt));
}

/** The machines of help calls, of each that exists. */
export async function findMachinesOfCalls(db: CompanyDb, ids: readonly string[]): Promise<number[][]> {
  const rows = await db
    .select({ machineId: helpCalls.machineId })
    .from(helpCalls)
    .where(inList(helpCalls.id, ids.map(Number)));
  return rows.map(({ machineId }) => [machineId]);
}
