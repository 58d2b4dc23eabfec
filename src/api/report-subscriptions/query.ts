import { z } from "@hono/zod-openapi";
import { keyText, paged } from "../../core/cursor.ts";
import { companyQuery, flagText } from "../../core/inputs.ts";

/** The query parameters of the list of report subscriptions. */
export const query = paged(z.tuple([z.int(), keyText])).extend({
  companyId: companyQuery,
  includeDeleted: flagText.default(false).openapi({ description: "Whether deleted ones are included" }),
});
export type SubscriptionQuery = z.infer<typeof query>;
