import { outranks, refuseAbove } from "../../../core/actor.ts";
import { hashPassword, type PasswordClient } from "../../../core/password.ts";
import { commonPasswordKey } from "../../../core/password-rule.ts";
import { conflict } from "../../../core/problem.ts";
import type { CompanyDb } from "../../../db/client.ts";
import { type Effects, type RuleContext, type RuleInput, rule } from "../../../resource/rules.ts";
import { refuseGuessed } from "../identity/new-password.ts";
import { type Guesses, guessesOf, selectGuesses } from "../identity/queries.ts";
import { insertNotification, revokeTokensOf, type UserRow } from "./queries.ts";

interface SentUser {
  password?: string;
}

const readGuesses = (db: CompanyDb, { sent, owner }: RuleContext<SentUser>) =>
  [selectGuesses(db, owner, commonPasswordKey(sent.password ?? ""))] as const;

/** The rule of a new user. */
export function storeNewUser(client: PasswordClient) {
  const hashOnce = once((password: string) => client.hashing(() => hashPassword(password)));
  return rule(readGuesses, async ({ actor, sent, next }: RuleInput<UserRow, SentUser>, [guesses]) => {
    refuseAbove(actor, next.role);
    const signIn = await signInOf(sent, next, guessesOf(guesses), hashOnce);
    return { ...signIn, values: { ...signIn.values, tokenVersion: 1 } };
  });
}

/**
 * The rule of a changed user.
 * @param confirm checks the caller's own password, which counts as an attempt to sign in; returns the caller's user
 */
export function storeChangedUser(client: PasswordClient, confirm: () => Promise<{ name: string }>) {
  const hashOnce = once((password: string) => client.hashing(() => hashPassword(password)));
  const confirmOnce = once(confirm);
  return rule(readGuesses, async (asked: RuleInput<UserRow, SentUser>, [guesses]) => {
    const { db, actor, sent, next } = asked;
    const before = asked.before ?? next;
    refuseAbove(actor, before.role, next.role);
    if (before.id === actor.userId) refuseOwn(before, next, sent);
    const changed = changesOf(before, next, sent);
    const isOfOtherAdmin = before.id !== actor.userId && isAdmin(before) && changed.length > 0;
    const by = isOfOtherAdmin ? await confirmOnce() : null;
    const signIn = await signInOf(sent, next, guessesOf(guesses), hashOnce);
    const endsTokens = sent.password !== undefined || before.role !== next.role || before.isActive !== next.isActive;
    return {
      ...signIn,
      values: { ...signIn.values, tokenVersion: before.tokenVersion + (endsTokens ? 1 : 0) },
      rows: by ? [insertNotification(db, next, changeText(by, changed))] : [],
    };
  });
}

/** Refuses a password that is easy to guess, and hashes any other. */
async function signInOf(
  { password }: SentUser,
  user: UserRow,
  guesses: Guesses,
  hash: (password: string) => Promise<string>,
): Promise<Effects<UserRow>> {
  if (password === undefined) return {};
  refuseGuessed(password, user, guesses, "/password");
  return { values: { passwordHash: await hash(password) }, hidden: ["password"] };
}

export const removeUser = rule(
  () => [],
  ({ db, actor, next }: RuleInput<UserRow>) => {
    refuseAbove(actor, next.role);
    if (next.id === actor.userId) throw ownAccount();
    const values = { isActive: false, tokenVersion: next.tokenVersion + 1 };
    return { values, rows: [revokeTokensOf(db, next.id, next.updatedAt)] };
  },
);

/** Who is restored stays inactive: an admin decides anew who can sign in. */
export const restoreUser = rule(
  () => [],
  ({ actor, next }: RuleInput<UserRow>) => {
    refuseAbove(actor, next.role);
    return {};
  },
);

/** The changes that affect signing in. The role is one of them: otherwise an admin could be demoted first, and then changed without a password. */
function changesOf(before: UserRow, next: UserRow, { password }: SentUser): string[] {
  return [
    ...(password === undefined ? [] : ["password"]),
    ...(next.email === before.email ? [] : ["e-mail address"]),
    ...(next.role === before.role ? [] : ["role"]),
  ];
}

function changeText({ name }: { name: string }, changed: readonly string[]) {
  const what = changed.join(" and ");
  const body = `${name} changed your ${what}. If you did not ask for that, contact your administrator.`;
  return { title: `Your ${what} was changed`, body };
}

function isAdmin({ role }: UserRow): boolean {
  return !outranks("admin", role);
}

/** Throws 409 if users change members of their own account that they must not change. */
function refuseOwn(before: UserRow, next: UserRow, { password }: SentUser): void {
  if (next.isActive !== before.isActive || next.role !== before.role) throw ownAccount();
  if (password !== undefined) {
    throw conflict("Change your own password with `PUT /v1/password`, which takes the current one.");
  }
}

function ownAccount() {
  return conflict("You cannot change the role of your own account, or end it: someone else has to.");
}

/** Runs slow or counted work only once, even if a write is decided several times. */
function once<A extends unknown[], T>(work: (...given: A) => Promise<T>): (...given: A) => Promise<T> {
  let done: Promise<T> | undefined;
  return (...given) => {
    done ??= work(...given);
    return done;
  };
}
