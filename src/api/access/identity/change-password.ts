import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { multilineText } from "../../../core/inputs.ts";
import { newPassword } from "../../../core/password-rule.ts";
import { tokenSchema } from "../../../core/token.ts";
import { passwordClientOf } from "../../../http/admission.ts";
import { forgetAccount } from "../../../http/authenticate.ts";
import { allowRoles } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { changePassword } from "./passwords.ts";
import { throttleText } from "./throttle.ts";

const passwords = z.object({ currentPassword: multilineText(1024).min(1).openapi({ format: "password" }), newPassword });
const example = { currentPassword: "andon-demo-plant", newPassword: "correct horse battery staple" };

export const contract = createRoute({
  method: "put",
  path: "/v1/password",
  operationId: "changePassword",
  tags: ["identity"],
  summary: "Change your own password",
  description: `Ends all tokens of the user within 30 s, this one at once, and returns a new one. ${throttleText}`,
  ...allowRoles(["superuser", "superadmin", "admin", "user", "readonly"], { isForPeople: true }),
  request: { body: { required: true, content: { "application/json": { schema: passwords, example } } } },
  responses: {
    200: { description: "Changed", content: { "application/json": { schema: tokenSchema } } },
    ...problemResponses(400, 401, 403, 409, 413, 415, 429, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const token = await changePassword(callerOf(c), passwordClientOf(c), c.req.valid("json"));
  forgetAccount(c.var.actor.userId);
  return c.json(token, 200);
};
