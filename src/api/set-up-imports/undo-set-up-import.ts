import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { idParameter } from "../../core/inputs.ts";
import { setUpImportKinds } from "../../db/values.ts";
import { allowPermission } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { MOST_KEPT, undoSetUpImport } from "./imports.ts";

const undoneImport = z
  .object({
    id: z.int(),
    kind: z.enum(setUpImportKinds),
    deleted: z.int().openapi({ description: "How many items it had created" }),
    changed: z.int().openapi({ description: "How many have their former values again" }),
    undoneAt: z.iso.datetime(),
  })
  .openapi("UndoneSetUpImport");

export const contract = createRoute({
  method: "post",
  path: "/v1/setup/imports/{id}/undo",
  operationId: "undoSetUpImport",
  tags: ["companies"],
  summary: "Undo an import of set-up",
  description: `What it changed is as it was, from now on, and what it created is deleted, as by DELETE: reports of the time in between keep its name. All or nothing:
refused (409) for what was changed or is needed since. The latest ${MOST_KEPT} imports of a company can be undone. An import that was undone stays so: a repeated
call changes nothing.`,
  ...allowPermission("set-up:write", { isIdempotent: true }),
  request: { params: z.object({ id: idParameter }) },
  responses: {
    200: { description: "What was undone", content: { "application/json": { schema: undoneImport } } },
    ...problemResponses(400, 401, 403, 404, 409, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) =>
  c.json(await undoSetUpImport(callerOf(c), c.req.valid("param").id), 200);
