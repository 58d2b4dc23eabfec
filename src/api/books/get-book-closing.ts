import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { idParameter } from "../../core/inputs.ts";
import { allowPermission } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { wholeClosing } from "./closing.ts";
import { getClosing } from "./closings.ts";

export const contract = createRoute({
  method: "get",
  path: "/v1/books/closings/{id}",
  operationId: "getBookClosing",
  tags: ["books"],
  summary: "Get a closing",
  description:
    "With its machines: how far each is, what its shifts summed up to when they were closed, and what they sum up to now.",
  ...allowPermission("reports:read"),
  request: { params: z.object({ id: idParameter }) },
  responses: {
    200: { description: "The closing", content: { "application/json": { schema: wholeClosing } } },
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) =>
  c.json(await getClosing(callerOf(c), c.req.valid("param").id), 200);
