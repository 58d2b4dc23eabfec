import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { idParameter } from "../../core/inputs.ts";
import { answerList, listAnswer } from "../../http/lists.ts";
import { allowRoles } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { changesQuery, stopChange } from "./stop-change.ts";
import { listStopChanges } from "./stops.ts";

export const contract = createRoute({
  method: "get",
  path: "/v1/stops/{id}/changes",
  operationId: "listStopChanges",
  tags: ["stops"],
  summary: "List what people did to a stop",
  description: `Newest first, for everyone who sees the stop: the entries of the audit that are about it. A split and a merge are listed at the
earliest stop, whose id the result keeps.`,
  ...allowRoles(["user", "superuser", "admin", "superadmin", "readonly"], { machines: "record" }),
  request: { params: z.object({ id: idParameter }), query: changesQuery },
  responses: {
    200: listAnswer(stopChange, "A page of changes"),
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = (c) =>
  answerList(c, contract, (sent) => listStopChanges(callerOf(c), c.req.valid("param").id, sent));
