import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { idParameter } from "../../../core/inputs.ts";
import { answerList, listAnswer } from "../../../http/lists.ts";
import { allowPermission } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { operatorShift } from "./operator-shift.ts";
import { listRecordOperators } from "./operator-shifts.ts";
import { recordOperatorsQuery } from "./query.ts";

export const contract = createRoute({
  method: "get",
  path: "/v1/shift-records/{id}/operators",
  operationId: "listRecordOperators",
  tags: ["reports"],
  summary: "Who worked in a shift of a machine, and what was made",
  description: `Sorted by operator id. \`id\` is the \`indicatorId\` of a shift record. Operators who are signed in together are credited in full
each.`,
  ...allowPermission("reports:read", { counts: "path" }),
  request: { params: z.object({ id: idParameter }), query: recordOperatorsQuery },
  responses: {
    200: listAnswer(operatorShift, "A page of operators"),
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = (c) =>
  answerList(c, contract, (sent) => listRecordOperators(callerOf(c), c.req.valid("param").id, sent));
