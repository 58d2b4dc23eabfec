import { pushKey, readSubscription } from "../../../channels/push.ts";
import type { Caller } from "../../../core/caller.ts";
import { invalid } from "../../../core/problem.ts";
import { write } from "../../../core/write.ts";
import { nextUpdatedAt } from "../../../db/expect.ts";
import { newPersona, type Persona, personaOf, subscriptionFaults } from "./personas.ts";
import { hasNoPersona, insertPersona, isSamePersona, selectPersonasOfUser, selectUser, updatePersona } from "./queries.ts";

// Browsers that receive the push messages of a user's personas. As with notifications, a user's personas are those of the company that have
// the user's e-mail address.

/** The maximum number of browsers that a persona keeps; the oldest are removed. */
const MOST_DEVICES = 20;

/** The push key that a browser needs, and the user's present push set-up. */
export interface PushState {
  /** In the form of `applicationServerKey`; null: push is off. */
  key: string | null;
  /** The endpoints of the browsers that receive the user's push messages. */
  endpoints: string[];
  /** True if any alert rule or report notifies the user. */
  isNotified: boolean;
}

/** A browser, and whether it should receive its user's push messages. */
export interface PushDevice {
  /** Its PushSubscription as JSON text. */
  subscription: string;
  isOn: boolean;
  /** The display name of the browser. */
  name: string;
  /** The language of the persona, if one has to be created. */
  language: string;
}

/** Returns the push key and the caller's browsers. */
export async function getPushState({ env, db, actor }: Caller): Promise<PushState> {
  return stateOf(env, await selectPersonasOfUser(db, actor.userId));
}

/** Adds a browser to the push contacts of the caller's personas, or removes it. Creates a persona if the caller has none. */
export async function putPushDevice(caller: Caller, device: PushDevice): Promise<PushState> {
  const { env, db, actor } = caller;
  const faults = subscriptionFaults(env, device.subscription, "/subscription");
  if (faults.length > 0) throw invalid(faults);
  const { answer } = await write(
    caller,
    (read) => [selectPersonasOfUser(read, actor.userId), selectUser(read, actor.userId)],
    (found, users) => {
      const now = Date.now();
      // No rule or report can name a persona before it exists.
      const made = users.map(({ name, email, companyId }) => {
        const persona = newPersona(name);
        const own = { isUser: true, email: { ...persona.email, value: email }, language: device.language };
        return { ...persona, ...own, companyId, createdAt: now, updatedAt: now, isNotified: false };
      });
      const isNew = found.length === 0 && device.isOn;
      const personas = (isNew ? made : found).map((before) => ({ before, push: pushWith(before.push, device) }));
      const changes = personas.flatMap(({ before, push }) => {
        const { isNotified: _, ...row } = before;
        return push === row.push ? [] : [{ row, next: { ...row, push, updatedAt: nextUpdatedAt(row) } }];
      });
      return {
        expect: isNew ? [hasNoPersona(actor.userId)] : changes.map(({ row }) => isSamePersona(row)),
        rows: changes.map(({ next }) => (isNew ? insertPersona : updatePersona)(db, next)),
        audit: changes.map(({ row, next }) => ({
          action: isNew ? ("persona.create" as const) : ("persona.change" as const),
          companyId: row.companyId,
          objectId: row.id,
          before: isNew ? null : personaOf(row),
          after: personaOf(next),
        })),
        answer: stateOf(
          env,
          personas.map(({ before, push }) => ({ ...before, push })),
        ),
      };
    },
  );
  return answer;
}

function stateOf(env: Env, personas: readonly (Pick<Persona, "push"> & { isNotified: boolean })[]): PushState {
  const active = personas.flatMap(({ push }) => push.filter(({ isActive }) => isActive));
  return {
    key: pushKey(env),
    endpoints: [...new Set(active.flatMap(({ value }) => endpointOf(value) ?? []))],
    isNotified: personas.some(({ isNotified }) => isNotified),
  };
}

/** The push contacts with a browser added or removed; the same list if nothing changes. */
function pushWith(push: Persona["push"], { subscription, isOn, name }: PushDevice): Persona["push"] {
  const isThere = push.some(({ value, isActive }) => isActive && value === subscription);
  const others = push.filter(({ value }) => endpointOf(value) !== endpointOf(subscription));
  if (isOn ? isThere : others.length === push.length) return push;
  const own = { id: crypto.randomUUID(), value: subscription, isActive: true, reference: name };
  return isOn ? [...others, own].slice(-MOST_DEVICES) : others;
}

function endpointOf(subscription: string): string | undefined {
  return readSubscription(subscription)?.endpoint;
}
