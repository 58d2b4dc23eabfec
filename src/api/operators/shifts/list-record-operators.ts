import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { companyOf } from "../../../core/actor.ts";
import { readPage } from "../../../core/cursor.ts";
import { idParameter } from "../../../core/inputs.ts";
import { notFound } from "../../../core/problem.ts";
import { answerList, listAnswer } from "../../../http/lists.ts";
import { allowPermission } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { db } from "../../../http/session.ts";
import { operatorShift, operatorShiftOf } from "./operator-shift.ts";
import { hasRecord, selectOperatorsOf } from "./queries.ts";
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
  answerList(c, contract, async (query) => {
    const now = Date.now();
    const { id } = c.req.valid("param");
    const companyId = companyOf(c.var.actor);
    const page = await readPage(db(c), query, {
      select: (asked) => selectOperatorsOf(db(c), id, companyId, asked),
      keysOf: (row) => [row.operatorId],
      itemOf: (row) => operatorShiftOf(row, now),
    });
    // A second trip only for an empty page.
    if (page.data.length === 0 && !(await hasRecord(db(c), id, companyId))) throw notFound(`There is no shift record ${id}.`);
    return page;
  });
