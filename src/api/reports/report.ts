import { z } from "@hono/zod-openapi";
import { instant } from "../../http/inputs.ts";
import { type Interval, isoOf } from "../../oee/time.ts";

const ids = z.array(z.int()).max(1000).optional().openapi({ description: "Of these alone; an empty list selects nothing" });

/** What selects and pages the rows of a report. A member that is not known here is refused: it must not widen the answer. */
export const reportFilter = z.strictObject({
  companyIds: ids,
  machineIds: ids,
  shiftIds: ids,
  from: instant.optional().openapi({ description: "Shifts that start at or after this" }),
  to: instant.optional().openapi({ description: "Shifts that start before this" }),
  page: z.int().min(1).default(1),
  pageSize: z.int().min(1).max(1000).default(100),
  direction: z.enum(["asc", "desc"]).default("desc").openapi({ description: "By start; newest first unless told otherwise" }),
});
export type ReportFilter = z.infer<typeof reportFilter>;

type Range = Pick<ReportFilter, "from" | "to">;

/** That a filter's range does not end before it starts, and what to say when it does: the arguments of `refine`. */
export const rangeRule: [isMet: (range: Range) => boolean, fault: { path: string[]; message: string }] = [
  ({ from, to }) => from === undefined || to === undefined || from <= to,
  { path: ["from"], message: "must not be after `to`" },
];

export const paging = z.object({
  totalCount: z.int().openapi({ description: "Rows that the filter selects" }),
  totalPages: z.int(),
  currentPage: z.int().openapi({ description: "As asked; a page beyond the last is empty" }),
});

/** Where a page stands among all rows. */
export function pagingOf(totalCount: number, { page, pageSize }: ReportFilter): z.infer<typeof paging> {
  return { totalCount, totalPages: Math.ceil(totalCount / pageSize), currentPage: page };
}

/** Something with a name and a number: a company or a machine. */
export const namedRef = z.object({ name: z.string(), id: z.int() });

export const shiftRef = z.object({
  isActive: z.boolean().openapi({ description: "Whether this run of the shift goes on at the moment" }),
  endTime: z.iso.datetime(),
  startTime: z.iso.datetime(),
  name: z.string(),
  id: z.int(),
});

/** A run of a shift from `start` to `end`, as of `now` (epoch ms). */
export function shiftRefOf(
  { shiftId, shiftName }: { shiftId: number; shiftName: string },
  { start, end }: Interval,
  now: number,
): z.infer<typeof shiftRef> {
  return {
    isActive: start <= now && now < end,
    endTime: isoOf(end),
    startTime: isoOf(start),
    name: shiftName,
    id: shiftId,
  };
}
