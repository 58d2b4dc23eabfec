import type { Caller, Visitor } from "../../../core/caller.ts";
import type { PasswordClient } from "../../../core/password.ts";
import { unauthenticated } from "../../../core/problem.ts";
import { issueToken } from "../../../core/token.ts";
import { write } from "../../../core/write.ts";
import { nextUpdatedAt } from "../../../db/expect.ts";
import { notifyWatchers } from "../../../objects/hubs.ts";
import { insertEntry, isSameUser, selectUser, updateUser } from "./queries.ts";
import { attemptEntry, beginAttempt, failAttempt, succeedAttempt, tryPassword } from "./throttle.ts";

/**
 * Exchanges an e-mail address and a password for a token. An attempt is counted before the slow comparison, so that concurrent
 * attempts are counted too.
 */
export async function signIn(visitor: Visitor, client: PasswordClient, sent: { email: string; password: string }) {
  const { env, db, directory, requestId } = visitor;
  client.refuseHashing();
  const { user, attempt } = await beginAttempt(visitor, client, sent.email);
  const matches = await tryPassword(directory, client, attempt, sent.password, user?.passwordHash);
  if (!user?.isActive || !matches) {
    await failAttempt(visitor, user, attempt);
    throw unauthenticated("The e-mail address or the password is wrong.", { error: true });
  }
  await Promise.all([
    insertEntry(db, attemptEntry("login.success", user, attempt, requestId)),
    succeedAttempt(directory, attempt),
  ]);
  const { email, companyId, id, role } = user;
  return { email, companyId, id, role, jwt: await issueToken(env, user, Date.now() / 1000) };
}

/** Ends all tokens of the caller. */
export async function signOut(caller: Caller): Promise<void> {
  const { userId, companyId } = caller.actor;
  await write(
    caller,
    (db) => [selectUser(db, userId)],
    ([user]) => {
      // The tokens of a deleted user are already void.
      if (!user) return { answer: undefined };
      return {
        expect: [isSameUser(user)],
        rows: [updateUser(caller.db, userId, { tokenVersion: user.tokenVersion + 1, updatedAt: nextUpdatedAt(user) })],
        audit: { action: "user.change", companyId, objectId: userId, before: {}, after: { tokens: "ended" } },
        answer: undefined,
      };
    },
  );
  notifyWatchers(caller, companyId, "access");
}
