import { createRoute, type RouteHandler } from "@hono/zod-openapi";
import { rangeRule } from "../../core/inputs.ts";
import { answerList, listAnswer } from "../../http/lists.ts";
import { allowRoles } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { query } from "./query.ts";
import { stop } from "./stop.ts";
import { listStops } from "./stops.ts";

export const contract = createRoute({
  method: "get",
  path: "/v1/stops",
  operationId: "listStops",
  tags: ["stops"],
  summary: "List stops",
  description: `Newest first. There is one item per stop, however many shifts it touches. A stop that began outside shifts is sorted and
selected by the start of the first shift that it touches. A superuser who names no company gets those of all companies; like any list, it has no bound but its
pages, and is complete when \`cursor\` is null. Unknown parameters are refused.`,
  ...allowRoles(["user", "superuser", "admin", "superadmin", "readonly"], { machines: "query" }),
  request: {
    query: query.superRefine(rangeRule),
  },
  responses: {
    200: listAnswer(stop, "A page of stops"),
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = (c) => answerList(c, contract, (sent) => listStops(callerOf(c), sent));
