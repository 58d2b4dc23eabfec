import { and, eq, getTableColumns, isNull } from "drizzle-orm";
import type { CompanyDb } from "../../../db/client.ts";
import { ifGiven } from "../../../db/conditions.ts";
import { chatRooms } from "../../../db/schema.ts";
import type { SetUpTable } from "../../../resource/queries.ts";

export type ChatRoomRow = typeof chatRooms.$inferSelect;

const { id, companyId, updatedAt, deletedAt } = chatRooms;

export const chatRoomTable: SetUpTable = {
  ...{ table: chatRooms, id, companyId, updatedAt, deletedAt },
  columns: () => getTableColumns(chatRooms),
};

/** The statement that reads a room of a company (undefined: any). */
export function selectRoom(db: CompanyDb, roomId: string, ofCompany: number | undefined) {
  return db
    .select()
    .from(chatRooms)
    .where(and(eq(id, roomId), isNull(deletedAt), ifGiven(companyId, ofCompany)));
}
