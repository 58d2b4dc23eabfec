import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { idParameter } from "../../core/inputs.ts";
import { allowPermission } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { closing, reopening } from "./closing.ts";
import { reopen } from "./closings.ts";

const example = { reason: "A wrong standard was found in October" };

export const contract = createRoute({
  method: "post",
  path: "/v1/books/closings/{id}/reopen",
  operationId: "reopenBookClosing",
  tags: ["books"],
  summary: "Reopen the books",
  description: `What the closing closed can change again, and is computed again as if it had never been closed. Events that were held in the meantime can be accepted:
\`GET /v1/held-events\`. Only the newest closing can be reopened (409). Honours an Idempotency-Key.`,
  ...allowPermission("set-up:write", { isIdempotent: true }),
  request: {
    params: z.object({ id: idParameter }),
    body: { required: true, content: { "application/json": { schema: reopening, example } } },
  },
  responses: {
    200: { description: "The closing", content: { "application/json": { schema: closing } } },
    ...problemResponses(400, 401, 403, 404, 409, 413, 415, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) =>
  c.json(await reopen(callerOf(c), c.req.valid("param").id, c.req.valid("json").reason), 200);
