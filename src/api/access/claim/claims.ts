import type { UserActor } from "../../../core/actor.ts";
import { auditedBy, auditRow } from "../../../core/audit.ts";
import { tokenHashOf } from "../../../core/bearer-token.ts";
import type { Caller, Visitor } from "../../../core/caller.ts";
import { hashPassword, type PasswordClient } from "../../../core/password.ts";
import { commonPasswordKey } from "../../../core/password-rule.ts";
import { conflict, invalid, type Problem } from "../../../core/problem.ts";
import { takeId, takenId } from "../../../core/sequence.ts";
import { CLAIM_KEY, codeFrom } from "../../../core/short-code.ts";
import type { CompanyDb } from "../../../db/client.ts";
import { uncount } from "../../../directory/attempts.ts";
import { deleteClaimCodes, selectClaimCode } from "../../../directory/claim-codes.ts";
import { createItem } from "../../../resource/items.ts";
import { type RuleContext, type RuleInput, rule } from "../../../resource/rules.ts";
import type { CompanyRow } from "../../plant/companies/queries.ts";
import { companies } from "../../plant/companies/resource.ts";
import { effectsOf } from "../../plant/companies/rules.ts";
import { countAttempt } from "../count-attempt.ts";
import { refuseGuessed } from "../identity/new-password.ts";
import { guessesOf, insertEntry, selectGuesses, type UserRow } from "../identity/queries.ts";
import { userTable } from "../users/queries.ts";
import { users } from "../users/resource.ts";
import { hasNoUser, hasRoom, insertUser, selectIsClaimed, selectRoom } from "./queries.ts";

// How a service without users gets its first user and company. Whoever started it has a code, which `npm start -- --empty` or `npm run admin`
// printed; it is good until there is a user. In the demo on one's own computer, the first page has another code: it makes an empty company with an
// admin of its own beside the demo plant.

/** Wrong codes in 15 minutes; more are refused until these are over, or until there is a new code. */
const maxCodes = 10;

/** What the first user enters. */
export interface Claim {
  code: string;
  name: string;
  email: string;
  password: string;
  companyName: string;
  timezone: string;
}

/** Whether the service has, or had, a user. */
export async function isClaimed({ db }: Pick<Visitor, "db">): Promise<boolean> {
  const [row] = await selectIsClaimed(db);
  return row?.isClaimed === 1;
}

/**
 * Checks the code. Returns the user that the visitor becomes, who is not stored yet: the service's first user, or the admin of another company.
 * @param startCode the code with which this visitor may start an empty plant; null: none
 * @throws Problem 409 if there is a user already, 429 after ten wrong codes, 400 if the code is wrong
 */
export async function acceptCode(
  visitor: Visitor,
  { code, name }: Pick<Claim, "code" | "name">,
  startCode: string | null,
): Promise<UserActor> {
  const { db, directory } = visitor;
  if (startCode === null && (await isClaimed(visitor))) throw alreadyClaimed();
  const detail = "Too many wrong codes were entered. Wait, or make a new code with npm run admin.";
  await countAttempt(directory, CLAIM_KEY, maxCodes, detail);
  const isStart = startCode !== null && codeFrom(code) === codeFrom(startCode);
  if (!isStart && (await selectClaimCode(directory, tokenHashOf(codeFrom(code)))).length === 0) {
    const message = "is not the code that npm start -- --empty or npm run admin printed last";
    throw invalid([{ pointer: "/code", code: "wrong", message }]);
  }
  await uncount(directory, CLAIM_KEY);
  const userId = takenId(db, await takeId(db, userTable.table));
  // The company gets its id when it is stored.
  return { kind: "user", userId, userName: name, companyId: 0, role: isStart ? "admin" : "superuser" };
}

/**
 * Stores the user and the company, both or neither. The caller is that user: a superuser is the first one.
 * @throws Problem 409 if somebody else was first, or there is no room for another company, 400 if the password is easy to guess
 */
export async function claimService(
  caller: Caller,
  client: PasswordClient,
  claim: Claim,
): Promise<{ companyId: number; userId: number }> {
  const { jurisdiction } = caller.db;
  const sent = companies.members.create.parse({ name: claim.companyName, timezone: claim.timezone, jurisdiction });
  const company = await createItem(caller, companies, sent, { rule: claiming(caller, client, claim) });
  // They are of no use any more: there is a user.
  await deleteClaimCodes(caller.directory);
  return { companyId: Number(company.id), userId: caller.actor.userId };
}

/** The rule of the company, with which its first user is stored. */
function claiming(caller: Caller, client: PasswordClient, { name, email, password }: Claim) {
  const { role } = caller.actor;
  const isFirst = role === "superuser";
  return rule(
    (db: CompanyDb, { owner }: RuleContext<object>) =>
      [selectIsClaimed(db), selectRoom(db), selectGuesses(db, owner, commonPasswordKey(password))] as const,
    async (asked: RuleInput<CompanyRow>, [found], [room], [guesses]) => {
      if (isFirst && found?.isClaimed === 1) throw alreadyClaimed();
      if (!isFirst && room?.hasRoom !== 1) throw conflict("There are too many plants beside the demo to start another one.");
      const { db, actor, next: company } = asked;
      refuseGuessed(password, { name, email }, { ...guessesOf(guesses), company: company.name }, "/password");
      const user: UserRow = {
        ...{ id: actor.userId, companyId: company.id, name, email, role, isActive: true, tokenVersion: 1 },
        passwordHash: await client.hashing(() => hashPassword(password)),
        ...{ createdAt: company.createdAt, updatedAt: company.updatedAt, deletedAt: null },
      };
      const by = auditedBy({ ...actor, companyId: company.id }, caller.requestId);
      const after = users.shape.item(user, caller);
      const entry = auditRow(by, { action: "user.create", companyId: company.id, objectId: user.id, before: null, after });
      return {
        ...effectsOf(asked),
        expect: [isFirst ? hasNoUser : hasRoom],
        rows: [insertUser(db, user), insertEntry(db, entry)],
      };
    },
  );
}

function alreadyClaimed(): Problem {
  return conflict("This service has users: sign in, or ask an admin for an account.");
}
