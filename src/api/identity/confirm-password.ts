import type { Context } from "hono";
import { invalid, unauthenticated } from "../../core/problem.ts";
import type { UserEnv } from "../../http/env.ts";
import { auditBy } from "../../http/old-audit.ts";
import { refuseHashing } from "../../http/rooms.ts";
import { db } from "../../http/session.ts";
import { auditFailure, findUser, finishAttempt } from "./queries.ts";
import { beginAttempt, tryPassword } from "./throttle.ts";

/**
 * Checks that whoever asks knows the own password, counted by the throttle as a login is. Gives that user.
 * @param password what was sent as `currentPassword`; 400 when it is missing or wrong
 */
export async function confirmPassword(c: Context<UserEnv>, password: string | undefined) {
  const pointer = "/currentPassword";
  if (password === undefined) {
    const message = "is required: changing the password or e-mail address of another administrator takes your own password";
    throw invalid([{ pointer, code: "required", message }]);
  }
  const user = await findUser(db(c), c.var.actor.userId);
  if (!user) throw unauthenticated("The token is not valid any more.");
  refuseHashing(c);
  const { attempt } = await beginAttempt(c, user.email);
  if (!(await tryPassword(c, attempt, password, user.passwordHash))) {
    await auditFailure(db(c), user, attempt, auditBy(c));
    throw invalid([{ pointer, code: "wrong", message: "is not your password" }]);
  }
  const [first, ...others] = finishAttempt(db(c), attempt);
  await db(c).batch([first, ...others]);
  return user;
}
