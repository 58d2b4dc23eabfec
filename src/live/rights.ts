import { closeCodes } from "../client/live-protocol.ts";
import { outranks } from "../core/actor.ts";
import { companyDb, directoryDb } from "../db/client.ts";
import { findGrants } from "../directory/grants.ts";
import type { Pass } from "../objects/hubs.ts";
import { findRights } from "./queries.ts";

/** Returns the close code for a watcher who may no longer watch; null for one who may. */
export type AccessCheck = (pass: Pass) => number | null;

/** Reads the present users, tokens and grants of these passes. */
export async function accessCheckOf(env: Env, passes: readonly Pass[]): Promise<AccessCheck> {
  const people = passes.filter(({ apiTokenId }) => apiTokenId === null);
  const userIds = [...new Set(people.map(({ userId }) => userId))];
  const tokenIds = [...new Set(passes.flatMap(({ apiTokenId }) => apiTokenId ?? []))];
  // A replica may not have the change yet that caused this read.
  const [{ accounts, tokens }, grants] = await Promise.all([
    findRights(companyDb(env, "first-primary"), userIds, tokenIds),
    findGrants(directoryDb(env)),
  ]);
  const accountOf = new Map(accounts.map((account) => [account.id, account]));
  const tokenOf = new Map(tokens.map((token) => [token.id, token]));

  const isGood = ({ userId, role, companyId, tokenVersion, apiTokenId }: Pass): boolean => {
    if (apiTokenId === null) {
      const account = accountOf.get(userId);
      const isSame = account?.role === role && account.companyId === companyId && account.tokenVersion === tokenVersion;
      return isSame && account.isActive;
    }
    const token = tokenOf.get(apiTokenId);
    return token !== undefined && (outranks(token.role, token.creatorRole) ? token.creatorRole : token.role) === role;
  };
  const mayRead = (role: string) => role === "superuser" || grants.has(`${role} reports:read`);
  return (pass) => {
    if (isExpired(pass, Date.now()) || !isGood(pass)) return closeCodes.badToken;
    return mayRead(pass.role) ? null : closeCodes.forbidden;
  };
}

export function isExpired({ endsAt }: Pass, now: number): boolean {
  return endsAt !== null && endsAt <= now;
}
