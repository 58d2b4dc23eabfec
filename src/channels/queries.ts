import { and, asc, eq, getTableColumns, isNotNull, isNull, lte, not, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { CompanyDb } from "../db/client.ts";
import { inList } from "../db/conditions.ts";
import { jsonRows } from "../db/json-rows.ts";
import {
  alertConditions,
  chatRooms,
  companies,
  machines,
  messages,
  notifications,
  personas,
  reportContents,
  users,
} from "../db/schema.ts";
import { digestKinds } from "./texts/kinds.ts";

export type MessageRow = typeof messages.$inferSelect;
export type PersonaRow = typeof personas.$inferSelect;

/** A row has some hundred bytes, and a value of D1 holds 2 MB. */
const ROWS_PER_STATEMENT = 500;

/** The statements that store messages. Existing messages are not changed. */
export function insertMessages(db: CompanyDb, rows: readonly MessageRow[]) {
  const count = Math.ceil(rows.length / ROWS_PER_STATEMENT);
  return [...Array(count).keys()].map((i) => {
    const part = rows.slice(i * ROWS_PER_STATEMENT, (i + 1) * ROWS_PER_STATEMENT);
    return db.insert(messages).select(jsonRows(messages, part)).onConflictDoNothing();
  });
}

/** The people and rooms to read, by id or by e-mail address (of users, case-insensitive). */
interface RecipientIds {
  personaIds: readonly string[];
  chatRoomIds: readonly string[];
  userIds?: readonly number[];
  addresses?: readonly string[];
}

/**
 * Reads the named personas, chat rooms and active users of a company, the users with the e-mail addresses of those personas, and the company's
 * time zone. Deleted ones are left out. One trip.
 */
export async function selectPeople(
  db: CompanyDb,
  companyId: number,
  { personaIds, chatRoomIds, userIds = [], addresses = [] }: RecipientIds,
) {
  // The rows are found by their ids: the plus keeps SQLite from using the company's index, which would read the whole company.
  const isOwn = (column: SQLiteColumn) => sql`+${column} = ${companyId}`;
  const isNamed = inList(personas.id, personaIds);
  const lowerCase = JSON.stringify(addresses.map((address) => address.toLowerCase()));
  // A list of ids, because with OR SQLite would search the users of all companies.
  const askedIds = sql`SELECT value FROM json_each(${JSON.stringify(userIds)}) UNION ALL
    SELECT named.id FROM ${users} AS named WHERE named.deleted_at IS NULL AND named.email IN (
      SELECT value FROM json_each(${lowerCase}) UNION ALL
      SELECT lower(${personas.email} ->> 'value') FROM ${personas} WHERE ${isNamed})`;
  const isAsked = sql`${users.id} IN (${askedIds})`;
  const [foundPersonas, rooms, [company], people] = await db.batch([
    db
      .select()
      .from(personas)
      .where(and(isOwn(personas.companyId), isNamed)),
    db
      .select()
      .from(chatRooms)
      .where(and(isOwn(chatRooms.companyId), isNull(chatRooms.deletedAt), inList(chatRooms.id, chatRoomIds))),
    db.select({ timezone: companies.timezone }).from(companies).where(eq(companies.id, companyId)),
    db
      .select({ id: users.id, email: users.email })
      .from(users)
      .where(and(isOwn(users.companyId), eq(users.isActive, true), isNull(users.deletedAt), isAsked)),
  ]);
  return { personas: foundPersonas, chatRooms: rooms, timezone: company?.timezone ?? "UTC", users: people };
}

/** The statement that reads what a run sends: none or one row. */
export function selectContent(db: CompanyDb, logId: string) {
  return db.select({ content: reportContents.content }).from(reportContents).where(eq(reportContents.logId, logId));
}

/** Stores a notification of a user. An existing one with this id is not changed. */
export async function insertNotification(
  db: CompanyDb,
  notification: { id: string; userId: number; title: string; body: string },
): Promise<void> {
  await db
    .insert(notifications)
    .values({ ...notification, readAt: null, createdAt: Date.now() })
    .onConflictDoNothing();
}

/** Removes a push contact from a persona. */
export async function removePushContact(db: CompanyDb, personaId: string, contactId: string): Promise<void> {
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
 * Claims up to `limit` due messages of a company until `leaseUntil`. Of messages with an hourly limit, a contact gets `perHour` in the hour
 * that began at `hourStart`; the others are held until the hour ends, in the same transaction.
 */
export async function claimMessages(
  db: CompanyDb,
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
  const counted = inList(messages.kind, digestKinds);
  const due = sql`SELECT ${messages.id} AS id, ${messages.contactId} AS contact,
      row_number() OVER (PARTITION BY ${messages.contactId} ORDER BY ${messages.createdAt}, ${messages.id}) AS place
    FROM ${messages} WHERE ${and(isPending(companyId, now), eq(messages.attempts, 0), counted)}`;
  const started = sql`SELECT count(*) FROM ${messages} AS early WHERE +early.company_id = ${companyId}
    AND early.contact_id = due.contact AND early.started_at >= ${hourStart} AND ${inList(sql`early.kind`, digestKinds)}`;
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

/** The statement that stores the result of an attempt, unless another attempt has begun since then. */
export function finishAttempt(
  db: CompanyDb,
  { id, attempts }: Pick<MessageRow, "id" | "attempts">,
  result: Pick<MessageRow, "status" | "nextAttemptAt" | "error" | "sentAt">,
) {
  return db
    .update(messages)
    .set({ ...result, updatedAt: Date.now() })
    .where(and(eq(messages.id, id), eq(messages.attempts, attempts), eq(messages.status, "pending")));
}

/** Held messages of a contact that are released together: those that go into a digest, or the others. */
export type HeldGroup = Pick<MessageRow, "companyId" | "personaId" | "contactId"> & { isForDigest: boolean };
export type HeldRow = Awaited<ReturnType<typeof selectHeld>>[number];

const isDueHeld = (companyId: number, now: number) =>
  and(eq(messages.companyId, companyId), eq(messages.status, "held"), lte(messages.nextAttemptAt, now));

/**
 * The due held messages of a company, group by group: the first `listed` of each group, oldest first, with the size of the group. The last
 * group may be incomplete if there are more than `limit` rows in total.
 */
export function selectHeld(db: CompanyDb, companyId: number, now: number, { listed, limit }: { listed: number; limit: number }) {
  const isForDigest = inList(messages.kind, digestKinds);
  const group = sql`PARTITION BY ${messages.personaId}, ${messages.contactId}, ${isForDigest}`;
  const ranked = db
    .select({
      id: sql<string>`${messages.id}`.as("held_id"),
      isForDigest: sql<boolean>`${isForDigest}`.mapWith(Boolean).as("is_for_digest"),
      place: sql<number>`row_number() OVER (${group} ORDER BY ${messages.createdAt}, ${messages}.rowid)`.as("place"),
      count: sql<number>`count(*) OVER (${group})`.as("held_count"),
    })
    .from(messages)
    .where(isDueHeld(companyId, now))
    .as("ranked");
  return db
    .select({ ...getTableColumns(messages), isForDigest: ranked.isForDigest, count: ranked.count })
    .from(ranked)
    .innerJoin(messages, eq(messages.id, ranked.id))
    .where(lte(ranked.place, listed))
    .orderBy(messages.personaId, messages.contactId, sql`${ranked.isForDigest}, ${ranked.place}`)
    .limit(limit);
}

function isDueIn({ companyId, personaId, contactId, isForDigest }: HeldGroup, now: number) {
  return and(
    isDueHeld(companyId, now),
    eq(messages.contactId, contactId),
    sql`${messages.personaId} IS ${personaId}`,
    isForDigest ? inList(messages.kind, digestKinds) : not(inList(messages.kind, digestKinds)),
  );
}

/** Condition: a group still has this number of due held messages. */
export function areHeld(group: HeldGroup, now: number, count: number): SQL {
  return sql`(SELECT count(*) FROM ${messages} WHERE ${isDueIn(group, now)}) = ${count}`;
}

/** The statement that changes the due held messages of a group. */
export function updateHeld(db: CompanyDb, group: HeldGroup, now: number, change: Partial<MessageRow>) {
  return db
    .update(messages)
    .set({ ...change, updatedAt: Date.now() })
    .where(isDueIn(group, now));
}

/** Reads the recipients of messages, without those that no longer exist. One trip. */
export async function selectContacts(db: CompanyDb, companyId: number, rows: readonly MessageRow[]) {
  const idsOf = (of: (row: MessageRow) => string | null) => [...new Set(rows.flatMap((row) => of(row) ?? []))];
  const userIds = idsOf(({ contactId }) => (contactId.startsWith("user:") ? contactId.slice(5) : null)).map(Number);
  const [personaIds, chatRoomIds] = [idsOf(({ personaId }) => personaId), idsOf(({ chatRoomId }) => chatRoomId)];
  return await selectPeople(db, companyId, { personaIds, chatRoomIds, userIds });
}

/** The statement that reads the machines of incidents: for each incident their number, and the names of the first `named` machines. */
export function selectMachinesOfIncidents(db: CompanyDb, incidentIds: readonly string[], named: number) {
  const { incidentId, machineId } = alertConditions;
  const each = db
    .selectDistinct({ incidentId, machineId })
    .from(alertConditions)
    .where(inList(incidentId, incidentIds))
    .as("each_machine");
  const ranked = db
    .select({
      incidentId: sql<string>`${each.incidentId}`.as("ranked_incident"),
      name: sql<string>`${machines.name}`.as("ranked_name"),
      place: sql<number>`row_number() OVER (PARTITION BY ${each.incidentId} ORDER BY ${machines.id})`.as("place"),
      count: sql<number>`count(*) OVER (PARTITION BY ${each.incidentId})`.as("machine_count"),
    })
    .from(each)
    .innerJoin(machines, eq(machines.id, each.machineId))
    .as("ranked");
  return db.select().from(ranked).where(lte(ranked.place, named)).orderBy(asc(ranked.place));
}

/** The statement that reads the companies with messages that should have been claimed by `until`. */
export function selectWaitingForMessages(db: CompanyDb, until: number) {
  return db
    .selectDistinct({ companyId: messages.companyId })
    .from(messages)
    .where(and(isNotNull(messages.nextAttemptAt), lte(messages.nextAttemptAt, until)));
}
