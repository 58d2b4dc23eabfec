import { and, desc, eq, gt, sql } from "drizzle-orm";
import type { CompanyDb } from "../../../db/client.ts";
import { ifBetween, ifGiven, ifListed } from "../../../db/conditions.ts";
import { chatRooms, messages, personas } from "../../../db/schema.ts";
import { HOUR_MS } from "../../../oee/time.ts";
import type { MessageQuery } from "./query.ts";

/** A message as lists show it: with the names of its recipients, without its text. */
export type ListedMessage = ReturnType<ReturnType<typeof selectMessages>["all"]> extends Promise<(infer Row)[]> ? Row : never;

/** The messages that match a query, newest first. Reads one more than the limit. */
export function selectMessages(db: CompanyDb, query: MessageQuery) {
  const { companyId, personaIds, incidentIds, channels, statuses, from, to, cursor, limit } = query;
  const { createdAt, id } = messages;
  return db
    .select({
      ...{ id, createdAt, kind: messages.kind, channel: messages.channel, status: messages.status },
      ...{ personaId: messages.personaId, chatRoomId: messages.chatRoomId, address: messages.address },
      ...{ contactId: messages.contactId, incidentId: messages.incidentId, digestId: messages.digestId },
      ...{ attempts: messages.attempts, nextAttemptAt: messages.nextAttemptAt, error: messages.error, sentAt: messages.sentAt },
      personaName: sql<string | null>`${personas.name}`.as("persona_name"),
      roomName: sql<string | null>`${chatRooms.name}`.as("room_name"),
      // The address or number of the recipient, as the persona has it now.
      contact: sql<string | null>`CASE ${messages.channel} WHEN 'email' THEN ${personas.email} ->> 'value'
        WHEN 'sms' THEN ${personas.sms} ->> 'value' WHEN 'whatsapp' THEN ${personas.whatsapp} ->> 'value' END`.as("contact"),
    })
    .from(messages)
    .leftJoin(personas, eq(personas.id, messages.personaId))
    .leftJoin(chatRooms, eq(chatRooms.id, messages.chatRoomId))
    .where(
      and(
        ifGiven(messages.companyId, companyId),
        ifListed(messages.personaId, personaIds),
        ifListed(messages.incidentId, incidentIds),
        ifListed(messages.channel, channels),
        ifListed(messages.status, statuses),
        ifBetween(createdAt, from, to),
        cursor && sql`(${createdAt}, ${id}) < (${cursor[0]}, ${cursor[1]})`,
      ),
    )
    .orderBy(desc(createdAt), desc(id))
    .limit(limit + 1);
}

/** The statement that counts the test messages to a persona or chat room within the last hour. */
export function selectRecentTests(db: CompanyDb, to: { personaId: string } | { chatRoomId: string }, now: number) {
  // Both conditions use an index that also contains the time.
  const isRecent =
    "personaId" in to
      ? and(eq(messages.personaId, to.personaId), gt(messages.createdAt, now - HOUR_MS))
      : and(eq(messages.contactId, to.chatRoomId), gt(messages.startedAt, now - HOUR_MS));
  return db
    .select({ count: sql<number>`count(*)`.as("tests") })
    .from(messages)
    .where(and(isRecent, eq(messages.kind, "test")));
}
