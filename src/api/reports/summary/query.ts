import { z } from "@hono/zod-openapi";
import { formatMembers } from "../../../core/cursor.ts";
import { companyQuery, idParameter, idShape, instant, listText, machineMembers, text } from "../../../core/inputs.ts";
import { asOfMember } from "../as-of.ts";
import { faultOf, groups } from "./groups.ts";

const ids = listText(idParameter, idShape).optional();
const textIds = listText(text(200).min(1), { type: "string", pattern: "^[^,]+$" }).optional();
const sinceEpoch = instant.refine((at) => at >= 0, "must not be before 1970");

/** The filters of reports about parts of shifts. */
export const filters = {
  companyId: companyQuery,
  ...machineMembers,
  lineIds: ids.openapi({ description: "Shifts whose machine was in one of these lines when they began" }),
  shiftIds: ids,
  skuIds: textIds.openapi({ description: "What was made while one of these was set" }),
  workOrderIds: textIds.openapi({ description: "What was made for one of these" }),
  operatorIds: ids.openapi({
    description: "Only shifts in which one of these operators worked, with everything that was made in them",
  }),
};

/** The members of a time range. */
export const rangeMembers = { from: sinceEpoch.optional(), to: sinceEpoch.optional() };

const groupBy = listText(z.enum(groups), { type: "string", enum: [...groups] })
  .superRefine((list, c) => {
    const message = faultOf(list);
    if (message) c.addIssue({ code: "custom", message });
  })
  .openapi({
    minItems: 1,
    maxItems: 2,
    uniqueItems: true,
    description: "One group, or two separated by a comma: `machine,day`. Rows are sorted by them",
    example: ["machine", "day"],
  });

/** The query parameters of a summary. */
export const query = z.strictObject({
  groupBy,
  from: rangeMembers.from.openapi({ description: "Default: midnight of the local day six days before the end, for seven days" }),
  to: rangeMembers.to.openapi({
    description: "Default: the end of the current local hour. Only time up to now is counted",
  }),
  asOf: asOfMember,
  ...filters,
  ...formatMembers,
});
export type SummaryQuery = z.infer<typeof query>;
