import { and, eq, isNotNull, isNull, lte, type SQL, sql } from "drizzle-orm";
import type { Db } from "../db/client.ts";
import { inList } from "../db/conditions.ts";
import { chatRooms, companies, messages, notifications, personas, reportContents, users } from "../db/schema.ts";
import { foldedKinds } from "./texts/kinds.ts";

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

// Whoever is named by an id is found by it: the unary plus keeps the company from being looked through.

/** Those of a company who can be told, and its users with the addresses of the personas, or with these. One trip. */
export async function selectRecipients(
  db: Db,
  companyId: number,
  to: { personaIds: readonly string[]; chatRoomIds: readonly string[]; addresses: readonly string[] },
) {
  const own = and(sql`+${personas.companyId} = ${companyId}`, eq(personas.isActive, true), inList(personas.id, to.personaIds));
  const [foundPersonas, rooms, [company], people] = await db.batch([
    db.select().from(personas).where(own),
    db
      .select()
      .from(chatRooms)
      .where(
        and(
          sql`+${chatRooms.companyId} = ${companyId}`,
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

/** Stores a notification of a user; one with this id stays as it is. */
export async function insertNotification(
  db: Db,
  notification: { id: string; userId: number; title: string; body: string },
): Promise<void> {
  await db
    .insert(notifications)
    .values({ ...notification, readAt: null, createdAt: Date.now() })
    .onConflictDoNothing();
}

/** Takes a push contact away from a persona. */
export async function removePushContact(db: Db, personaId: string, contactId: string): Promise<void> {
  await db
    .update(personas)
    .set({
      push: sql`(SELECT json_group_array(json(one.value)) FROM json_each(${personas.push}) AS one WHERE one.value ->> 'id' <> ${contactId})`,
      updatedAt: sql`max(${Date.now()}, ${personas.updatedAt} + 1)`,
    })
    .where(eq(personas.id, personaId));
}

const isPending = (companyId: number, now: number) =>
  and(eq(messages.companyId, companyId), eq(messages.status, "pending"), lte(messages.nextAttemptAt, now));

/**
 * Takes up to `limit` messages of a company that are due, so that nobody else takes them before `leaseUntil`. Of those that count in the
 * hour, a contact gets `perHour` in the hour that began at `hourStart`; the others are held until it ends, in the same transaction.
 */
export async function claimMessages(
  db: Db,
  companyId: number,
  {
    now,
    leaseUntil,
    limit,
    perHour,
    hourStart,
    hourEnd,
  }: Record<"now" | "leaseUntil" | "limit" | "perHour" | "hourStart" | "hourEnd", number>,
): Promise<MessageRow[]> {
  const counted = inList(messages.kind, foldedKinds);
  const due = sql`SELECT ${messages.id} AS id, ${messages.contactId} AS contact,
      row_number() OVER (PARTITION BY ${messages.contactId} ORDER BY ${messages.createdAt}, ${messages.id}) AS place
    FROM ${messages} WHERE ${and(isPending(companyId, now), eq(messages.attempts, 0), counted)}`;
  const started = sql`SELECT count(*) FROM ${messages} AS early
    WHERE early.contact_id = due.contact AND early.started_at >= ${hourStart} AND ${inList(sql`early.kind`, foldedKinds)}`;
  const [, claimed] = await db.batch([
    db
      .update(messages)
      .set({ status: "held", nextAttemptAt: hourEnd, updatedAt: now })
      .where(sql`${messages.id} IN (SELECT due.id FROM (${due}) AS due WHERE due.place + (${started}) > ${perHour})`),
    db
      .update(messages)
      .set({
        attempts: sql`${messages.attempts} + 1`,
        nextAttemptAt: leaseUntil,
        startedAt: sql`coalesce(${messages.startedAt}, ${now})`,
        updatedAt: now,
      })
      .where(
        sql`${messages.id} IN (SELECT ${messages.id} FROM ${messages} WHERE ${isPending(companyId, now)}
          ORDER BY ${messages.nextAttemptAt}, ${messages.createdAt}, ${messages.id} LIMIT ${limit})`,
      )
      .returning(),
  ]);
  return claimed;
}

/** The statement that notes what came of an attempt, unless another one was begun meanwhile. */
export function finishAttempt(
  db: Db,
  { id, attempts }: Pick<MessageRow, "id" | "attempts">,
  result: Pick<MessageRow, "status" | "nextAttemptAt" | "error" | "sentAt">,
) {
  return db
    .update(messages)
    .set({ ...result, updatedAt: Date.now() })
    .where(and(eq(messages.id, id), eq(messages.attempts, attempts), eq(messages.status, "pending")));
}

/** The held messages of a company that are due, the oldest first. */
export function selectHeld(db: Db, companyId: number, now: number, limit: number) {
  return db
    .select()
    .from(messages)
    .where(and(eq(messages.companyId, companyId), eq(messages.status, "held"), lte(messages.nextAttemptAt, now)))
    .orderBy(messages.createdAt, sql`rowid`)
    .limit(limit);
}

/** Holds while these messages are held. */
export function areHeld(ids: readonly string[]): SQL {
  return sql`(SELECT count(*) FROM ${messages} WHERE ${inList(messages.id, ids)} AND ${messages.status} = 'held') = ${ids.length}`;
}

/** The statement that changes held messages. */
export function updateHeld(db: Db, ids: readonly string[], change: Partial<MessageRow>) {
  return db
    .update(messages)
    .set({ ...change, updatedAt: Date.now() })
    .where(and(inList(messages.id, ids), eq(messages.status, "held")));
}

/** Those to whom messages go, as far as they are still there, and the company's time zone. One trip. */
export async function selectContacts(db: Db, companyId: number, rows: readonly MessageRow[]) {
  const idsOf = (of: (row: MessageRow) => string | null) => [...new Set(rows.flatMap((row) => of(row) ?? []))];
  const userIds = idsOf(({ contactId }) => (contactId.startsWith("user:") ? contactId.slice(5) : null)).map(Number);
  const [foundPersonas, rooms, [company], people] = await db.batch([
    db
      .select()
      .from(personas)
      .where(
        and(
          sql`+${personas.companyId} = ${companyId}`,
          inList(
            personas.id,
            idsOf(({ personaId }) => personaId),
          ),
        ),
      ),
    db
      .select()
      .from(chatRooms)
      .where(
        and(
          sql`+${chatRooms.companyId} = ${companyId}`,
          isNull(chatRooms.deletedAt),
          inList(
            chatRooms.id,
            idsOf(({ chatRoomId }) => chatRoomId),
          ),
        ),
      ),
    db.select({ timezone: companies.timezone }).from(companies).where(eq(companies.id, companyId)),
    db
      .select({ id: users.id, email: users.email })
      .from(users)
      .where(
        and(
          sql`+${users.companyId} = ${companyId}`,
          eq(users.isActive, true),
          isNull(users.deletedAt),
          inList(users.id, userIds),
        ),
      ),
  ]);
  return { personas: foundPersonas, chatRooms: rooms, timezone: company?.timezone ?? "UTC", users: people };
}

/** The statement that reads which companies have messages that should have been taken by `until`. */
export function selectWaitingForMessages(db: Db, until: number) {
  return db
    .selectDistinct({ companyId: messages.companyId })
    .from(messages)
    .where(and(isNotNull(messages.nextAttemptAt), lte(messages.nextAttemptAt, until)));
}
