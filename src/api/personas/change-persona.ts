import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { type Fault, invalid, notFound } from "../../core/problem.ts";
import { keepAnswer } from "../../http/idempotency.ts";
import { text } from "../../http/inputs.ts";
import { auditBy } from "../../http/old-audit.ts";
import { allowPermission } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { db } from "../../http/session.ts";
import { companyOf, untilWritten } from "../setup/scope.ts";
import { persona } from "./create-persona.ts";
import { changePersona, findPersona, type Persona } from "./queries.ts";

const phone = text(16).regex(/^(\+[1-9]\d{6,14})?$/, "must be a phone number with + and country code (E.164), or empty");
const address = z.union([z.literal(""), z.email().max(254)]);

/** Members of a contact; what is left out stays as it is. */
const contactOf = <T extends z.ZodType<string>>(value: T) => z.object({ value, isActive: z.boolean() }).partial();
const phoneContact = contactOf(phone.openapi({ description: "E.164, such as +34600111222; empty: none" }));
const emailContact = contactOf(address.openapi({ type: "string", description: "An e-mail address; empty: none" }));
const pushContact = z.object({
  id: z.uuid().optional().openapi({ description: "Of one of the persona's; a new one when left out" }),
  value: text(500).min(1),
  isActive: z.boolean().default(true),
  reference: text(200).default(""),
});
const hours = z.object({
  start: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "must be HH:mm, up to 23:59"),
  end: z.string().regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, "must be HH:mm, up to 24:00"),
});
const week = z.object({
  sunday: hours,
  monday: hours,
  tuesday: hours,
  wednesday: hours,
  thursday: hours,
  friday: hours,
  saturday: hours,
});

const body = z
  .object({
    name: text(200).min(1),
    isActive: z.boolean(),
    sms: phoneContact,
    whatsapp: phoneContact,
    email: emailContact,
    push: z.array(pushContact).max(20).openapi({ description: "Replaces the list" }),
    alertHours: week.partial().openapi({ description: "Days that are left out stay as they are" }),
    language: z.enum(["english", "spanish"]),
  })
  .partial();

export const contract = createRoute({
  method: "patch",
  path: "/v1/personas/{id}",
  operationId: "changePersona",
  tags: ["personas"],
  summary: "Change an alert persona",
  description: "What is left out stays as it is. A contact that is active needs a value. Honours an Idempotency-Key.",
  ...allowPermission("personas:write", { isIdempotent: true }),
  request: {
    params: z.object({ id: text(100) }),
    body: {
      required: true,
      content: {
        "application/json": {
          schema: body,
          example: {
            sms: { value: "+34600111222", isActive: true },
            alertHours: { sunday: { start: "00:00", end: "00:00" }, friday: { start: "22:00", end: "06:00" } },
            language: "english",
          },
        },
      },
    },
  },
  responses: {
    200: { description: "The persona as changed", content: { "application/json": { schema: persona } } },
    ...problemResponses(400, 401, 403, 404, 409, 413, 415, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const { id } = c.req.valid("param");
  const sent = c.req.valid("json");
  const changed = await untilWritten(async () => {
    const found = await findPersona(db(c), id, companyOf(c, undefined, undefined));
    if (!found) throw notFound(`There is no persona ${id}.`);
    const next = changedBy(sent, found.persona);
    const faults = faultsOf(sent, next, found.persona);
    if (faults.length > 0) throw invalid(faults);
    const keep = keepAnswer(c, 200, JSON.stringify(next));
    return (await changePersona(db(c), found, next, keep, auditBy(c), Date.now())) ? next : null;
  });
  return c.json(changed, 200);
};

function changedBy(sent: z.infer<typeof body>, before: Persona): Persona {
  const { sms, whatsapp, email, push, alertHours } = sent;
  return {
    ...before,
    name: sent.name ?? before.name,
    isActive: sent.isActive ?? before.isActive,
    language: sent.language ?? before.language,
    sms: { ...before.sms, ...defined(sms) },
    whatsapp: { ...before.whatsapp, ...defined(whatsapp) },
    email: { ...before.email, ...defined(email) },
    push: push?.map((one) => ({ ...one, id: one.id ?? crypto.randomUUID() })) ?? before.push,
    alertHours: { ...before.alertHours, ...(defined(alertHours) as Partial<Persona["alertHours"]>) },
  };
}

/** Without the members that are undefined. */
function defined<T extends object>(members: T | undefined): Partial<{ [K in keyof T]: Exclude<T[K], undefined> }> {
  return Object.fromEntries(Object.entries(members ?? {}).filter(([, value]) => value !== undefined)) as never;
}

function faultsOf({ push = [] }: z.infer<typeof body>, next: Persona, before: Persona): Fault[] {
  const contacts = ["sms", "whatsapp", "email"] as const;
  const empty = contacts.filter((name) => next[name].isActive && next[name].value === "");
  const known = new Set(before.push.map(({ id }) => id));
  const seen = new Set<string>();
  const faults: Fault[] = empty.map((name) => {
    return { pointer: `/${name}/value`, code: "required", message: "is required while the contact is active" };
  });
  for (const [i, { id }] of push.entries()) {
    if (id === undefined) continue;
    const pointer = `/push/${i}/id`;
    if (!known.has(id)) faults.push({ pointer, code: "not_found", message: "names none of the persona's: leave it out" });
    if (seen.has(id)) faults.push({ pointer, code: "not_unique", message: "is in the list already" });
    seen.add(id);
  }
  return faults;
}
