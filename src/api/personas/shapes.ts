import { z } from "@hono/zod-openapi";
import { daily } from "./personas.ts";

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
      description: "The end is exclusive. An end before the start is on the next day; equal times mean no alerts that day",
    }),
    alertIds: z.array(z.string()),
    language: z.string().openapi({ example: "spanish" }),
  })
  .openapi("Persona");
