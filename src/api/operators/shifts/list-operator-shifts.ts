import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { idParameter, rangeRule } from "../../../core/inputs.ts";
import { answerList, listAnswer } from "../../../http/lists.ts";
import { allowPermission } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { operatorShift } from "./operator-shift.ts";
import { listOperatorShifts } from "./operator-shifts.ts";
import { operatorShiftsQuery } from "./query.ts";

export const contract = createRoute({
  method: "get",
  path: "/v1/operators/{id}/shifts",
  operationId: "listOperatorShifts",
  tags: ["reports"],
  summary: "When and where an operator worked, and what was made",
  description: `Newest first: one item per machine and shift in which the operator had a part, signed in or by an operator plan. Operators who are
signed in together are credited in full each. \`/machines/realtime/operators\` has
a running shift as of now.`,
  ...allowPermission("reports:read", { counts: "path" }),
  request: {
    params: z.object({ id: idParameter }),
    query: operatorShiftsQuery.superRefine(rangeRule),
  },
  responses: {
    200: listAnswer(operatorShift, "A page of shifts"),
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = (c) =>
  answerList(c, contract, (sent) => listOperatorShifts(callerOf(c), c.req.valid("param").id, sent));
