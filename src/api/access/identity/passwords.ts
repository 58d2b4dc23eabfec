import type { Caller } from "../../../core/caller.ts";
import { hashPassword, type PasswordClient } from "../../../core/password.ts";
import { commonPasswordKey } from "../../../core/password-rule.ts";
import { conflict, invalid, Problem, unauthenticated } from "../../../core/problem.ts";
import { issueToken } from "../../../core/token.ts";
import { write } from "../../../core/write.ts";
import { nextUpdatedAt } from "../../../db/expect.ts";
import { notifyWatchers } from "../../../objects/hubs.ts";
import { refuseGuessed } from "./new-password.ts";
import { guessesOf, isSameUser, selectGuesses, selectUser, updateUser } from "./queries.ts";
import { beginAttempt, failAttempt, succeedAttempt, tryPassword } from "./throttle.ts";

/** Changes the caller's own password, which ends all tokens of the user. Returns a new token. */
export async function changePassword(
  caller: Caller,
  client: PasswordClient,
  sent: { currentPassword: string; newPassword: string },
): Promise<{ token: string; exp: number }> {
  const { db, directory, actor, env } = caller;
  client.refuseHashing();
  const [[user], [found]] = await db.batch([
    selectUser(db, actor.userId),
    selectGuesses(db, actor.companyId, commonPasswordKey(sent.newPassword)),
  ]);
  if (!user) throw unauthenticated("The token is not valid any more.");
  // Counted like a login, and before anything slow, so that a stolen token does not help to guess the password.
  const { attempt } = await beginAttempt(caller, client, user.email);
  if (!(await tryPassword(directory, client, attempt, sent.currentPassword, user.passwordHash))) {
    await failAttempt(caller, user, attempt);
    throw invalid([{ pointer: "/currentPassword", code: "wrong", message: "is not your current password" }]);
  }
  try {
    refuseGuessed(sent.newPassword, user, guessesOf(found), "/newPassword");
    const passwordHash = await client.hashing(() => hashPassword(sent.newPassword));
    const { answer } = await write(
      caller,
      (db) => [selectUser(db, user.id)],
      ([before]) => {
        if (before?.passwordHash !== user.passwordHash) {
          throw conflict("The password was changed by someone else at the same time.");
        }
        const { id, companyId, role, tokenVersion } = before;
        const values = { passwordHash, tokenVersion: tokenVersion + 1, updatedAt: nextUpdatedAt(before) };
        return {
          expect: [isSameUser(before)],
          rows: [updateUser(db, id, values)],
          audit: { action: "user.change", companyId, objectId: id, before: {}, after: { password: "(not shown)" } },
          answer: { id, companyId, role, tokenVersion: values.tokenVersion },
        };
      },
    );
    await succeedAttempt(directory, attempt);
    notifyWatchers(caller, answer.companyId, "access");
    return await issueToken(env, answer, Date.now() / 1000);
  } catch (error) {
    // The password was right, so the attempt is not a failure.
    if (error instanceof Problem) await succeedAttempt(directory, attempt);
    throw error;
  }
}
