import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { answerText } from "../../core/answer-text.ts";
import { formatMembers } from "../../core/cursor.ts";
import { companyQuery, idParameter, idShape, instant, listText, machineMembers } from "../../core/inputs.ts";
import { recalculatingMember } from "../../core/recalculating.ts";
import { lineRef, namedRef } from "../../core/refs.ts";
import { answerReport, reportAnswer } from "../../http/lists.ts";
import { allowPermission } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { DAY_MS, HOUR_MS } from "../../oee/time.ts";
import { getTimeline } from "./timeline.ts";

const maxDays = 7;

const query = z
  .strictObject({
    from: instant,
    to: instant.openapi({ description: `At most ${maxDays} days after \`from\`. Time after now is left out` }),
    companyId: companyQuery,
    ...machineMembers,
    lineIds: listText(idParameter, idShape).optional().openapi({ description: "Only machines that are in one of these lines" }),
    ...formatMembers,
  })
  .refine(({ from, to }) => from < to, { path: ["from"], message: "must be before `to`" })
  .refine(({ from, to }) => to - from <= maxDays * DAY_MS + HOUR_MS, {
    path: ["to"],
    message: `must be at most ${maxDays} days after \`from\``,
  });

const timestamp = z.iso.datetime();
const stretch = z
  .object({
    machine: namedRef,
    line: lineRef,
    shift: z.object({ id: z.int(), name: answerText, startTime: timestamp, endTime: timestamp }),
    status: z.enum(["A", "N", "P", "O", "D"]).openapi({
      description:
        "A available, N not available (non-programmed stop), P programmed stop, O stop outside availability, D no data",
    }),
    startTime: timestamp,
    endTime: timestamp.openapi({ description: "For an ongoing state: now" }),
    stop: z
      .object({
        id: z.int(),
        name: answerText.openapi({ description: "As in `/v1/stops`" }),
        isOpen: z.boolean().openapi({ description: "Whether the stop is going on" }),
        isBreak: z.boolean().openapi({ description: "Whether it is in a planned break" }),
        generalCause: namedRef.nullable(),
        specificCause: namedRef.nullable(),
        version: z.int().openapi({ description: "As in `/v1/stops`" }),
      })
      .nullable()
      .openapi({ description: "The stop of this time; null without one" }),
  })
  .openapi("TimelineStretch");

const timeline = z.object({ isRecalculating: recalculatingMember, data: z.array(stretch) }).openapi("Timeline");

export const contract = createRoute({
  method: "get",
  path: "/v1/timeline",
  operationId: "getTimeline",
  tags: ["machines"],
  summary: "What every machine did over time",
  description: `The shift time of all machines of a company, or of some, without gaps: running, each stop with its cause, no data. Sorted by line (its
order, then its name; without one last), machine and start; clipped to the range. A range from and to local midnights has the whole shifts that count for its production days, also beyond midnight. Time without a row is outside shifts or service. The range is of ${maxDays}
days at most, the answer of 20,000 stops.`,
  ...allowPermission("reports:read", { costly: "report", machines: "query" }),
  request: { query },
  responses: {
    200: reportAnswer(timeline, "The stretches"),
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) =>
  answerReport(c, contract, await getTimeline(callerOf(c), c.req.valid("query")));
