import { aliasedTable, and, desc, eq, getTableColumns, isNull, type SQL, sql } from "drizzle-orm";
import { takeId } from "../../core/sequence.ts";
import type { CompanyDb } from "../../db/client.ts";
import { ifGiven, ifListed } from "../../db/conditions.ts";
import { isUnchanged } from "../../db/expect.ts";
import { actions, lines, machines, stopCauses, users } from "../../db/schema.ts";
import type { ActionQuery } from "./query.ts";

type ActionValues = typeof actions.$inferSelect;
export type ActionRow = Awaited<ReturnType<typeof selectAction>>[number];

const owners = aliasedTable(users, "owners");
const creators = aliasedTable(users, "creators");
const nameOf = (alias: string, from: SQL, id: SQL) => sql<string | null>`(SELECT name FROM ${from} WHERE id = ${id})`.as(alias);

function selectActionRows(db: CompanyDb) {
  return db
    .select({
      ...getTableColumns(actions),
      generalCauseName: nameOf("general_cause_name", sql`${stopCauses}`, sql`${actions.generalCauseId}`),
      specificCauseName: nameOf("specific_cause_name", sql`${stopCauses}`, sql`${actions.specificCauseId}`),
      machineName: nameOf("machine_name", sql`${machines}`, sql`${actions.machineId}`),
      lineName: nameOf("line_name", sql`${lines}`, sql`${actions.lineId}`),
      ownerName: sql<string | null>`${owners.name}`.as("owner_name"),
      createdByName: sql<string | null>`${creators.name}`.as("creator_name"),
    })
    .from(actions)
    .leftJoin(owners, eq(owners.id, actions.ownerId))
    .leftJoin(creators, eq(creators.id, actions.createdBy));
}

/** The statement that reads an action of a company (undefined: of any). */
export function selectAction(db: CompanyDb, id: number, companyId: number | undefined) {
  return selectActionRows(db).where(and(eq(actions.id, id), ifGiven(actions.companyId, companyId)));
}

/** The statement that reads the actions that match a query, the newest first, one more than its limit. */
export function selectActions(db: CompanyDb, { companyId, states, ownerIds, machineIds, lineIds, cursor, limit }: ActionQuery) {
  return selectActionRows(db)
    .where(
      and(
        ifGiven(actions.companyId, companyId),
        ifListed(sql`+${actions.state}`, states),
        ifListed(sql`+${actions.ownerId}`, ownerIds),
        ifListed(sql`+${actions.machineId}`, machineIds),
        ifListed(sql`+${actions.lineId}`, lineIds),
        cursor && sql`(${actions.createdAt}, ${actions.id}) < (${cursor[0]}, ${cursor[1]})`,
      ),
    )
    .orderBy(desc(actions.createdAt), desc(actions.id))
    .limit(limit + 1);
}

/** The statement that reads a user of a company who may sign in: none or one row. */
export function selectOwner(db: CompanyDb, id: number, companyId: number) {
  return db
    .select({ id: users.id, name: users.name })
    .from(users)
    .where(and(eq(users.id, id), sql`+${users.companyId} = ${companyId}`, eq(users.isActive, true), isNull(users.deletedAt)));
}

const subjects = { machine: machines, line: lines, cause: stopCauses };

/** The statement that reads what an action of a company is about, also if it is deleted: its losses are in the past. */
export function selectSubject(db: CompanyDb, kind: keyof typeof subjects, id: number, companyId: number) {
  const table = subjects[kind];
  return db
    .select({ name: table.name })
    .from(table)
    .where(and(eq(table.id, id), sql`+${table.companyId} = ${companyId}`));
}

/** Condition: the action is unchanged since it was read. */
export function isSameAction(row: Pick<ActionValues, "id" | "updatedAt">): SQL {
  return isUnchanged(actions, row);
}

/** The statement that reserves the id of a new action. */
export function takeActionId(db: CompanyDb) {
  return takeId(db, actions);
}

/** The statement that stores an action. */
export function insertAction(db: CompanyDb, values: ActionValues) {
  return db.insert(actions).values(values);
}

/** The statement that updates columns of an action. */
export function updateAction(db: CompanyDb, id: number, values: Partial<ActionValues>) {
  return db.update(actions).set(values).where(eq(actions.id, id));
}
