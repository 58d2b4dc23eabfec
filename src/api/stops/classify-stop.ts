import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { idParameter } from "../../core/inputs.ts";
import { allowPermission } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { causesBody } from "./causes.ts";
import { classifyStop } from "./edits.ts";
import { ifMatch } from "./if-match.ts";
import { etagHeader, etagOf, slicedStop } from "./stop.ts";

export const contract = createRoute({
  method: "put",
  path: "/v1/stops/{id}/classification",
  operationId: "classifyStop",
  tags: ["stops"],
  summary: "Classify a stop",
  description: `Needs at least one cause or a description, and replaces the previous classification. The stop gets the flags of the specific
cause, otherwise of the general one, and its shifts are calculated again. Honours an Idempotency-Key.`,
  ...allowPermission("stops:write", { isIdempotent: true, machines: "record" }),
  request: {
    params: z.object({ id: idParameter }),
    headers: ifMatch,
    body: {
      required: true,
      content: {
        "application/json": {
          schema: causesBody,
          example: { generalCauseId: "3", specificCauseId: "12", description: "Belt off its roller" },
        },
      },
    },
  },
  responses: {
    200: { description: "The classified stop", headers: etagHeader, content: { "application/json": { schema: slicedStop } } },
    ...problemResponses(400, 401, 403, 404, 409, 413, 415, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const { "if-match": version = null } = c.req.valid("header");
  const stop = await classifyStop(callerOf(c), c.req.valid("param").id, version, c.req.valid("json"));
  c.header("etag", etagOf(stop));
  return c.json(stop, 200);
};
