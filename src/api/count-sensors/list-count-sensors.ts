import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { companyOf } from "../../core/actor.ts";
import { listOf, paged, pageOf } from "../../core/cursor.ts";
import { companyQuery } from "../../core/inputs.ts";
import { allowPermission } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { db } from "../../http/session.ts";
import { inOrder, machineSensors } from "./members.ts";
import { listSensors } from "./queries.ts";

const query = paged(z.tuple([z.int()])).extend({ companyId: companyQuery });

export const contract = createRoute({
  method: "get",
  path: "/v1/count-sensors",
  operationId: "listCountSensors",
  tags: ["count sensors"],
  summary: "List the count sensors of machines",
  description: "The count sensors in force now, for all machines that have some, in the order of the machines' ids.",
  ...allowPermission("set-up:read"),
  request: { query },
  responses: {
    200: { description: "A page of machines", content: { "application/json": { schema: listOf(machineSensors) } } },
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const { companyId: named, limit, cursor: after } = c.req.valid("query");
  const companyId = companyOf(c.var.actor, named, c.var.actor.companyId) ?? c.var.actor.companyId;
  const rows = await listSensors(db(c), companyId, { after: after?.[0], limit: limit + 1 });
  const { page, cursor } = pageOf(rows, limit, ({ machineId }) => [machineId]);
  const data = page.map(({ isCountEnabled, configs, ...machine }) => {
    return { ...machine, isCountEnabled: isCountEnabled === 1, configs: inOrder(configs) };
  });
  return c.json({ data, cursor }, 200);
};
