import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { answerReport, reportAnswer } from "../../http/lists.ts";
import { allowPermission } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { groups } from "./groups.ts";
import { query } from "./query.ts";
import { summarize } from "./summary.ts";

const minutes = (what: string) =>
  z
    .number()
    .nullable()
    .openapi({ description: `Minutes, two decimals: ${what}` });
const percent = (what: string) =>
  z
    .number()
    .nullable()
    .openapi({ description: `Percent, two decimals: ${what}` });
const units = (what: string) =>
  z
    .number()
    .nullable()
    .openapi({ description: `Units: ${what}` });

const figures = z
  .object({
    availableTime: minutes("available; of operators: while signed in"),
    unavailableTime: minutes("programmed and non-programmed downtime; of operators: while signed in"),
    programmedDowntime: minutes("programmed stops included in availability"),
    nonProgrammedDowntime: minutes("non-programmed stops included in availability"),
    otherStopsTime: minutes("stops not included in availability"),
    noDataTime: minutes("no data was received from the machine"),
    annotatedDowntime: minutes("unavailable time of stops with a general or specific cause"),
    stopTime: minutes("all stops: unavailable and other"),
    idealTime: minutes("standard time of the cycles"),
    minutesLostByLowSpeed: minutes("available time - ideal time, at least 0"),
    minutesLostByLowQuality: minutes("standard time of the defects"),
    cycleCount: z.number().nullable().openapi({ description: "Cycles" }),
    total: units("counted; of operators: credited to them"),
    defects: units("rejected or reworked"),
    correct: units("total - defects"),
    target: units("what the standards in force allow in available and non-programmed time, two decimals"),
    availability: percent("available time / (available time + unavailable time)"),
    netAvailability: percent("available time / (available time + non-programmed downtime)"),
    effectiveness: percent("ideal time / available time; may exceed 100"),
    quality: percent("correct / total; 100 if nothing was made"),
    oee: percent("availability x effectiveness x quality"),
    netOee: percent("net availability x effectiveness x quality"),
    stopCount: z.int().nullable().openapi({
      description: "Only with the group `cause`: stops that start in the range and count as stops; otherwise null",
    }),
  })
  .openapi("SummaryFigures", { description: "Null if the figure does not exist for the groups" });

const ref = z.object({ id: z.int(), name: z.string() }).nullable();
const row = z
  .object({
    start: z.iso
      .datetime()
      .nullable()
      .openapi({ description: "Start of the local hour, day, week or month; null without a group of time" }),
    end: z.iso
      .datetime()
      .nullable()
      .openapi({ description: "End of the local hour, day, week or month; null without a group of time" }),
    machine: ref,
    line: ref.openapi({ description: "The machine's present line; null: none" }),
    shift: ref,
    sku: z.object({ id: z.string(), name: z.string() }).nullable().openapi({ description: "Null: none was set" }),
    workOrder: z
      .object({ id: z.string(), code: z.string(), name: z.string() })
      .nullable()
      .openapi({ description: "With the group `order`; null: not made for an order" }),
    operator: ref,
    generalCause: ref.openapi({
      description: "With the group `cause`; if `specificCause` is null too, the stops are not classified",
    }),
    specificCause: ref.openapi({ description: "With the group `cause`; null: only the general cause was given" }),
    ...figures.shape,
  })
  .openapi("SummaryRow");

const summary = z
  .object({
    groupBy: z.array(z.enum(groups)),
    timezone: z.string().openapi({ description: "The company's time zone, in which hours, days, weeks and months are cut" }),
    from: z.iso.datetime(),
    to: z.iso.datetime(),
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
sums, never averaged. So rows can be added. \`total\` is the row of everything. A member of a group that the rows are not grouped
by is null.

Numbers are kept per machine in parts of at most one local hour, cut where a shift starts and where the SKU or work order changes. A part
belongs to the range, and to the hour, day, week or month, in which it starts: a range from one full local hour or start of a shift to
another is exact. Days of a clock change have 23 or 25 hours. Grouped by one group of time alone, each of its intervals in the range has a
row; otherwise only what has something to tell. The range is of 366 days at most, the answer of 10,000 rows.

- \`operator\`: what was made and how long while they were signed in. Operators who are signed in together are credited in full each, so
  their rows may add up to more than \`total\`, which is of the machines. A shift counts where it starts. Of a running shift, the numbers are
  those of the last flush, at most some 15 seconds old.
- \`cause\`: a row for each pair of general and specific cause; stops without one are in the row where both are null. Stopped time is
  clipped to the range exactly.
- Shifts that ended before numbers were kept by hour count where they start, without SKU and order.`,
  ...allowPermission("reports:read", { costly: "report" }),
  request: { query },
  responses: {
    200: reportAnswer(summary, "The rows and their total"),
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) =>
  answerReport(c, contract, await summarize(callerOf(c), c.req.valid("query")));
