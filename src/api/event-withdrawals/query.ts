import { z } from "@hono/zod-openapi";
import { paged } from "../../core/cursor.ts";
import { companyQuery, flagText, instant, machineMembers } from "../../core/inputs.ts";

/** The query parameters of the list of withdrawals. */
export const query = paged(z.tuple([z.int(), z.int()])).extend({
  companyId: companyQuery,
  ...machineMembers,
  from: instant.optional().openapi({ description: "Withdrawals whose `from` is at or after this time" }),
  to: instant.optional().openapi({ description: "Withdrawals whose `from` is before this time" }),
  includeRestored: flagText.default(false).openapi({ description: "Whether those that were taken back are included" }),
});
export type WithdrawalsQuery = z.infer<typeof query>;
