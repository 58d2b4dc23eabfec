import { closeCodes } from "../client/live-protocol.ts";
import { outranks } from "../core/actor.ts";
import { companyDb, directoryDb } from "../db/client.ts";
import type { Permission } from "../db/values.ts";
import { findGrants } from "../directory/grants.ts";
import type { Pass } from "../objects/hubs.ts";
import { findRights } from "./queries.ts";

/** What a watcher may see. */
interface Rights {
  /** The code to close the connection with; null: the watcher may go on. */
  closeCode: number | null;
  hidesNames: boolean;
}

export type RightsOf = (pass: Pass) => Rights;

/** Reads the present users, tokens and grants of these passes. Returns what each may see. */
export async function findRightsOf(env: Env, passes: readonly Pass[]): Promise<RightsOf> {
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
  const may = (role: string, permission: Permission) => role === "superuser" || grants.has(`${role} ${permission}`);
  const closeCodeOf = (pass: Pass) => {
    if (isExpired(pass, Date.now()) || !isGood(pass)) return closeCodes.badToken;
    return may(pass.role, "reports:read") ? null : closeCodes.forbidden;
  };
  return (pass) => ({ closeCode: closeCodeOf(pass), hidesNames: !may(pass.role, "operator-names:read") });
}

export function isExpired({ endsAt }: Pass, now: number): boolean {
  return endsAt !== null && endsAt <= now;
}
