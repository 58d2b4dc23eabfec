import { z } from "@hono/zod-openapi";
import { answerText } from "../../../core/answer-text.ts";
import { eventTypes } from "../../../db/values.ts";

/** An event as it is sent and listed. */
export const event = z
  .object({
    id: answerText.openapi({ description: "Stays the same when the event is sent again" }),
    type: z.enum(eventTypes),
    timestamp: z.iso.datetime().openapi({ description: "When it happened" }),
    data: z.record(answerText, z.unknown()).openapi({ description: "By type: see the document's `webhooks`" }),
    url: answerText.nullable().openapi({ description: "The board's page about it; null: the service has no `PUBLIC_URL`" }),
  })
  .openapi("Event");
