import { z } from "@hono/zod-openapi";
import { keyText, paged } from "../../core/cursor.ts";
import { companyQuery } from "../../core/inputs.ts";
import { tagSubjects } from "../../db/values.ts";

/** The query parameters of the tag list. */
export const query = paged(z.tuple([keyText, keyText])).extend({
  companyId: companyQuery,
  subject: z.enum(tagSubjects).optional(),
});
export type TagQuery = z.infer<typeof query>;
