import { createRoute, type RouteHandler } from "@hono/zod-openapi";
import { answerList, listAnswer } from "../../../http/lists.ts";
import { allowRoles } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { importItem } from "./import.ts";
import { listImports } from "./imports.ts";
import { query } from "./query.ts";

export const contract = createRoute({
  method: "get",
  path: "/v1/imports",
  operationId: "listImports",
  tags: ["imports"],
  summary: "List the imports of a company",
  description: "The newest first.",
  ...allowRoles(["admin", "superadmin", "superuser"]),
  request: { query },
  responses: { 200: listAnswer(importItem, "A page of imports"), ...problemResponses(400, 401, 403, 404, 503) },
});

export const handler: RouteHandler<typeof contract> = (c) => answerList(c, contract, (sent) => listImports(callerOf(c), sent));
