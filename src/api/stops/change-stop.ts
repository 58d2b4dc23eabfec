import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { idParameter, text } from "../../core/inputs.ts";
import { allowPermission } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { changeStop } from "./edits.ts";
import { flagsBody, flagsOf } from "./flags.ts";
import { ifMatch } from "./if-match.ts";
import { etagHeader, etagOf, slicedStop } from "./stop.ts";

const body = flagsBody.extend({
  name: text(200).min(1).nullable().optional().openapi({ description: "Null: as the cause or the break has it" }),
});

export const contract = createRoute({
  method: "patch",
  path: "/v1/stops/{id}",
  operationId: "changeStop",
  tags: ["stops"],
  summary: "Change a stop's name and what it counts as",
  description: "What is left out stays as it is. The stop's shifts are reckoned anew. Honours an Idempotency-Key.",
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
    200: { description: "The stop as changed", headers: etagHeader, content: { "application/json": { schema: slicedStop } } },
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
