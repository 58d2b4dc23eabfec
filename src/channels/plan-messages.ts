import { createHash } from "node:crypto";
import type { BatchItem } from "drizzle-orm/batch";
import type { CompanyDb } from "../db/client.ts";
import type { ChannelName } from "../db/values.ts";
import type { QueueMessage } from "../events/queues.ts";
import { SECOND_MS } from "../oee/time.ts";
import { nextHours } from "./hours.ts";
import { insertMessages, type MessageRow, type PersonaRow, selectPeople } from "./queries.ts";
import type { MessageKind, MessageParams } from "./texts/kinds.ts";

export interface PlanContext {
  env: Env;
  db: CompanyDb;
  companyId: number;
  /** Epoch ms. */
  now: number;
}

/** The recipients. Ids of personas that do not exist, are inactive or were deleted are skipped. */
export interface Recipients {
  personaIds?: readonly string[];
  chatRoomIds?: readonly string[];
  /** E-mail addresses. A user of the company with that address is also notified on the board. */
  addresses?: readonly string[];
  /** The language for addresses; personas and chat rooms have their own. */
  language?: "en" | "es";
}

/** A message to plan. */
export type Message = {
  [Kind in MessageKind]: {
    kind: Kind;
    params: MessageParams[Kind];
    incidentId?: string | null;
    /** Identifies the message, such as `<incident>:opened`: nobody gets a second message for the same key. */
    key: string;
    /** Only these channels; all if undefined. */
    channels?: readonly ChannelName[];
  };
}[MessageKind];

/**
 * Plans a message for each active contact. Returns the statements that store the messages, to be committed together with what they report, and
 * the queue messages to send after that. Existing messages are not changed. Outside a persona's hours its messages are held.
 */
export async function planMessages(context: PlanContext, to: Recipients, what: Message): Promise<Planned> {
  return (await planAllMessages(context, [{ to, what }]))[0] as Planned;
}

/** Like `planMessages`, for many messages at once: the recipients are read in one trip. */
export async function planAllMessages(
  context: PlanContext,
  messages: readonly { to: Recipients; what: Message }[],
): Promise<Planned[]> {
  const all = (member: "personaIds" | "chatRoomIds" | "addresses") => [
    ...new Set(messages.flatMap(({ to }) => to[member] ?? [])),
  ];
  const named = { personaIds: all("personaIds"), chatRoomIds: all("chatRoomIds"), addresses: all("addresses") };
  if (Object.values(named).every((ids) => ids.length === 0)) return messages.map(() => ({ rows: [], queueMessages: [] }));
  const found = await selectPeople(context.db, context.companyId, named);
  return messages.map(({ to, what }) => planFor(context, found, to, what));
}

function planFor({ db, companyId, now }: PlanContext, known: Known, to: Recipients, what: Message): Planned {
  const { personaIds = [], chatRoomIds = [], addresses = [], language = "en" } = to;
  const found = {
    ...known,
    personas: known.personas.filter(({ id, isActive }) => isActive && personaIds.includes(id)),
    chatRooms: known.chatRooms.filter(({ id, isActive }) => isActive && chatRoomIds.includes(id)),
  };
  const base = { companyId, kind: what.kind, params: what.params, incidentId: what.incidentId ?? null, now };
  const userOf = (email: string) => found.users.find((user) => user.email === email.toLowerCase());
  const inApp = (email: string) => {
    const user = email === "" ? undefined : userOf(email);
    return user ? [{ channel: "in_app" as const, contactId: `user:${user.id}`, value: `user:${user.id}` }] : [];
  };
  const planned = [
    ...found.personas.flatMap((persona) => {
      const dueAt = nextHours(persona.alertHours, found.timezone, now);
      const contacts = [...inApp(persona.email.value), ...contactsOf(persona)];
      return contacts.map((contact) => ({ ...base, ...contact, personaId: persona.id, dueAt }));
    }),
    ...found.chatRooms.map(({ id }) => ({
      ...base,
      channel: "chat" as const,
      contactId: id,
      value: id,
      chatRoomId: id,
      dueAt: now,
    })),
    ...[...new Set(addresses)].flatMap((address) => {
      const contacts = [...inApp(address), { channel: "email" as const, contactId: address, value: address }];
      return contacts.map((contact) => ({ ...base, ...contact, address, language, dueAt: now }));
    }),
  ];
  const wanted = planned.filter(({ channel }) => what.channels?.includes(channel) ?? true);
  const messages = [...Map.groupBy(wanted, addressOf).values()].map((same) => messageToOne(same, what.key));
  const dueTimes = messages.flatMap(({ nextAttemptAt }) => nextAttemptAt ?? []);
  return {
    rows: insertMessages(db, messages),
    queueMessages: [...new Set(dueTimes)].map((dueAt) => ({
      queue: "MESSAGES",
      body: { companyId },
      delaySeconds: Math.max(0, Math.ceil((dueAt - now) / SECOND_MS)),
    })),
  };
}

/** The address of a contact, the same however it is written. */
function addressOf({ channel, value }: { channel: ChannelName; value: string }): string {
  const isNumber = channel === "sms" || channel === "whatsapp";
  return `${channel} ${isNumber ? value.replaceAll(/[^\d+]/g, "") : value.trim().toLowerCase()}`;
}

/**
 * One message for contacts with the same address, such as the mailbox of a team that several personas have: for the one that may be notified first.
 * Its id does not depend on the time of the day, so that planning it again does not make a second one.
 */
function messageToOne(same: readonly Addressed[], key: string): MessageRow {
  const byId = same.toSorted((a, b) => (a.contactId < b.contactId ? -1 : 1));
  const dueAt = ({ dueAt }: Addressed) => dueAt ?? Number.POSITIVE_INFINITY;
  const [soonest] = byId.toSorted((a, b) => dueAt(a) - dueAt(b));
  const id = messageOf(byId[0] as Addressed, key).id;
  return { ...messageOf(soonest as Addressed, key), id };
}

/** Statements, and the queue messages to send after them. */
export interface Planned {
  rows: BatchItem<"sqlite">[];
  queueMessages: QueueMessage[];
}

type Known = Awaited<ReturnType<typeof selectPeople>>;

interface Addressed {
  companyId: number;
  kind: MessageKind;
  params: MessageParams[MessageKind];
  incidentId: string | null;
  now: number;
  channel: ChannelName;
  contactId: string;
  personaId?: string;
  chatRoomId?: string;
  address?: string;
  language?: "en" | "es";
  /** The earliest time of sending; null: never. */
  dueAt: number | null;
}

/** The message of one contact; its id follows from the key and the contact. */
export function messageOf(planned: Addressed, key: string): MessageRow {
  const { companyId, kind, params, incidentId, now, channel, contactId, dueAt } = planned;
  const { personaId = null, chatRoomId = null, address = null, language = null } = planned;
  const parts = [companyId, key, personaId ?? chatRoomId ?? address, channel, contactId];
  return {
    id: createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32),
    ...{ companyId, personaId, chatRoomId, address, channel, contactId, language, kind, incidentId },
    params: { ...params },
    status: dueAt === null ? "failed" : dueAt > now ? "held" : "pending",
    attempts: 0,
    nextAttemptAt: dueAt,
    error: dueAt === null ? "no_hours" : null,
    ...{ startedAt: null, sentAt: null, digestId: null, createdAt: now, updatedAt: now },
  };
}

/** The active contacts of a persona, each with its channel and its address. */
export function contactsOf({
  email,
  sms,
  whatsapp,
  push,
}: PersonaRow): { channel: ChannelName; contactId: string; value: string }[] {
  const all = [
    { channel: "email" as const, contact: email },
    { channel: "sms" as const, contact: sms },
    { channel: "whatsapp" as const, contact: whatsapp },
    ...push.map((contact) => ({ channel: "push" as const, contact })),
  ];
  return all
    .filter(({ contact }) => contact.isActive && contact.value !== "")
    .map(({ channel, contact }) => ({ channel, contactId: contact.id, value: contact.value }));
}
