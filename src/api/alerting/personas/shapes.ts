import { z } from "@hono/zod-openapi";
import { answerText } from "../../../core/answer-text.ts";
import { channels } from "../../../db/values.ts";
import { daily } from "./personas.ts";

const contact = z.object({ id: z.uuid(), value: answerText, isActive: z.boolean(), reference: answerText });
const clock = answerText.openapi({ description: "HH:mm, up to 24:00", example: "00:00" });
/** A persona as responses show it. */
export const persona = z
  .object({
    id: z.uuid(),
    name: answerText,
    isActive: z.boolean(),
    isUser: z.boolean(),
    sms: contact,
    whatsapp: contact,
    email: contact,
    push: z.array(contact),
    alertHours: z.object(daily(z.object({ start: clock, end: clock }))).openapi({
      description: "The end is exclusive. An end before the start is on the next day; equal times mean no alerts that day",
    }),
    alertIds: z.array(answerText),
    language: answerText.openapi({ example: "spanish" }),
  })
  .openapi("Persona");

const warning = z.object({
  code: z.literal("channel_off"),
  channel: z.enum(channels),
  message: answerText,
});

/** A changed persona, with warnings about contacts that will not work. */
export const changedPersona = persona
  .extend({
    warnings: z
      .array(warning)
      .openapi({ description: "Active contacts of channels that the service has not set up: see GET /v1/channels" }),
  })
  .openapi("ChangedPersona");

/** The push set-up of a user. */
export const pushState = z
  .object({
    key: answerText.nullable().openapi({ description: "Base64url; null: push is off" }),
    endpoints: z.array(answerText).openapi({ description: "The browsers that get your push messages" }),
    isNotified: z.boolean().openapi({ description: "Whether any alert rule or report notifies you" }),
  })
  .openapi("PushState");
