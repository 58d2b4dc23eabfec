import { z } from "@hono/zod-openapi";
import { paged } from "../../../core/cursor.ts";
import { companyQuery, idParameter, idShape, instant, listText, machineMembers, text } from "../../../core/inputs.ts";
import { eventTypes } from "../../../db/values.ts";

/** The query parameters of the event list. */
export const query = paged(z.tuple([z.enum(["seq", "-seq"]), z.int()])).extend({
  companyId: companyQuery,
  types: listText(z.enum(eventTypes), { type: "string", enum: [...eventTypes] }).optional(),
  ...machineMembers,
  lineIds: listText(idParameter, idShape).optional().openapi({ description: "Of the machines that are in these lines now" }),
  from: instant.optional().openapi({ description: "Only events at or after this time" }),
  to: instant.optional().openapi({ description: "Only events before this time" }),
  after: text(200).min(1).optional().openapi({
    description: "Only events after the one with this id. To follow events, pass the id of the last one received",
  }),
  sort: z.enum(["seq", "-seq"]).default("seq").openapi({ description: "Oldest first, or with `-` newest first" }),
});
export type EventQuery = z.infer<typeof query>;
