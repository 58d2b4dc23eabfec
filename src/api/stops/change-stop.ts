import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { idParameter, nameText } from "../../core/inputs.ts";
import { allowPermission } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { changeStop } from "./edits.ts";
import { flagsBody, flagsOf } from "./flags.ts";
import { ifMatch } from "./if-match.ts";
import { etagHeader, etagOf, slicedStop } from "./stop.ts";

const body = flagsBody.extend({
  name: nameText(200).nullable().optional().openapi({ description: "Null: the name of the cause or of the break" }),
});

export const contract = createRoute({
  method: "patch",
  path: "/v1/stops/{id}",
  operationId: "changeStop",
  tags: ["stops"],
  summary: "Change the name and the flags of a stop",
  description:
    "Members that are left out do not change. The shifts of the stop are calculated again. Honours an Idempotency-Key.",
  ...allowPermission("stops:write", { isIdempotent: true }),
  request: {
    params: z.object({ id: idParameter }),
    headers: ifMatch,
    body: {
      required: true,
      content: { "application/json": { schema: body, example: { name: "Fire drill", isIncludedInAvailability: false } } },
    },
  },
  responses: {
    200: { description: "The changed stop", headers: etagHeader, content: { "application/json": { schema: slicedStop } } },
    ...problemResponses(400, 401, 403, 404, 409, 413, 415, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const { name, ...sent } = c.req.valid("json");
  const { "if-match": version = null } = c.req.valid("header");
  const stop = await changeStop(callerOf(c), c.req.valid("param").id, version, { name, flags: flagsOf(sent) });
  c.header("etag", etagOf(stop));
  return c.json(stop, 200);
};
