import { z } from "@hono/zod-openapi";
import { paged } from "../../../core/cursor.ts";
import { companyQuery, flagText } from "../../../core/inputs.ts";

/** The query parameters of the list of recalculations. */
export const query = paged(z.tuple([z.int()])).extend({
  companyId: companyQuery,
  isOpen: flagText.optional().openapi({ description: "Whether it has not ended" }),
});
export type RecalculationQuery = z.infer<typeof query>;
