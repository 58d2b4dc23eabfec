import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { companyOf } from "../../../core/actor.ts";
import { paged, readPage } from "../../../core/cursor.ts";
import { companyQuery } from "../../../core/inputs.ts";
import { answerList, listAnswer } from "../../../http/lists.ts";
import { allowPermission } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { db } from "../../../http/session.ts";
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
    200: listAnswer(machineSensors, "A page of machines"),
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = (c) =>
  answerList(c, contract, (sent) => {
    const companyId = companyOf(c.var.actor, sent.companyId, c.var.actor.companyId) ?? c.var.actor.companyId;
    return readPage(db(c), sent, {
      select: ({ cursor, limit }) => listSensors(db(c), companyId, { after: cursor?.[0], limit: limit + 1 }),
      keysOf: ({ machineId }) => [machineId],
      itemOf: ({ isCountEnabled, configs, ...machine }) => {
        return { ...machine, isCountEnabled: isCountEnabled === 1, configs: inOrder(configs) };
      },
    });
  });
