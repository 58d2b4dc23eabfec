import { z } from "@hono/zod-openapi";
import { paged } from "../../core/cursor.ts";
import { companyQuery, flagText } from "../../core/inputs.ts";

/** The query parameters of the list of report subscriptions. */
export const query = paged(z.tuple([z.int(), z.string()])).extend({
  companyId: companyQuery,
  includeDeleted: flagText.default(false).openapi({ description: "Whether deleted ones are included" }),
});
export type SubscriptionQuery = z.infer<typeof query>;
