import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { idParameter } from "../../../core/inputs.ts";
import { allowPermission } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { attachOrphanedEdit } from "../edits.ts";
import { etagHeader, etagOf, slicedStop } from "../stop.ts";

const body = z.object({ stopId: z.int().min(1).openapi({ description: "A stop of the same machine" }) });

export const contract = createRoute({
  method: "post",
  path: "/v1/orphaned-edits/{id}/attach",
  operationId: "attachOrphanedEdit",
  tags: ["stops"],
  summary: "Put what was said on another stop",
  description: `What the edit said (causes, name, flags) is said of this stop, in place of what was said of it before. A split or a merge says nothing, and can
only be dropped (409). Honours an Idempotency-Key.`,
  ...allowPermission("stops:write", { isIdempotent: true }),
  request: {
    params: z.object({ id: idParameter }),
    body: { required: true, content: { "application/json": { schema: body, example: { stopId: 67108865 } } } },
  },
  responses: {
    200: { description: "The stop", headers: etagHeader, content: { "application/json": { schema: slicedStop } } },
    ...problemResponses(400, 401, 403, 404, 409, 413, 415, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const stop = await attachOrphanedEdit(callerOf(c), c.req.valid("param").id, c.req.valid("json").stopId);
  c.header("etag", etagOf(stop));
  return c.json(stop, 200);
};
