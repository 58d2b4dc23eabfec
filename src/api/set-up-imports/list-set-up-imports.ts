import { createRoute, type RouteHandler } from "@hono/zod-openapi";
import { answerList, listAnswer } from "../../http/lists.ts";
import { allowPermission } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { setUpImport } from "./import-item.ts";
import { listSetUpImports, MOST_KEPT } from "./imports.ts";
import { importsQuery } from "./query.ts";

export const contract = createRoute({
  method: "get",
  path: "/v1/setup/imports",
  operationId: "listSetUpImports",
  tags: ["companies"],
  summary: "List the imports of set-up",
  description: `The newest first. The latest ${MOST_KEPT} of a company that changed something are kept: these can be undone, unless they were already. The audit has all of them.`,
  ...allowPermission("set-up:write"),
  request: { query: importsQuery },
  responses: { 200: listAnswer(setUpImport, "A page of imports"), ...problemResponses(400, 401, 403, 404, 503) },
});

export const handler: RouteHandler<typeof contract> = (c) =>
  answerList(c, contract, (sent) => listSetUpImports(callerOf(c), sent));
