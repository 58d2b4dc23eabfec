import { createRoute, type RouteHandler } from "@hono/zod-openapi";
import { allowPermission } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { signOut } from "./floor.ts";
import { floorAnswer, signingOut } from "./floor-members.ts";

export const contract = createRoute({
  method: "post",
  path: "/v1/machines/{id}/sign-out",
  operationId: "signOperatorOut",
  tags: ["machines"],
  summary: "Sign an operator out at a machine",
  description:
    "Does nothing for an operator who is not signed in. One who was deleted can be signed out. The same as an ingested `operator` event. Honours an Idempotency-Key.",
  ...allowPermission("operators:sign-in", { isIdempotent: true, machines: "path" }),
  request: signingOut,
  responses: { 200: floorAnswer, ...problemResponses(400, 401, 403, 404, 409, 413, 415, 503) },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  return c.json(await signOut(callerOf(c), c.req.valid("param").id, c.req.valid("json")), 200);
};
