import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { answerText } from "../../../core/answer-text.ts";
import { recalculatingMember } from "../../../core/recalculating.ts";
import { answerReport, reportAnswer } from "../../../http/lists.ts";
import { allowPermission } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { readAsOf } from "../as-of.ts";
import { groups } from "./groups.ts";
import { query } from "./query.ts";
import { figures, row } from "./row.ts";
import { summarize } from "./summary.ts";

const summary = z
  .object({
    groupBy: z.array(z.enum(groups)),
    timezone: answerText.openapi({ description: "The company's time zone, in which hours, days, weeks and months are cut" }),
    from: z.iso.datetime(),
    to: z.iso.datetime(),
    isRecalculating: recalculatingMember,
    total: figures.openapi({ description: "Everything that the filters select" }),
    data: z.array(row),
  })
  .openapi("Summary");

export const contract = createRoute({
  method: "get",
  path: "/v1/summary",
  operationId: "getSummary",
  tags: ["reports"],
  summary: "Time, production and OEE by one or two groups",
  description: `One row per group, or per pair of two: minutes, units and standard time are summed, and percentages computed from the
sums, never averaged. So minutes and units of rows can be added; \`minutesLostByLowSpeed\` cannot, add \`availableTime\` and \`idealTime\`
instead. An hour, day, week or month that the range cuts has \`isPartial\`. \`total\` is the row of everything. A member of a group that the rows are not grouped
by is null.

Numbers are kept per machine in parts of at most one local hour, cut where a shift starts and where the SKU or work order changes. A part
belongs to the range, and to the hour, day, week or month, in which it starts: a range from one full local hour or start of a shift to
another is exact. If the company's \`productionDay\` is not \`calendarDay\`, a whole shift belongs to the day on which it starts or ends, and to the week and
month of that day; a \`from\` or \`to\` at local midnight is the edge of a production day, so that hours of such a shift may lie beyond it. Weeks begin as
its \`weekStart\` says. Days of a clock change have 23 or 25 hours. If the rows are grouped only by one unit of time,
every interval in the range has a row; otherwise only groups with data have one. The range is of 366 days at most, the answer of 10,000 rows.

- \`operator\`: what was made and how long while they were signed in. Operators who are signed in together are credited in full each, so
  their rows may add up to more than \`total\`, which is of the machines. A shift counts for its production day, or where it starts.
  Defects and ideal time are kept per shift of a machine, so those of an operator's units are the shift's, by their share of its units.
- \`cause\`: a row for each pair of general and specific cause; stops without one are in the row where both are null. Stopped time is
  clipped to the range exactly, except that of shifts with a production day, which counts for that day.
- \`defectReason\`: the \`defects\` that corrections added, by their reason, the greatest first; those without one are in the row where it is null.
  Counted defects have no reason: they are only in \`total\`. A correction counts at its instant, or for the production day of its shift.
- \`producedOutsideShifts\` counts where its local hour starts. With \`asOf\` it is null: it belongs to no shift.
- Shifts that ended before numbers were kept by hour count where they start, without SKU and order.`,
  ...allowPermission("reports:read", { costly: "report", counts: "machines", machines: "query" }),
  request: { query },
  responses: {
    200: reportAnswer(summary, "The rows and their total"),
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const [caller, query] = [callerOf(c), c.req.valid("query")];
  if (query.asOf !== undefined) readAsOf(caller, query.asOf, "/query/asOf");
  return answerReport(c, contract, await summarize(caller, query));
};
