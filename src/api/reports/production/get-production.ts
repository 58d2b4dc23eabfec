import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { answerText } from "../../../core/answer-text.ts";
import { recalculatingMember } from "../../../core/recalculating.ts";
import { answerReport, reportAnswer } from "../../../http/lists.ts";
import { allowPermission } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { getProduction } from "./production.ts";
import { intervals, query } from "./query.ts";

const named = z.object({ id: z.int(), name: answerText });
const row = z
  .object({
    machine: named,
    line: named.nullable().openapi({ description: "The machine's line when the shift began; null: none" }),
    shift: named.nullable().openapi({ description: "Of the interval `shift`; otherwise null" }),
    start: z.iso.datetime().openapi({ description: "Start of the interval, even if the shift started later" }),
    end: z.iso.datetime(),
    total: z.number().openapi({ description: "Units counted, to 6 decimals" }),
    defects: z.number().openapi({ description: "Units rejected or reworked" }),
    correct: z.number().openapi({ description: "Units: total - defects" }),
    target: z
      .number()
      .openapi({ description: "Units that the standard in force allows in the scheduled time, two decimals; 0 without one" }),
    scheduledTime: z.number().openapi({ description: "Minutes, two decimals: available time and non-programmed downtime" }),
  })
  .openapi("ProductionRow");

const report = z
  .object({
    interval: z.enum(intervals),
    timezone: answerText.openapi({ description: "The company's time zone, in which intervals are cut" }),
    from: z.iso.datetime(),
    to: z.iso.datetime(),
    isRecalculating: recalculatingMember,
    data: z.array(row),
  })
  .openapi("Production");

export const contract = createRoute({
  method: "get",
  path: "/v1/production",
  operationId: "getProduction",
  tags: ["reports"],
  summary: "Units and targets by interval",
  description: `For hour-by-hour boards: one row per machine and interval of shift time up to now, by machine name and start. The running interval
is one of them, and so are those in which nothing was made. Intervals of 5 and 15 minutes and of an hour are those of the company's clock, and
each that the range touches is given in full; shifts are those that start in the range. A \`from\` or \`to\` at local midnight is the edge of a production day,
as in \`/v1/summary\`. Of a line, add the rows of its machines
(\`lineIds\`). The range is of 366 days at most, the answer of 10,000 rows.

Of shifts that ended before numbers were kept by hour, only the sums are known: they have no rows of 5 and 15 minutes, and count in the hour in
which they start.`,
  ...allowPermission("reports:read", { costly: "report", counts: "machines", machines: "query" }),
  request: { query },
  responses: {
    200: reportAnswer(report, "The rows"),
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) =>
  answerReport(c, contract, await getProduction(callerOf(c), c.req.valid("query")));
