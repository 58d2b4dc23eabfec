import type { Caller } from "../../../core/caller.ts";
import type { PasswordClient } from "../../../core/password.ts";
import { invalid, unauthenticated } from "../../../core/problem.ts";
import { selectUser, type UserRow } from "./queries.ts";
import { beginAttempt, failAttempt, succeedAttempt, tryPassword } from "./throttle.ts";

/**
 * Checks the caller's own password. The throttle counts the check like a login. Returns the caller's user.
 * @param password the `currentPassword` of the request; throws 400 if it is missing or wrong
 */
export async function confirmPassword(caller: Caller, client: PasswordClient, password: string | undefined): Promise<UserRow> {
  const { db, directory, actor } = caller;
  const pointer = "/currentPassword";
  if (password === undefined) {
    const message = "is required: changing the password, e-mail address or role of another administrator takes your own password";
    throw invalid([{ pointer, code: "required", message }]);
  }
  const [user] = await selectUser(db, actor.userId);
  if (!user) throw unauthenticated("The token is not valid any more.");
  client.refuseHashing();
  const { attempt } = await beginAttempt(caller, client, user.email);
  if (!(await tryPassword(directory, client, attempt, password, user.passwordHash))) {
    await failAttempt(caller, user, attempt);
    throw invalid([{ pointer, code: "wrong", message: "is not your password" }]);
  }
  await succeedAttempt(directory, attempt);
  return user;
}
