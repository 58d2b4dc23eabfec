import { channelsByName } from "../../../channels/channels.ts";
import { contactsOf } from "../../../channels/plan-messages.ts";
import { urlFault } from "../../../channels/public-url.ts";
import { readSubscription } from "../../../channels/push.ts";
import { companyOf } from "../../../core/actor.ts";
import type { Caller, Reader } from "../../../core/caller.ts";
import { configOf } from "../../../core/config.ts";
import { readPage } from "../../../core/cursor.ts";
import { defined } from "../../../core/defined.ts";
import { type Fault, invalid, notFound } from "../../../core/problem.ts";
import { selectCompany } from "../../../core/queries.ts";
import { hasNoDependent, refusalOf, refusing, selectDependents } from "../../../core/references.ts";
import { write } from "../../../core/write.ts";
import { nextUpdatedAt } from "../../../db/expect.ts";
import type { ChannelName } from "../../../db/values.ts";
import { selectRecentTests } from "../messages/queries.ts";
import { decideTest, sendTests, type Tested } from "../messages/send-tests.ts";
import {
  companyOfPersona,
  deletePersona as deleteRow,
  insertPersona,
  isSamePersona,
  type PersonaRow,
  selectAlertRules,
  selectPersona,
  selectPersonasInOrder,
  selectUserOf,
  updatePersona,
} from "./queries.ts";
import type { PersonaQuery } from "./query.ts";

/** A persona as responses show it. */
export type Persona = Omit<PersonaRow, "companyId" | "createdAt" | "updatedAt">;

type Partially<T> = { [K in keyof T]?: T[K] | undefined };
type Contact = Persona["sms"];

/** A change of a persona; undefined members do not change. A push contact without an id is new. */
export type PersonaChange = Partially<Pick<Persona, "name" | "isActive" | "language" | "alertIds">> & {
  [Name in "sms" | "whatsapp" | "email"]?: Partially<Pick<Contact, "value" | "isActive">> | undefined;
} & {
  push?: readonly (Omit<Contact, "id"> & { id?: string | undefined })[] | undefined;
  alertHours?: Partially<Persona["alertHours"]> | undefined;
};

/** A week with the same value for every day. */
export function daily<T>(day: T) {
  return { sunday: day, monday: day, tuesday: day, wednesday: day, thursday: day, friday: day, saturday: day };
}

/**
 * Creates a persona of a company: active all day, every day, and without contacts.
 * @param answerOf the body of the answer, which is kept for a repeat of the request
 */
export async function createPersona<T>(
  caller: Caller,
  companyId: number,
  name: string,
  answerOf: (persona: Persona) => T,
): Promise<T> {
  const { answer } = await write(
    caller,
    (db) => [selectCompany(db, companyId)],
    ([company]) => {
      if (!company) throw notFound(`There is no company ${companyId}.`);
      const persona = newPersona(name);
      const now = Date.now();
      return {
        rows: [insertPersona(caller.db, { ...persona, companyId, createdAt: now, updatedAt: now })],
        audit: { action: "persona.create", companyId, objectId: persona.id, before: null, after: persona },
        answer: answerOf(persona),
      };
    },
  );
  return answer;
}

/** A persona, with warnings about contacts that will not work. */
export type ChangedPersona = Persona & { warnings: PersonaWarning[] };

/** A contact whose channel is off: messages to it fail. */
interface PersonaWarning {
  code: "channel_off";
  channel: ChannelName;
  message: string;
}

/** Changes a persona. Returns the changed persona. */
export async function changePersona(caller: Caller, id: string, change: PersonaChange): Promise<ChangedPersona> {
  const { alertIds = [] } = change;
  const { answer } = await write(
    caller,
    (db) => [selectPersona(db, id, companyOf(caller.actor)), selectAlertRules(db, id, alertIds)],
    ([row], rules) => {
      if (!row) throw noPersona(id);
      const before = personaOf(row);
      const next = changedBy(change, before);
      const faults = [
        ...faultsOf(change, next, before),
        ...pushFaults(caller.env, change),
        ...alertFaults(alertIds, rules, before),
      ];
      if (faults.length > 0) throw invalid(faults);
      if (JSON.stringify(next) === JSON.stringify(before)) return { answer: withWarnings(caller.env, before) };
      return {
        expect: [isSamePersona(row)],
        rows: [updatePersona(caller.db, { ...row, ...next, updatedAt: nextUpdatedAt(row) })],
        audit: { action: "persona.change", companyId: row.companyId, objectId: id, before, after: next },
        answer: withWarnings(caller.env, next),
      };
    },
  );
  return answer;
}

/** Deletes a persona. Throws 409 while others need it (core/references.ts). */
export async function deletePersona(caller: Caller, id: string): Promise<void> {
  const needs = refusing("persona");
  const owner = companyOfPersona(id);
  await write(
    caller,
    (db) => [
      selectPersona(db, id, companyOf(caller.actor)),
      ...needs.map((reference) => selectDependents(db, reference, owner, id)),
    ],
    ([row], ...dependents) => {
      if (!row) throw noPersona(id);
      const refused = refusalOf(needs.map((reference, i) => [reference, dependents[i] ?? []]));
      if (refused) throw refused;
      return {
        expect: [isSamePersona(row), ...needs.map((reference) => hasNoDependent(reference, owner, id))],
        rows: [deleteRow(caller.db, id)],
        audit: { action: "persona.delete", companyId: row.companyId, objectId: id, before: personaOf(row), after: null },
        answer: undefined,
      };
    },
  );
}

/** Sends a test message to a persona's active contacts of a channel. Returns the results. */
export async function testPersona(caller: Caller, id: string, channel: ChannelName): Promise<Tested[]> {
  const { answer } = await write(
    caller,
    (db) => [
      selectPersona(db, id, companyOf(caller.actor)),
      selectUserOf(db, id),
      selectRecentTests(db, { personaId: id }, Date.now()),
    ],
    ([row], [user], [recent]) => {
      if (!row) throw noPersona(id);
      const { companyId } = row;
      const inApp = user ? [{ channel: "in_app" as const, contactId: `user:${user.id}` }] : [];
      const contacts = [...inApp, ...contactsOf(row)].filter((one) => one.channel === channel);
      const message = row.isActive
        ? "is a channel of which the persona has no active contact"
        : "is of no use: the persona is not active";
      if (!row.isActive || contacts.length === 0) throw invalid([{ pointer: "/channel", code: "not_allowed", message }]);
      const audited = { action: "persona.test" as const, objectId: id, after: { channel } };
      return decideTest(caller, audited, { companyId, personaId: id }, contacts, recent?.count);
    },
  );
  return await sendTests(caller, answer);
}

/** A persona that the caller has access to. Throws 404 if there is none. */
export async function getPersona({ db, actor }: Reader, id: string): Promise<Persona> {
  const row = await selectPersona(db, id, companyOf(actor)).get();
  if (!row) throw noPersona(id);
  return personaOf(row);
}

/** A page of personas. */
export function listPersonas({ db, actor }: Reader, query: PersonaQuery) {
  const companyId = companyOf(actor, query.companyId, actor.companyId);
  return readPage(db, query, {
    select: (page) => selectPersonasInOrder(db, { ...page, companyId }),
    keysOf: ({ name, id }) => [name, id],
    itemOf: (persona) => persona,
  });
}

function noPersona(id: string) {
  return notFound(`There is no persona ${id}.`);
}

function withWarnings(env: Env, persona: Persona): ChangedPersona {
  const { sms, whatsapp, email, push } = persona;
  const used = { sms, whatsapp, email, push: push.find(({ isActive }) => isActive) };
  const warnings = Object.entries(used).flatMap(([name, contact]) => {
    const channel = name as keyof typeof used;
    const missing = contact?.isActive ? channelsByName[channel].missing(env) : [];
    if (missing.length === 0) return [];
    const message = `The service has not set up this channel: ${missing.join(", ")} ${missing.length === 1 ? "is" : "are"} missing.`;
    return [{ code: "channel_off" as const, channel, message: `${message} Messages to it fail.` }];
  });
  return { ...persona, warnings };
}

/** Returns the response item of a row. */
export function personaOf({ companyId: _, createdAt: __, updatedAt: ___, ...persona }: PersonaRow): Persona {
  return persona;
}

/** A new persona: active all day, every day, and without contacts. */
export function newPersona(name: string): Persona {
  const noContact = () => ({ id: crypto.randomUUID(), value: "", isActive: false, reference: "" });
  return {
    id: crypto.randomUUID(),
    name,
    isActive: true,
    isUser: false,
    sms: noContact(),
    whatsapp: noContact(),
    email: noContact(),
    push: [],
    alertHours: daily({ start: "00:00", end: "24:00" }),
    alertIds: [],
    language: "spanish",
  };
}

function changedBy(change: PersonaChange, before: Persona): Persona {
  const { sms, whatsapp, email, push, alertHours, alertIds } = change;
  return {
    ...before,
    name: change.name ?? before.name,
    isActive: change.isActive ?? before.isActive,
    language: change.language ?? before.language,
    sms: { ...before.sms, ...defined(sms) },
    whatsapp: { ...before.whatsapp, ...defined(whatsapp) },
    email: { ...before.email, ...defined(email) },
    push: push?.map((one) => ({ ...one, id: one.id ?? crypto.randomUUID() })) ?? before.push,
    alertHours: { ...before.alertHours, ...defined(alertHours) },
    alertIds: alertIds ?? before.alertIds,
  };
}

function faultsOf({ push = [] }: PersonaChange, next: Persona, before: Persona): Fault[] {
  const contacts = ["sms", "whatsapp", "email"] as const;
  const empty = contacts.filter((name) => next[name].isActive && next[name].value === "");
  const faults: Fault[] = empty.map((name) => {
    return { pointer: `/${name}/value`, code: "required", message: "is required while the contact is active" };
  });
  const known = new Set(before.push.map(({ id }) => id));
  const seen = new Set<string>();
  for (const [i, { id }] of push.entries()) {
    if (id === undefined) continue;
    const pointer = `/push/${i}/id`;
    if (!known.has(id))
      faults.push({ pointer, code: "not_found", message: "is not the id of a contact of this persona: leave it out" });
    if (seen.has(id)) faults.push({ pointer, code: "repeated", message: "is already in the list" });
    seen.add(id);
  }
  return faults;
}

/** Faults of push contacts: each must be a browser's subscription with an address that the service may call. */
function pushFaults(env: Env, { push = [] }: PersonaChange): Fault[] {
  return push.flatMap(({ value }, i) => subscriptionFaults(env, value, `/push/${i}/value`));
}

/** Faults of a browser's subscription; empty if there are none. */
export function subscriptionFaults(env: Env, value: string, pointer: string): Fault[] {
  const subscription = readSubscription(value);
  if (!subscription) {
    const message = "must be a browser's PushSubscription as JSON text: endpoint, keys.p256dh and keys.auth";
    return [{ pointer, code: "custom", message }];
  }
  const fault = urlFault(subscription.endpoint, configOf(env).ALLOW_LOOPBACK);
  return fault === null ? [] : [{ pointer, code: "not_public", message: `has an endpoint that cannot be called: it ${fault}` }];
}

/** Faults of unknown rules. Rules that have been deleted since may stay in the list. */
function alertFaults(alertIds: readonly string[], rules: readonly { id: string }[], before: Persona): Fault[] {
  const known = new Set([...before.alertIds, ...rules.map(({ id }) => id)]);
  return alertIds.flatMap((id, i) =>
    known.has(id)
      ? []
      : { pointer: `/alertIds/${i}`, code: "not_found", message: "is not the id of an alert rule of this company" },
  );
}
