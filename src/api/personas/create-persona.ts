import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { notFound } from "../../core/problem.ts";
import { keepAnswer } from "../../http/idempotency.ts";
import { text } from "../../http/inputs.ts";
import { auditBy } from "../../http/old-audit.ts";
import { allowRoles } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { db } from "../../http/session.ts";
import { insertPersona, type Persona } from "./queries.ts";

const daily = <T>(day: T) => ({
  sunday: day,
  monday: day,
  tuesday: day,
  wednesday: day,
  thursday: day,
  friday: day,
  saturday: day,
});

const contact = z.object({ id: z.uuid(), value: z.string(), isActive: z.boolean(), reference: z.string() });
const clock = z.string().openapi({ description: "HH:mm, up to 24:00", example: "00:00" });
/** A persona as it is shown. */
export const persona = z
  .object({
    id: z.uuid(),
    name: z.string(),
    isActive: z.boolean(),
    isUser: z.boolean(),
    sms: contact,
    whatsapp: contact,
    email: contact,
    push: z.array(contact),
    alertHours: z.object(daily(z.object({ start: clock, end: clock }))).openapi({
      description: "End exclusive; an end before the start is on the next day, equal ones are silence",
    }),
    alertIds: z.array(z.string()),
    language: z.string().openapi({ example: "spanish" }),
  })
  .openapi("Persona");

export const contract = createRoute({
  method: "put",
  path: "/v2/alert-settings/superuser/persona/new",
  operationId: "createPersona",
  tags: ["personas"],
  summary: "Create an alert persona",
  description: "Active all day, every day, without contacts and alerts yet. Each call creates one; honours an Idempotency-Key.",
  ...allowRoles(["superuser"], { isIdempotent: true }),
  request: {
    body: {
      required: true,
      content: {
        "application/json": {
          schema: z.object({ name: text(200).min(1), companyId: z.int().min(1) }),
          example: { name: "Night shift lead", companyId: 1 },
        },
      },
    },
  },
  responses: {
    200: { description: "The new persona", content: { "application/json": { schema: z.object({ data: persona }) } } },
    ...problemResponses(400, 401, 403, 404, 409, 413, 415, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const { name, companyId } = c.req.valid("json");
  const answer = { data: newPersona(name) };
  const keep: Parameters<typeof insertPersona>[3] = (condition) => keepAnswer(c, 200, JSON.stringify(answer), condition);
  const isCreated = await insertPersona(db(c), companyId, answer.data, keep, auditBy(c), Date.now());
  if (!isCreated) throw notFound(`There is no company ${companyId}.`);
  return c.json(answer, 200);
};

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
