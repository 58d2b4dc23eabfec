import { createRoute, type RouteHandler } from "@hono/zod-openapi";
import { allowPermission } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { shiftFigures } from "./hand-over.ts";
import { getShiftFigures } from "./hand-overs.ts";
import { figuresQuery } from "./query.ts";

export const contract = createRoute({
  method: "get",
  path: "/v1/shift-figures",
  operationId: "getShiftFigures",
  tags: ["hand-overs"],
  summary: "Get what a shift would hand over now",
  description: `What was made against the target, the longest stops, and what is open, of one shift of one date: all machines of the company, or those that
were in a line when the shift began. Each number is that of the reports. \`incidents\`, \`calls\` and \`lateOrders\` are those of now, also of a
shift that is over.

**How old:** numbers of a running shift are at most 15 seconds old. Of a machine that does not answer, they are as it last sent them.`,
  ...allowPermission("reports:read", { costly: "report" }),
  request: { query: figuresQuery },
  responses: {
    200: { description: "The figures", content: { "application/json": { schema: shiftFigures } } },
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) =>
  c.json(await getShiftFigures(callerOf(c), c.req.valid("query")), 200);
