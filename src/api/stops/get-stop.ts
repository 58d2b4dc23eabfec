import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { idParameter } from "../../core/inputs.ts";
import { conditionsOfRead, isKnown, isMatch, noMatch } from "../../http/etag.ts";
import { allowRoles } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { etagHeader, etagOf, slicedStop } from "./stop.ts";
import { getStop } from "./stops.ts";

export const contract = createRoute({
  method: "get",
  path: "/v1/stops/{id}",
  operationId: "getStop",
  tags: ["stops"],
  summary: "Get a stop",
  description: "With its part in each shift. Answers 304 if the If-None-Match is still current, 412 if the If-Match is not.",
  ...allowRoles(["user", "superuser", "admin", "superadmin", "readonly"], { machines: "record" }),
  request: { params: z.object({ id: idParameter }), headers: conditionsOfRead },
  responses: {
    200: { description: "The stop", headers: etagHeader, content: { "application/json": { schema: slicedStop } } },
    304: { description: "The stop has not changed since the ETag", headers: etagHeader },
    ...problemResponses(400, 401, 403, 404, 412, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const shown = await getStop(callerOf(c), c.req.valid("param").id);
  const etag = etagOf(shown);
  c.header("etag", etag);
  if (!isMatch(c.req.valid("header")["if-match"], etag)) throw noMatch(etag);
  if (isKnown(c.req.header("if-none-match"), etag)) return c.body(null, 304);
  return c.json(shown, 200);
};
