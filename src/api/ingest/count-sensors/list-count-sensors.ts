import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { paged } from "../../../core/cursor.ts";
import { companyQuery } from "../../../core/inputs.ts";
import { answerList, listAnswer } from "../../../http/lists.ts";
import { allowPermission } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { machineSensors } from "./members.ts";
import { listSensors } from "./sensors.ts";

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

export const handler: RouteHandler<typeof contract> = (c) => answerList(c, contract, (sent) => listSensors(callerOf(c), sent));
