import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { companyOf } from "../../../core/actor.ts";
import { readPage } from "../../../core/cursor.ts";
import { idParameter, rangeRule } from "../../../core/inputs.ts";
import { checkOfIds } from "../../../core/named-ids.ts";
import { notFound } from "../../../core/problem.ts";
import { answerList, listAnswer } from "../../../http/lists.ts";
import { allowPermission } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { db } from "../../../http/session.ts";
import { operatorShift, operatorShiftOf } from "./operator-shift.ts";
import { hasOperator, selectShiftsOf } from "./queries.ts";
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
  answerList(c, contract, async (query) => {
    const now = Date.now();
    const { id } = c.req.valid("param");
    const companyId = companyOf(c.var.actor);
    const page = await readPage(db(c), query, {
      select: (asked) => selectShiftsOf(db(c), id, companyId, asked),
      keysOf: (row) => [row.shiftStart, row.machineId],
      itemOf: (row) => operatorShiftOf(row, now),
      check: checkOfIds(db(c), companyId, { machineIds: query.machineIds }),
    });
    // A second trip only for an empty page.
    if (page.data.length === 0 && !(await hasOperator(db(c), id, companyId))) throw notFound(`There is no operator ${id}.`);
    return page;
  });
