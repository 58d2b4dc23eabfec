import { and, eq, getTableColumns, isNull, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../../db/client.ts";
import { inList } from "../../../db/conditions.ts";
import { alertConditions, alertRules, chatRooms, machines, personas } from "../../../db/schema.ts";
import type { Owner, SetUpTable } from "../queries.ts";

export type AlertRuleRow = typeof alertRules.$inferSelect;

const { id, companyId, updatedAt, deletedAt } = alertRules;

export const alertRuleTable: SetUpTable = {
  ...{ table: alertRules, id, companyId, updatedAt, deletedAt },
  columns: () => getTableColumns(alertRules),
};

/** The lists of a rule that say which machines it is about; of one that is undefined, that of the stored rule counts. */
export interface SentScope {
  machineIds?: readonly number[] | null;
  lineIds?: readonly number[] | null;
}

/**
 * The statement that reads of a company's machines that a rule is about how many there are, and the shortest limits of all of them: null
 * where there is none.
 * @param ruleId the stored rule; undefined: it is new
 */
export function selectConcerned(db: Db, owner: Owner, ruleId: number | string | undefined, sent: SentScope) {
  const listOf = (list: readonly number[] | null | undefined, stored: SQL) => {
    if (list !== undefined) return sql`${list && JSON.stringify(list)}`;
    return sql`(SELECT ${stored} FROM ${alertRules} WHERE ${eq(id, String(ruleId ?? ""))})`;
  };
  const named = listOf(sent.machineIds, sql`${alertRules.machineIds}`);
  const inLines = listOf(sent.lineIds, sql`${alertRules.lineIds}`);
  const isConcerned = sql`((${named} IS NULL AND ${inLines} IS NULL) OR ${machines.id} IN (SELECT value FROM json_each(${named}))
    OR ${machines.lineId} IN (SELECT value FROM json_each(${inLines})))`;
  return db
    .select({
      count: sql<number>`count(*)`.as("machine_count"),
      stopAfterSeconds: sql<number | null>`min(${machines.stopAfterSeconds})`.as("least_stop_after"),
      noDataAfterSeconds: sql<number | null>`min(${machines.noDataAfterSeconds})`.as("least_no_data_after"),
    })
    .from(machines)
    .where(and(eq(machines.companyId, owner), isNull(machines.deletedAt), isConcerned));
}

/** The statement that reads which of these personas a company has. */
export function selectPersonas(db: Db, owner: Owner, ids: readonly string[]) {
  return db
    .select({ id: personas.id })
    .from(personas)
    .where(and(eq(personas.companyId, owner), inList(personas.id, ids)));
}

/** The statement that reads which of these chat rooms a company has. */
export function selectChatRooms(db: Db, owner: Owner, ids: readonly string[]) {
  return db
    .select({ id: chatRooms.id })
    .from(chatRooms)
    .where(and(eq(chatRooms.companyId, owner), isNull(chatRooms.deletedAt), inList(chatRooms.id, ids)));
}

/** The statement that ends what a rule has found and what holds. */
export function endConditionsOf(db: Db, ruleId: string, now: number) {
  return db
    .update(alertConditions)
    .set({ until: now, revision: sql`${alertConditions.revision} + 1`, updatedAt: now })
    .where(and(eq(alertConditions.ruleId, ruleId), isNull(alertConditions.until)));
}
