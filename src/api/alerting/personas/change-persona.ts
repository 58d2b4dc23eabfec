import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { distinct, multilineText, nameText, text } from "../../../core/inputs.ts";
import { allowPermission } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { changePersona, daily } from "./personas.ts";
import { changedPersona } from "./shapes.ts";

const phone = text(16).regex(/^(\+[1-9]\d{6,14})?$/, "must be a phone number with + and country code (E.164), or empty");
const address = z.union([z.literal(""), z.email().max(254)]);

/** Members of a contact, all optional. */
const contactOf = <T extends z.ZodType<string>>(value: T) => z.object({ value, isActive: z.boolean() }).partial();
const phoneContact = contactOf(phone.openapi({ description: "E.164, such as +34600111222; empty: none" }));
const emailContact = contactOf(address.openapi({ description: "An e-mail address; empty: none" }));
const pushContact = z.object({
  id: z.uuid().optional().openapi({ description: "One of the persona's push contacts; a new one when left out" }),
  value: multilineText(2000).min(1).openapi({ description: "A browser's PushSubscription as JSON text" }),
  isActive: z.boolean().default(true),
  reference: text(200).default(""),
});
const hours = z.object({
  start: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "must be HH:mm, up to 23:59"),
  end: z.string().regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, "must be HH:mm, up to 24:00"),
});
const week = z.object(daily(hours));

const body = z
  .object({
    name: nameText(200),
    isActive: z.boolean(),
    sms: phoneContact,
    whatsapp: phoneContact,
    email: emailContact,
    push: z.array(pushContact).max(20).openapi({ description: "Replaces the list" }),
    alertHours: week.partial().openapi({ description: "Days that are left out do not change" }),
    alertIds: distinct(text(100).min(1)).openapi({
      description: "The alert rules that notify this persona. Replaces the list",
    }),
    language: z.enum(["english", "spanish"]),
  })
  .partial();

export const contract = createRoute({
  method: "patch",
  path: "/v1/personas/{id}",
  operationId: "changePersona",
  tags: ["personas"],
  summary: "Change an alert persona",
  description: `Members that are left out do not change. An active contact needs a value; if its channel is off, the answer has a warning. Honours an
Idempotency-Key.`,
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
    200: { description: "The changed persona", content: { "application/json": { schema: changedPersona } } },
    ...problemResponses(400, 401, 403, 404, 409, 413, 415, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  return c.json(await changePersona(callerOf(c), c.req.valid("param").id, c.req.valid("json")), 200);
};
