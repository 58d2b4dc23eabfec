import { and, eq, getTableColumns, isNull, sql } from "drizzle-orm";
import type { Db } from "../../../db/client.ts";
import { ifGiven } from "../../../db/conditions.ts";
import { alertRules, chatRooms } from "../../../db/schema.ts";
import type { Condition, SetUpTable } from "../queries.ts";

export type ChatRoomRow = typeof chatRooms.$inferSelect;

const { id, companyId, updatedAt, deletedAt } = chatRooms;

export const chatRoomTable: SetUpTable = {
  ...{ table: chatRooms, id, companyId, updatedAt, deletedAt },
  columns: () => getTableColumns(chatRooms),
};

const rulesOf = (roomId: number | string | undefined) => sql`
  SELECT ${alertRules.name} AS name
  FROM ${alertRules}, json_each(${alertRules.levels}) AS one_level, json_each(one_level.value, '$.chatRoomIds') AS told
  WHERE ${alertRules.deletedAt} IS NULL AND told.value = ${roomId ?? null}
    AND ${alertRules.companyId} = (SELECT ${companyId} FROM ${chatRooms} WHERE ${id} = ${roomId ?? null})`;

/** The statement that reads an alert rule that names the room: none or one row. */
export function selectRoomRule(db: Db, roomId: number | string | undefined) {
  return db
    .select({ name: sql<string>`rules.name`.as("rule_name") })
    .from(sql`(${rulesOf(roomId)}) AS rules`)
    .limit(1);
}

/** Condition: no alert rule names the room. */
export function hasNoRule(roomId: string): Condition {
  return sql`NOT EXISTS (${rulesOf(roomId)})`;
}

/** The statement that reads a room of a company (undefined: any). */
export function selectRoom(db: Db, roomId: string, ofCompany: number | undefined) {
  return db
    .select()
    .from(chatRooms)
    .where(and(eq(id, roomId), isNull(deletedAt), ifGiven(companyId, ofCompany)));
}
