import { z } from "@hono/zod-openapi";
import { paged } from "../../core/cursor.ts";
import { companyQuery, idParameter, instant, text } from "../../core/inputs.ts";

/** The query parameters of the audit list. */
export const query = paged(z.tuple([z.int(), z.int()])).extend({
  companyId: companyQuery,
  userId: idParameter.optional().openapi({ description: "Entries of this user" }),
  apiTokenId: idParameter.optional().openapi({ description: "Only changes made with this API token" }),
  action: text(50).optional().openapi({ example: "stop.classify" }),
  objectType: text(50).optional().openapi({ example: "stop" }),
  objectId: text(100).optional(),
  from: instant.optional().openapi({ description: "At or after this time" }),
  to: instant.optional().openapi({ description: "Before this time" }),
});
export type AuditQuery = z.infer<typeof query>;
