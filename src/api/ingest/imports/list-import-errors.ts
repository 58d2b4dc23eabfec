import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { idParameter } from "../../../core/inputs.ts";
import { answerList, listAnswer } from "../../../http/lists.ts";
import { allowRoles } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { importError, MOST_ERRORS } from "./import.ts";
import { listImportErrors } from "./imports.ts";
import { errorsQuery } from "./query.ts";

export const contract = createRoute({
  method: "get",
  path: "/v1/imports/{id}/errors",
  operationId: "listImportErrors",
  tags: ["imports"],
  summary: "List the lines that an import refused",
  description: `In the order of the file: the first ${MOST_ERRORS}, for 30 days. All were counted (\`failed\`).`,
  ...allowRoles(["admin", "superadmin", "superuser"]),
  request: { params: z.object({ id: idParameter }), query: errorsQuery },
  responses: { 200: listAnswer(importError, "A page of errors"), ...problemResponses(400, 401, 403, 404, 503) },
});

export const handler: RouteHandler<typeof contract> = (c) =>
  answerList(c, contract, (sent) => listImportErrors(callerOf(c), c.req.valid("param").id, sent));
