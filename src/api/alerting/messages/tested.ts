import { z } from "@hono/zod-openapi";
import { answerText } from "../../../core/answer-text.ts";
import { channels, messageStatuses } from "../../../db/values.ts";

/** The results of a test, one per contact. */
export const tested = z
  .object({
    data: z.array(
      z.object({
        messageId: answerText,
        channel: z.enum(channels),
        contactId: answerText,
        status: z.enum(messageStatuses).openapi({ description: "`pending`: this attempt failed, and another one follows" }),
        reason: answerText.nullable().openapi({ description: "Why it failed, such as `channel_off`; null: it did not" }),
      }),
    ),
  })
  .openapi("Tested");
