import { companyDb, directoryDb } from "../db/client.ts";
import {
  type FollowedKind,
  insertHomes,
  insertTokenHomes,
  selectFollowed,
  storeLogins,
  updateFollowed,
} from "../directory/homes.ts";
import { MINUTE_MS } from "../oee/time.ts";
import { selectCompaniesAfter, selectTokensAfter, selectUsersAfter } from "./queries.ts";

/** The maximum number of rows of a kind that a run reads. */
export const ROWS_PER_RUN = 500;

/**
 * Rows do not become visible in the order of their numbers, because several writes are in progress at once: a run reads the last rows of the run before
 * again. In ms for users, which are followed by the time of their change, and in ids for the others, which stay as they were made.
 */
const OVERLAP: Record<FollowedKind, number> = {
  companies: 100,
  users: MINUTE_MS,
  "gateway-tokens": 100,
  "api-tokens": 100,
};

/** The number by which a row is followed, and its id. */
interface Numbered {
  until: number;
  id: number;
}

const START: Numbered = { until: -1, id: 0 };

/**
 * Copies to the directory which companies, addresses and tokens a database of companies has: at first all of them, in steps, then those that are new or
 * changed since the run before. So no operation has to write to both databases, and rows of any writer are found, such as of the command line.
 */
export async function tellDirectory(env: Env, now: number): Promise<void> {
  const db = companyDb(env, "first-primary");
  const directory = directoryDb(env);
  const known = await selectFollowed(directory, db.number);
  const from = (kind: FollowedKind) => known.find((one) => one.kind === kind) ?? START;
  const next = (kind: FollowedKind, rows: readonly Numbered[]) => {
    const until = followedUntil(kind, rows, now);
    return until ? [updateFollowed(directory, { database: db.number, kind, ...until })] : [];
  };
  const [companies, users, gatewayTokens, apiTokens] = await db.batch([
    selectCompaniesAfter(db, from("companies"), ROWS_PER_RUN),
    selectUsersAfter(db, from("users"), ROWS_PER_RUN),
    selectTokensAfter(db, "gateway-tokens", from("gateway-tokens"), ROWS_PER_RUN),
    selectTokensAfter(db, "api-tokens", from("api-tokens"), ROWS_PER_RUN),
  ]);
  const signIns = users.map(({ id, companyId, email, isDeleted }) => ({
    userId: id,
    companyId,
    email: isDeleted ? null : email,
  }));
  const tokens = [...gatewayTokens, ...apiTokens].map(({ tokenHash, companyId }) => ({ tokenHash, companyId }));
  await directory.batch([
    insertHomes(directory, companies, db.number),
    ...storeLogins(directory, signIns),
    insertTokenHomes(directory, tokens),
    ...next("companies", companies),
    ...next("users", users),
    ...next("gateway-tokens", gatewayTokens),
    ...next("api-tokens", apiTokens),
  ]);
}

/** Where the next run begins; null: where this one did. Never after `now`: a row whose clock was ahead would hide all changes until then. */
function followedUntil(kind: FollowedKind, rows: readonly Numbered[], now: number): Numbered | null {
  const last = rows.at(-1);
  if (!last) return null;
  const { until, id } = last;
  if (kind === "users" && until > now) return { until: now - OVERLAP.users, id: 0 };
  return rows.length === ROWS_PER_RUN ? { until, id } : { until: until - OVERLAP[kind], id: 0 };
}
