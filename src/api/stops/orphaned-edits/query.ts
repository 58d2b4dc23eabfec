import { z } from "@hono/zod-openapi";
import { paged } from "../../../core/cursor.ts";
import { companyQuery, instant, machineMembers } from "../../../core/inputs.ts";

/** The query parameters of the list of orphaned edits. */
export const query = paged(z.tuple([z.int(), z.int()])).extend({
  companyId: companyQuery,
  ...machineMembers,
  from: instant.optional().openapi({ description: "What was said of stops that began at or after this time" }),
  to: instant.optional().openapi({ description: "What was said of stops that began before this time" }),
});
export type OrphanedEditsQuery = z.infer<typeof query>;
