import { z } from "@hono/zod-openapi";
import { paged } from "../../core/cursor.ts";
import { companyQuery, idParameter, idShape, instant, listText, machineMembers, text } from "../../core/inputs.ts";
import { eventTypes } from "../../db/values.ts";

/** The query of the list. */
export const query = paged(z.tuple([z.enum(["seq", "-seq"]), z.int()])).extend({
  companyId: companyQuery,
  types: listText(z.enum(eventTypes), { type: "string", enum: [...eventTypes] }).optional(),
  ...machineMembers,
  lineIds: listText(idParameter, idShape).optional().openapi({ description: "Of the machines that are in these lines now" }),
  from: instant.optional().openapi({ description: "What happened at or after this" }),
  to: instant.optional().openapi({ description: "What happened before this" }),
  after: text(200).min(1).optional().openapi({
    description: "What was told after the event with this id. Whoever follows the events gives the last one that they know",
  }),
  sort: z
    .enum(["seq", "-seq"])
    .default("seq")
    .openapi({ description: "In the order in which they were told, or with `-` the newest first" }),
});
export type EventQuery = z.infer<typeof query>;
