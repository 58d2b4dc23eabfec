import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { idParameter, instant } from "../../core/inputs.ts";
import { allowPermission } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { splitStop } from "./edits.ts";
import { ifMatch } from "./if-match.ts";
import { slicedStop } from "./stop.ts";

const body = z.object({ at: instant.openapi({ description: "The start of the second part, inside the stop" }) });
const parts = z.object({ data: z.array(slicedStop).openapi({ description: "Both parts, the earlier one first" }) });

export const contract = createRoute({
  method: "post",
  path: "/v1/stops/{id}/split",
  operationId: "splitStop",
  tags: ["stops"],
  summary: "Split a stop in two",
  description: `The earlier part keeps the id; both keep the name, the flags and the classification. Honours an Idempotency-Key.`,
  ...allowPermission("stops:write", { isIdempotent: true, machines: "record" }),
  request: {
    params: z.object({ id: idParameter }),
    headers: ifMatch,
    body: { required: true, content: { "application/json": { schema: body, example: { at: "2026-03-02T09:10:00Z" } } } },
  },
  responses: {
    200: { description: "The parts", content: { "application/json": { schema: parts } } },
    ...problemResponses(400, 401, 403, 404, 409, 413, 415, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const { "if-match": version = null } = c.req.valid("header");
  return c.json(await splitStop(callerOf(c), c.req.valid("param").id, version, c.req.valid("json").at), 200);
};
