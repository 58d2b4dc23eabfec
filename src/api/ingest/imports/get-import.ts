import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { idParameter } from "../../../core/inputs.ts";
import { allowRoles } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { importItem } from "./import.ts";
import { getImport } from "./imports.ts";

export const contract = createRoute({
  method: "get",
  path: "/v1/imports/{id}",
  operationId: "getImport",
  tags: ["imports"],
  summary: "Read an import and how far it is",
  ...allowRoles(["admin", "superadmin", "superuser"]),
  request: { params: z.object({ id: idParameter }) },
  responses: {
    200: { description: "The import", content: { "application/json": { schema: importItem } } },
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) =>
  c.json(await getImport(callerOf(c), c.req.valid("param").id), 200);
