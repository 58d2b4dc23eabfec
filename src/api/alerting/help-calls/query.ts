import { z } from "@hono/zod-openapi";
import { paged } from "../../../core/cursor.ts";
import { companyQuery, flagText, instant, machineMembers } from "../../../core/inputs.ts";

/** The query parameters of the list of help calls. */
export const query = paged(z.tuple([z.int(), z.int()])).extend({
  companyId: companyQuery,
  ...machineMembers,
  isOpen: flagText.optional().openapi({ description: "Whether nobody has answered yet" }),
  from: instant.optional().openapi({ description: "Calls at or after this time" }),
  to: instant.optional().openapi({ description: "Calls before this time" }),
});
export type HelpCallQuery = z.infer<typeof query>;
