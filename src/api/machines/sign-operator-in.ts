import { createRoute, type RouteHandler } from "@hono/zod-openapi";
import { passwordClientOf } from "../../http/admission.ts";
import { allowPermission } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { signIn } from "./floor.ts";
import { floorAnswer, signingIn } from "./floor-members.ts";

export const contract = createRoute({
  method: "post",
  path: "/v1/machines/{id}/sign-in",
  operationId: "signOperatorIn",
  tags: ["machines"],
  summary: "Sign an operator in at a machine",
  description: `An operator who is already signed in stays so, since the earlier time. Several operators can be signed in. The same as an ingested
\`operator\` event. A paired terminal signs an operator who has a PIN in by the PIN or the badge alone. Honours an Idempotency-Key.

429: for a minute, after five wrong PINs of the operator at the terminal.`,
  ...allowPermission("operators:sign-in", { isIdempotent: true, machines: "path" }),
  request: signingIn,
  responses: { 200: floorAnswer, ...problemResponses(400, 401, 403, 404, 409, 413, 415, 429, 503) },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  return c.json(await signIn(callerOf(c), passwordClientOf(c), c.req.valid("param").id, c.req.valid("json")), 200);
};
