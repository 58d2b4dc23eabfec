import { auditRow } from "../../../core/audit.ts";
import type { Visitor } from "../../../core/caller.ts";
import { type PasswordClient, verifyPassword } from "../../../core/password.ts";
import { Problem, tooManyRequests } from "../../../core/problem.ts";
import type { DirectoryDb } from "../../../db/client.ts";
import { type Attempt, countAttempt, finishAttempt, forgetAttempt, touchAttempt, windowMs } from "../../../directory/attempts.ts";
import { insertEntry, selectUserOf, type UserRow } from "./queries.ts";

/** Text for the descriptions of operations that check a password. */
export const throttleText =
  "429: after 10 failures in 15 minutes for an account from an address, after 100 from an address, or for an account from addresses where it has not signed in within 30 days.";

/** Counts an attempt before its password is checked, and reads the account's user. Throws 429 if there were too many attempts. */
export async function beginAttempt({ db, directory }: Visitor, { address, network }: PasswordClient, email: string) {
  const now = Date.now();
  const [[, counters, [full]], [user]] = await Promise.all([
    directory.batch(countAttempt(directory, email, network, now)),
    selectUserOf(db, email),
  ]);
  if (counters.length > 0) return { user, attempt: { email, address, network, counters, now } };
  throw tooManyRequests("Too many failed attempts. Try again later.", ((full?.since ?? now) + windowMs - now) / 1000);
}

/**
 * Returns true if a password matches the stored hash. Takes just as long without a hash.
 * @throws Problem 503 if too many passwords are being checked; the attempt is not counted then
 */
export async function tryPassword(
  directory: DirectoryDb,
  { hashing }: PasswordClient,
  attempt: Attempt,
  password: string,
  stored: string | undefined,
): Promise<boolean> {
  try {
    return await hashing(() => verifyPassword(password, stored));
  } catch (error) {
    if (error instanceof Problem) await directory.batch(forgetAttempt(directory, attempt));
    throw error;
  }
}

/** Writes the audit entry of a failed attempt. Without a user it writes no entry, but takes just as long. */
export async function failAttempt(
  { db, directory, requestId }: Visitor,
  user: UserRow | undefined,
  attempt: Attempt,
): Promise<void> {
  await (user ? insertEntry(db, attemptEntry("login.failure", user, attempt, requestId)) : touchAttempt(directory, attempt));
}

/** Takes the count of a successful attempt back, and remembers its address for the account. */
export async function succeedAttempt(directory: DirectoryDb, attempt: Attempt): Promise<void> {
  await directory.batch(finishAttempt(directory, attempt));
}

/** The audit entry of an attempt to use a user's password. */
export function attemptEntry(
  action: "login.success" | "login.failure",
  { id, companyId }: Pick<UserRow, "id" | "companyId">,
  { address }: Attempt,
  requestId: string,
) {
  const entry = { action, companyId, objectId: id, before: null, after: { address } };
  return auditRow({ userId: id, apiTokenId: null, companyId, requestId }, entry);
}
