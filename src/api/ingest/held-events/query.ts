import { z } from "@hono/zod-openapi";
import { paged } from "../../../core/cursor.ts";
import { companyQuery, instant, machineMembers } from "../../../core/inputs.ts";

/** The query parameters of the list of held events. */
export const query = paged(z.tuple([z.int(), z.int()])).extend({
  companyId: companyQuery,
  ...machineMembers,
  from: instant.optional().openapi({ description: "Entries with events at or after this time" }),
  to: instant.optional().openapi({ description: "Entries with events before this time" }),
});
export type HeldQuery = z.infer<typeof query>;

/** The query parameters of the events of an entry. */
export const eventsQuery = paged(z.tuple([z.int()]));
export type HeldEventsQuery = z.infer<typeof eventsQuery>;
