import { z } from "@hono/zod-openapi";
import { brokenRule, distinct, instant, rangeRule } from "../../../core/inputs.ts";
import { someCausesBody } from "../causes.ts";

const ids = distinct(z.int().min(0)).min(1).optional();
const flag = z.boolean().optional();

/** Which stops: the filters of the list of stops, as members of a body. */
const filter = z
  .strictObject({
    machineIds: ids,
    shiftIds: ids.openapi({ description: "Stops that start in one of these shifts" }),
    from: instant.optional().openapi({ description: "Stops that start at or after this" }),
    to: instant.optional().openapi({ description: "Stops that start before this" }),
    isProgrammed: flag,
    isManual: flag,
    isIncludedInStops: flag,
    isIncludedInAvailability: flag,
    isClassified: flag.openapi({ description: "Whether the stop has a cause, a component or a description" }),
    isOpen: flag.openapi({ description: "Whether the stop is going on" }),
    minDurationInMinutes: z.number().min(0).optional(),
    generalCauseIds: ids,
    specificCauseIds: ids,
    hasGeneralCause: flag,
    hasSpecificCause: flag,
    componentIds: ids,
  })
  .superRefine(rangeRule);

/** The body of a bulk classification. */
export const classifyBody = someCausesBody
  .extend({
    companyId: z.int().min(1).optional().openapi({ description: "Only superusers may name another company than their own" }),
    ids: distinct(z.int().min(1)).min(1).optional().openapi({ description: "The stops. Either these or a `filter`" }),
    filter: filter
      .optional()
      .openapi({ description: "All stops that the list of stops has with the same filters, up to 10,000" }),
    dryRun: z.boolean().default(false).openapi({ description: "Only counts the stops, and changes nothing" }),
  })
  .strict()
  .superRefine((body, c) => {
    if ((body.ids === undefined) === (body.filter === undefined)) {
      c.addIssue(brokenRule("required", ["ids"], "is required unless there is a `filter`, and only one of the two may be there"));
    }
  });
export type ClassifyBody = z.infer<typeof classifyBody>;
