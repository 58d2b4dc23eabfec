import { createRoute, type RouteHandler } from "@hono/zod-openapi";
import { answerList, listAnswer } from "../../../http/lists.ts";
import { allow } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { listClassifications } from "./classifications.ts";
import { query } from "./query.ts";
import { stopClassification } from "./stop-classification.ts";

export const contract = createRoute({
  method: "get",
  path: "/v1/stop-classifications",
  operationId: "listStopClassifications",
  tags: ["stops"],
  summary: "List bulk classifications of stops",
  description: "Newest first.",
  ...allow("user", "superuser", "admin", "superadmin", "readonly"),
  request: { query },
  responses: {
    200: listAnswer(stopClassification, "A page of bulk classifications"),
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = (c) =>
  answerList(c, contract, (sent) => listClassifications(callerOf(c), sent));
