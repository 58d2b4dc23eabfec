import { and, eq, isNull } from "drizzle-orm";
import type { Db } from "../db/client.ts";
import { inList } from "../db/conditions.ts";
import { chatRooms, companies, messages, personas, reportContents, users } from "../db/schema.ts";

export type MessageRow = typeof messages.$inferSelect;
export type PersonaRow = typeof personas.$inferSelect;
export type ChatRoomRow = typeof chatRooms.$inferSelect;

/** D1 takes 100 parameters per statement. */
const ROWS_PER_STATEMENT = 4;

/** The statements that store messages. Those that are known stay as they are. */
export function insertMessages(db: Db, rows: readonly MessageRow[]) {
  const count = Math.ceil(rows.length / ROWS_PER_STATEMENT);
  return [...Array(count).keys()].map((i) => {
    const part = rows.slice(i * ROWS_PER_STATEMENT, (i + 1) * ROWS_PER_STATEMENT);
    return db.insert(messages).values(part).onConflictDoNothing();
  });
}

/** Those of a company who can be told, and its users with the addresses of the personas, or with these. One trip. */
export async function selectRecipients(
  db: Db,
  companyId: number,
  to: { personaIds: readonly string[]; chatRoomIds: readonly string[]; addresses: readonly string[] },
) {
  const own = and(eq(personas.companyId, companyId), eq(personas.isActive, true), inList(personas.id, to.personaIds));
  const [foundPersonas, rooms, [company], people] = await db.batch([
    db.select().from(personas).where(own),
    db
      .select()
      .from(chatRooms)
      .where(
        and(
          eq(chatRooms.companyId, companyId),
          eq(chatRooms.isActive, true),
          isNull(chatRooms.deletedAt),
          inList(chatRooms.id, to.chatRoomIds),
        ),
      ),
    db.select({ timezone: companies.timezone }).from(companies).where(eq(companies.id, companyId)),
    db
      .select({ id: users.id, email: users.email })
      .from(users)
      .where(and(eq(users.companyId, companyId), eq(users.isActive, true), isNull(users.deletedAt))),
  ]);
  return { personas: foundPersonas, chatRooms: rooms, timezone: company?.timezone ?? "UTC", users: people };
}

/** The statement that reads what a run sends: none or one row. */
export function selectContent(db: Db, logId: string) {
  return db.select({ content: reportContents.content }).from(reportContents).where(eq(reportContents.logId, logId));
}
