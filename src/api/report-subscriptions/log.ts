import { z } from "@hono/zod-openapi";
import { answerText } from "../../core/answer-text.ts";
import { isoOf } from "../../oee/time.ts";
import type { LogRow } from "./queries.ts";

/** A run of a report, as responses show its log. */
export const log = z
  .object({
    id: answerText,
    subscriptionId: answerText,
    status: z.enum(["scheduled", "running", "succeeded", "failed", "skipped"]),
    detail: answerText,
    shiftTitle: answerText,
    executeAt: z.iso.datetime().openapi({ description: "When the report was due" }),
    executedAt: z.iso.datetime().nullable().openapi({ description: "Null until it has run" }),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    deletedAt: z.iso.datetime().nullable(),
  })
  .openapi("SubscriptionLog");

/** Returns the response item of a log row. */
export function logOf(row: LogRow): z.infer<typeof log> {
  const { id, subscriptionId, status, detail, shiftTitle, executeAt, executedAt, createdAt, updatedAt, deletedAt } = row;
  return {
    ...{ id, subscriptionId, status, detail, shiftTitle },
    executeAt: isoOf(executeAt),
    executedAt: isoOf(executedAt),
    createdAt: isoOf(createdAt),
    updatedAt: isoOf(updatedAt),
    deletedAt: isoOf(deletedAt),
  };
}
