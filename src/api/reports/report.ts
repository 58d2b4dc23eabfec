import { z } from "@hono/zod-openapi";
import { idNumberOrText, instant } from "../../core/inputs.ts";
import { asOfMember } from "./as-of.ts";

const ids = z.array(z.int()).max(1000).optional().openapi({ description: "Only these; an empty list selects nothing" });

/** Filter and page of a report. Unknown members are refused, because ignoring one would widen the result. */
export const reportFilter = z.strictObject({
  companyIds: ids,
  machineIds: ids,
  shiftIds: ids,
  from: instant.optional().openapi({ description: "Shifts that start at or after this" }),
  to: instant.optional().openapi({ description: "Shifts that start before this" }),
  page: z.int().min(1).default(1),
  pageSize: z.int().min(1).max(1000).default(100),
  asOf: asOfMember,
  direction: z.enum(["asc", "desc"]).default("desc").openapi({ description: "By start; newest first by default" }),
});
export type ReportFilter = z.infer<typeof reportFilter>;

const flag = z.boolean().optional();
const causeIds = z
  .array(idNumberOrText)
  .max(1000)
  .optional()
  .openapi({ description: "Ids as text, as in the answer, or as numbers" });

/** Filter and page of the stop report. */
export const stopFilter = reportFilter.extend({
  isProgrammed: flag,
  isManual: flag,
  isIncludedInStops: flag,
  isIncludedInAvailability: flag,
  isClassified: flag,
  isOpen: flag.openapi({ description: "Whether the stop is still open" }),
  minDurationInMinutes: z.number().min(0).optional().openapi({ description: "Of the part of the stop in the shift" }),
  generalCauseIds: causeIds,
  specificCauseIds: causeIds,
  componentIds: causeIds,
  includeDeleted: z.boolean().default(false),
});
export type StopFilter = z.infer<typeof stopFilter>;

export const paging = z.object({
  totalCount: z.int().openapi({ description: "Rows that the filter selects; with `asOf` at most 10,000 are counted" }),
  totalPages: z.int(),
  currentPage: z.int().openapi({ description: "As requested; a page beyond the last is empty" }),
});

/** The position of a page among all rows. */
export function pagingOf(totalCount: number, { page, pageSize }: ReportFilter): z.infer<typeof paging> {
  return { totalCount, totalPages: Math.ceil(totalCount / pageSize), currentPage: page };
}
