import { z } from "@hono/zod-openapi";
import { paged } from "../../core/cursor.ts";
import { companyQuery, flagText, idParameter, idShape, instant, listText, machineMembers } from "../../core/inputs.ts";

/** The query parameters of the list of corrections. */
export const query = paged(z.tuple([z.int(), z.int()])).extend({
  companyId: companyQuery,
  ...machineMembers,
  reasonIds: listText(idParameter, idShape).optional(),
  from: instant.optional().openapi({ description: "Corrections whose `at` is at or after this time" }),
  to: instant.optional().openapi({ description: "Corrections whose `at` is before this time" }),
  includeUndone: flagText.default(false).openapi({ description: "Whether those that were undone are included" }),
});
export type CorrectionsQuery = z.infer<typeof query>;
