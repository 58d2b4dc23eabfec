import { z } from "@hono/zod-openapi";
import { keyText, paged } from "../../../core/cursor.ts";
import { companyQuery, flagText, idParameter, idShape, instant, listText, machineMembers, text } from "../../../core/inputs.ts";

/** The query parameters of the incident list. */
export const query = paged(z.tuple([z.int(), keyText])).extend({
  companyId: companyQuery,
  isOpen: flagText.optional().openapi({ description: "Whether it is not resolved" }),
  ruleIds: listText(text(100), { type: "string", maxLength: 100 }).optional(),
  ...machineMembers,
  lineIds: listText(idParameter, idShape).optional().openapi({
    description: "About a machine that is in one of these lines now. Repeated, or separated by commas",
  }),
  from: instant.optional().openapi({ description: "Only incidents opened at or after this time" }),
  to: instant.optional().openapi({ description: "Only incidents opened before this time" }),
  sort: z.enum(["-openedAt", "openedAt"]).default("-openedAt").openapi({ description: "Newest first, or oldest first" }),
});
export type IncidentQuery = z.infer<typeof query>;
