import type { CompanyDb } from "../db/client.ts";
import { SECOND_MS } from "../oee/time.ts";
import { failed, type Outcome, refused } from "./channel.ts";
import { channelsByName } from "./channels.ts";
import type { RoomAddress } from "./chat.ts";
import { nextHours } from "./hours.ts";
import { leaveLinkOf, withLeaveLink } from "./leave-link.ts";
import { finishAttempt, type MessageRow, removePushContact, selectContacts } from "./queries.ts";
import { type Language, render } from "./render.ts";
import { findReportMail } from "./report-mail.ts";
import type { MessageContent } from "./texts/kinds.ts";
import { withMachines } from "./with-machines.ts";

/** Pauses between attempts. After the last one the message has failed. */
export const retrySeconds = [30, 120, 600, 1800, 7200] as const;

/** A message that was claimed this long ago and is not finished is considered lost, and is tried again. */
export const leaseMs = 300 * SECOND_MS;

/** Messages in progress at once: the platform allows six connections. */
const AT_ONCE = 5;

type Contacts = Awaited<ReturnType<typeof selectContacts>>;

/** The result of an attempt: the values that it changes in the message's row. */
export type Result = Pick<MessageRow, "id" | "status" | "nextAttemptAt" | "error" | "sentAt">;

/**
 * Sends messages that the caller has claimed, and records the result of each. Outside their hours, personas only get tests.
 * After a crash between sending and recording, a message is sent again when its lease ends: better twice than never.
 */
export async function deliver(env: Env, db: CompanyDb, companyId: number, rows: readonly MessageRow[]): Promise<Result[]> {
  if (rows.length === 0) return [];
  const [contacts, waiting] = await Promise.all([selectContacts(db, companyId, rows), withMachines(db, rows)]);
  const results: Result[] = [];
  const work = async () => {
    for (let row = waiting.shift(); row; row = waiting.shift()) {
      const result = { id: row.id, ...(await attempt(env, db, row, contacts)) };
      const { id: _, ...noted } = result;
      await finishAttempt(db, row, noted);
      results.push(result);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return results;
}

async function attempt(env: Env, db: CompanyDb, row: MessageRow, contacts: Contacts): Promise<Omit<Result, "id">> {
  const now = Date.now();
  const recipient = recipientOf(row, contacts);
  if (recipient && row.kind !== "test") {
    const dueAt = recipient.hours ? nextHours(recipient.hours, contacts.timezone, now) : now;
    if (dueAt === null) return { status: "failed", nextAttemptAt: null, error: "no_hours", sentAt: null };
    if (dueAt > now) return { status: "held", nextAttemptAt: dueAt, error: row.error, sentAt: null };
  }
  const outcome = recipient ? await send(env, db, row, recipient, contacts.timezone) : refused("contact_gone");
  if (outcome.isSent) return { status: "sent", nextAttemptAt: null, error: null, sentAt: Date.now() };
  if (outcome.isGone && row.personaId !== null) await removePushContact(db, row.personaId, row.contactId);
  const seconds = outcome.isFinal ? undefined : retrySeconds[row.attempts - 1];
  const nextAttemptAt = seconds === undefined ? null : Date.now() + seconds * SECOND_MS;
  return { status: nextAttemptAt === null ? "failed" : "pending", nextAttemptAt, error: outcome.reason, sentAt: null };
}

interface Recipient {
  /** The address in the form that the channel uses. */
  address: string;
  language: Language;
  /** Null: at all times. */
  hours: Contacts["personas"][number]["alertHours"] | null;
}

async function send(env: Env, db: CompanyDb, row: MessageRow, to: Recipient, timezone: string): Promise<Outcome> {
  const channel = channelsByName[row.channel];
  if (channel.missing(env).length > 0) return refused("channel_off");
  const { id, companyId, kind, params } = row;
  try {
    // planMessages stores typed values: a kind always has its own params.
    const content = { kind, params } as unknown as MessageContent;
    const outgoing = render(env, { id, companyId, content, language: to.language, timezone });
    if (content.kind !== "report" || row.channel !== "email") return await channel.send({ env, db }, to.address, outgoing);
    const mail = await findReportMail(db, content.params.logId);
    if (!mail) return refused("report_forgotten");
    const { leave } = content.params;
    const leaveLink = leave ? await leaveLinkOf(env, { subscriptionId: leave.subscriptionId, address: to.address }) : null;
    if (!leave || leaveLink === null) return await channel.send({ env, db }, to.address, { ...outgoing, mail });
    const own = withLeaveLink(mail, leaveLink, leave.language);
    return await channel.send({ env, db }, to.address, { ...outgoing, mail: own, leaveLink });
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  }
}

/** The current recipient of a message; null if the contact, its persona or the room no longer exists or is not active. */
function recipientOf(row: MessageRow, { personas, chatRooms, users }: Contacts): Recipient | null {
  const user = row.channel === "in_app" ? users.find(({ id }) => row.contactId === `user:${id}`) : undefined;
  if (row.personaId !== null) {
    const persona = personas.find(({ id }) => id === row.personaId);
    if (!persona?.isActive) return null;
    const contact = [persona.email, persona.sms, persona.whatsapp, ...persona.push].find(({ id }) => id === row.contactId);
    const address = user ? String(user.id) : contact?.isActive ? contact.value : "";
    const language = persona.language === "spanish" ? "es" : "en";
    return address === "" ? null : { address, language, hours: persona.alertHours };
  }
  if (row.chatRoomId !== null) {
    const room = chatRooms.find(({ id }) => id === row.chatRoomId);
    if (!room?.isActive) return null;
    const address: RoomAddress = { service: room.service, roomId: room.id, sealedUrl: room.sealedUrl };
    return { address: JSON.stringify(address), language: room.language, hours: null };
  }
  const address = row.channel === "in_app" ? user && String(user.id) : row.address;
  return address ? { address, language: row.language ?? "en", hours: null } : null;
}
