import { createRoute, type RouteHandler } from "@hono/zod-openapi";
import { companyOf } from "../../core/actor.ts";
import { readPage } from "../../core/cursor.ts";
import { checkOfIds } from "../../core/named-ids.ts";
import { answerList, listAnswer } from "../../http/lists.ts";
import { allowRoles } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { db } from "../../http/session.ts";
import { listOrders, orderOf } from "./queries.ts";
import { query, refuseOtherSort } from "./query.ts";
import { workOrder, workOrderOf } from "./work-order.ts";

export const contract = createRoute({
  method: "get",
  path: "/v1/work-orders",
  operationId: "listWorkOrders",
  tags: ["work orders"],
  summary: "List work orders with their progress",
  description:
    "With what was made, what remains, when the rest will be finished at the recent rate, and whether that is late. Newest first by default.",
  ...allowRoles(["user", "superuser", "admin", "superadmin", "readonly"], { counts: "company" }),
  request: { query },
  responses: {
    200: listAnswer(workOrder, "A page of orders"),
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = (c) =>
  answerList(c, contract, (sent) => {
    const companyId = companyOf(c.var.actor, sent.companyId, c.var.actor.companyId);
    refuseOtherSort(sent);
    const now = Date.now();
    return readPage(db(c), sent, {
      select: (page) => listOrders(db(c), { ...page, companyId }, now),
      keysOf: ({ sortKey, id }) => [sent.sort, sortKey, id],
      itemOf: (row) => workOrderOf(orderOf(row), now),
      check: checkOfIds(db(c), companyId, { machineIds: sent.machineIds }),
    });
  });
