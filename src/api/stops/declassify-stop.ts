import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { idParameter } from "../../core/inputs.ts";
import { allowPermission } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { declassifyStop } from "./edits.ts";
import { ifMatch } from "./if-match.ts";
import { etagHeader, etagOf, slicedStop } from "./stop.ts";

export const contract = createRoute({
  method: "delete",
  path: "/v1/stops/{id}/classification",
  operationId: "declassifyStop",
  tags: ["stops"],
  summary: "Remove the classification of a stop",
  description: "The stop gets the flags that follow from the signals and the breaks of the shift. Honours an Idempotency-Key.",
  ...allowPermission("stops:write", { isIdempotent: true, machines: "record" }),
  request: { params: z.object({ id: idParameter }), headers: ifMatch },
  responses: {
    200: {
      description: "The stop without classification",
      headers: etagHeader,
      content: { "application/json": { schema: slicedStop } },
    },
    ...problemResponses(400, 401, 403, 404, 409, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const { "if-match": version = null } = c.req.valid("header");
  const stop = await declassifyStop(callerOf(c), c.req.valid("param").id, version);
  c.header("etag", etagOf(stop));
  return c.json(stop, 200);
};
