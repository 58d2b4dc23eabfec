import { z } from "@hono/zod-openapi";
import { formatMembers } from "../../../core/cursor.ts";
import { filters, rangeMembers } from "../summary/query.ts";

export const intervals = ["5min", "15min", "hour", "shift"] as const;

/** The query parameters of production by interval. */
export const query = z.strictObject({
  interval: z.enum(intervals).default("hour"),
  from: rangeMembers.from.openapi({ description: "Default: midnight of the local day of the end" }),
  to: rangeMembers.to.openapi({
    description: "Default: the end of the current local hour. Only time up to now is counted",
  }),
  ...filters,
  ...formatMembers,
});
export type ProductionQuery = z.infer<typeof query>;
