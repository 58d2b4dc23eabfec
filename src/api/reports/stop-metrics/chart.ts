import { z } from "@hono/zod-openapi";
import { distinct, instant } from "../../../core/inputs.ts";
import { stopMetricNames } from "./metrics.ts";

const ids = distinct(z.int()).optional().openapi({ description: "Only these; an empty list selects nothing" });
const sinceEpoch = instant.refine((at) => at >= 0, "must not be before 1970");
const dateRange = z
  .strictObject({ from: sinceEpoch, to: sinceEpoch })
  .refine(({ from, to }) => from < to, { path: ["to"], message: "must be after `from`" });

/** What a chart of stop metrics shows. */
export const chart = z.strictObject({
  filter_by: z.strictObject({
    date_range: dateRange.openapi({
      description: "`from` is included, `to` is not; minutes and stops outside the range are left out",
    }),
    machine_ids: ids,
    shift_ids: ids,
    is_programmed: z.boolean().optional(),
    company_id: z.int().optional().openapi({ description: "Superusers only; all others mean their own" }),
  }),
  metrics: distinct(z.enum(stopMetricNames)).min(1),
  interval: z.enum(["hour", "day", "week"]).default("day"),
  group_by: z.enum(["machine", "shift", "general_cause", "specific_cause", "component"]).optional(),
});
export type Chart = z.infer<typeof chart>;
