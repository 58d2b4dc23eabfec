import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { text } from "../../core/inputs.ts";
import { hashPassword } from "../../core/password.ts";
import { commonPasswordKey, newPassword } from "../../core/password-rule.ts";
import { conflict, invalid, unauthenticated } from "../../core/problem.ts";
import { issueToken, tokenSchema } from "../../core/token.ts";
import { forgetAccount } from "../../http/authenticate.ts";
import { auditBy } from "../../http/old-audit.ts";
import { allow } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { hashing, refuseHashing } from "../../http/rooms.ts";
import { db } from "../../http/session.ts";
import { refuseGuessed } from "./new-password.ts";
import { auditFailure, findUserAndGuesses, finishAttempt, isSet, setPassword } from "./queries.ts";
import { beginAttempt, throttleText, tryPassword } from "./throttle.ts";

const passwords = z.object({ currentPassword: text(1024).min(1).openapi({ format: "password" }), newPassword });
const example = { currentPassword: "andon-demo-plant", newPassword: "correct horse battery staple" };

export const contract = createRoute({
  method: "put",
  path: "/v1/password",
  operationId: "changePassword",
  tags: ["identity"],
  summary: "Change the own password",
  description: `Ends all tokens of the user within 30 s, this one at once, and gives a new one. ${throttleText}`,
  ...allow("superuser", "superadmin", "admin", "user", "readonly"),
  request: { body: { required: true, content: { "application/json": { schema: passwords, example } } } },
  responses: {
    200: { description: "Changed", content: { "application/json": { schema: tokenSchema } } },
    ...problemResponses(400, 401, 403, 409, 413, 415, 429, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const { currentPassword, newPassword } = c.req.valid("json");
  const audit = auditBy(c);
  const { userId, companyId } = c.var.actor;
  refuseHashing(c);
  const { user, guesses } = await findUserAndGuesses(db(c), userId, companyId, commonPasswordKey(newPassword));
  if (!user) throw unauthenticated("The token is not valid any more.");
  // Counted before anything slow, as a login is: a token that was found does not open the way to the password.
  const { attempt } = await beginAttempt(c, user.email);
  if (!(await tryPassword(c, attempt, currentPassword, user.passwordHash))) {
    await auditFailure(db(c), user, attempt, audit);
    throw invalid([{ pointer: "/currentPassword", code: "wrong", message: "is not the password" }]);
  }
  try {
    refuseGuessed(newPassword, user, guesses, "/newPassword");
  } catch (refusal) {
    // The attempt itself was a good one.
    await db(c).batch(finishAttempt(db(c), attempt));
    throw refusal;
  }

  const now = Date.now();
  const passwordHash = await hashing(c, () => hashPassword(newPassword));
  const entry = { action: "user.change", companyId: user.companyId, objectId: user.id, before: {} } as const;
  const [[changed]] = await db(c).batch([
    setPassword(db(c), user, passwordHash, now),
    audit({ ...entry, after: { password: "(not shown)" } }, isSet(user.id, passwordHash)),
    ...finishAttempt(db(c), attempt),
  ]);
  if (!changed) throw conflict("The password was changed by someone else at the same time.");
  forgetAccount(user.id);
  return c.json(await issueToken(c.env, changed, now / 1000), 200);
};
