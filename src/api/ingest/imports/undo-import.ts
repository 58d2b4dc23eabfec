import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { idParameter } from "../../../core/inputs.ts";
import { allowRoles } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { importItem } from "./import.ts";
import { undoImport } from "./imports.ts";

export const contract = createRoute({
  method: "post",
  path: "/v1/imports/{id}/undo",
  operationId: "undoImport",
  tags: ["imports"],
  summary: "Take an import back",
  description: `Its events count for nothing any more, also those of an import that is running or failed, and the numbers of the shifts become what they would be without
them. Events that were stored before the import stay. The file can be imported again. An import that was taken back stays so: the answer to a
repeated call is the same. Honours an Idempotency-Key.`,
  ...allowRoles(["admin", "superadmin", "superuser"], { isIdempotent: true }),
  request: { params: z.object({ id: idParameter }) },
  responses: {
    200: { description: "The import", content: { "application/json": { schema: importItem } } },
    ...problemResponses(400, 401, 403, 404, 409, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) =>
  c.json(await undoImport(callerOf(c), c.req.valid("param").id), 200);
