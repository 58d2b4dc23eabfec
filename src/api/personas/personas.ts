import { companyOf } from "../../core/actor.ts";
import type { Caller } from "../../core/caller.ts";
import { defined } from "../../core/defined.ts";
import { type Fault, invalid, notFound } from "../../core/problem.ts";
import { selectCompany } from "../../core/queries.ts";
import { write } from "../../core/write.ts";
import { nextUpdatedAt } from "../../db/expect.ts";
import { insertPersona, isSamePersona, type PersonaRow, selectPersona, updatePersona } from "./queries.ts";

/** A persona as it is shown. */
export type Persona = Omit<PersonaRow, "companyId" | "createdAt" | "updatedAt">;

type Partially<T> = { [K in keyof T]?: T[K] | undefined };
type Contact = Persona["sms"];

/** A change of a persona; undefined members do not change. A push contact without an id is new. */
export type PersonaChange = Partially<Pick<Persona, "name" | "isActive" | "language">> & {
  [Name in "sms" | "whatsapp" | "email"]?: Partially<Pick<Contact, "value" | "isActive">> | undefined;
} & {
  push?: readonly (Omit<Contact, "id"> & { id?: string | undefined })[] | undefined;
  alertHours?: Partially<Persona["alertHours"]> | undefined;
};

/** The same for each day of the week. */
export function daily<T>(day: T) {
  return { sunday: day, monday: day, tuesday: day, wednesday: day, thursday: day, friday: day, saturday: day };
}

/** Creates a persona of a company: active all day, every day, and without contacts. */
export async function createPersona(caller: Caller, companyId: number, name: string): Promise<{ data: Persona }> {
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
        answer: { data: persona },
      };
    },
  );
  return answer;
}

/** Changes a persona. Returns the changed persona. */
export async function changePersona(caller: Caller, id: string, change: PersonaChange): Promise<Persona> {
  const { answer } = await write(
    caller,
    (db) => [selectPersona(db, id, companyOf(caller.actor))],
    ([row]) => {
      if (!row) throw notFound(`There is no persona ${id}.`);
      const before = personaOf(row);
      const next = changedBy(change, before);
      const faults = faultsOf(change, next, before);
      if (faults.length > 0) throw invalid(faults);
      if (JSON.stringify(next) === JSON.stringify(before)) return { answer: before };
      return {
        expect: [isSamePersona(row)],
        rows: [updatePersona(caller.db, { ...row, ...next, updatedAt: nextUpdatedAt(row) })],
        audit: { action: "persona.change", companyId: row.companyId, objectId: id, before, after: next },
        answer: next,
      };
    },
  );
  return answer;
}

function personaOf({ companyId: _, createdAt: __, updatedAt: ___, ...persona }: PersonaRow): Persona {
  return persona;
}

function newPersona(name: string): Persona {
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
  const { sms, whatsapp, email, push, alertHours } = change;
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
    if (!known.has(id)) faults.push({ pointer, code: "not_found", message: "names none of the persona's: leave it out" });
    if (seen.has(id)) faults.push({ pointer, code: "not_unique", message: "is in the list already" });
    seen.add(id);
  }
  return faults;
}
