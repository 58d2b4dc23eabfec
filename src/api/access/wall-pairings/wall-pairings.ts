import { createHmac, randomBytes } from "node:crypto";
import { tokenHashOf } from "../../../core/bearer-token.ts";
import type { Caller, Visitor } from "../../../core/caller.ts";
import { invalid, notFound, tooManyRequests } from "../../../core/problem.ts";
import type { CompanyDb, DirectoryDb } from "../../../db/client.ts";
import { countUp, uncount, windowMs } from "../../../directory/attempts.ts";
import { findPairing, giveBackPairing, insertPairing, takePairing } from "../../../directory/wall-pairings.ts";
import { isoOf } from "../../../oee/time.ts";
import { createItem } from "../../../resource/items.ts";
import { areOwned, selectOwned } from "../../../resource/queries.ts";
import type { Item } from "../../../resource/resource.ts";
import { type RuleContext, type RuleInput, refuse, rule, unknownIds } from "../../../resource/rules.ts";
import { lineTable } from "../../plant/lines/queries.ts";
import type { ApiTokenRow } from "../api-tokens/queries.ts";
import { apiTokens } from "../api-tokens/resource.ts";
import { findWallToken } from "./queries.ts";

// How a wall without a keyboard gets its token: it shows a code, an admin enters it on another device, and the wall fetches the token. The token
// is derived from the secret that only the wall has, so it is the same each time it is fetched, and is never stored.

/** How long a code can be confirmed, and how long after that the wall can fetch its token. */
export const pairingMs = 10 * 60_000;

/** Limits per 15 minutes: pairings that walls behind one address may begin, and wrong codes that a user may enter. */
const maxWalls = 100;
const maxCodes = 20;

/** Letters and digits that are not confused with each other when read aloud or seen from afar. No vowels, so no words. */
const signs = "CDFGHJKMNPQRTVWXY34679";
const codeLength = 8;

/** The status of a pairing as its wall sees it. */
type PairingStatus = "pending" | "confirmed" | "expired";

/** The members that an admin enters for a wall. */
export interface WallSetting {
  code: string;
  name: string;
  companyId?: number | undefined;
  lineIds: readonly number[] | null;
  distance: number;
}

/** Begins a pairing for a client of a network ("": none, as in tests; not counted). Throws 429 if too many were begun from there. */
export async function beginPairing({ directory }: Visitor, network: string) {
  const now = Date.now();
  if (network !== "")
    await count(directory, `walls|${network}`, maxWalls, now, "Too many walls asked to be paired from this address.");
  const id = crypto.randomUUID();
  const secret = `andon_pair_${randomBytes(32).toString("base64url")}`;
  const dice = crypto.getRandomValues(new Uint32Array(codeLength));
  const code = [...dice].map((eyes) => signs[eyes % signs.length]).join("");
  const expiresAt = now + pairingMs;
  await insertPairing(directory, { id, code, tokenHash: tokenHashOf(tokenOf(secret)), expiresAt, createdAt: now });
  return { id, code: `${code.slice(0, codeLength / 2)}-${code.slice(codeLength / 2)}`, secret, expiresAt: isoOf(expiresAt) };
}

/** A pairing, for the wall that has its secret. Throws 404 for everyone else. */
export async function getPairing({ db, directory }: Visitor, id: string, secret: string) {
  const token = tokenOf(secret);
  const found = await findPairing(directory, id);
  if (found?.tokenHash !== tokenHashOf(token))
    throw notFound("There is no such pairing, it has expired, or the secret is wrong.");
  const { expiresAt, confirmedAt, lineIds, distance } = found;
  const given = confirmedAt === null ? undefined : await findWallToken(db, found.tokenHash);
  const isOver = expiresAt <= Date.now() || (confirmedAt !== null && !given);
  const waiting = confirmedAt === null ? "pending" : "confirmed";
  const status: PairingStatus = isOver ? "expired" : waiting;
  const nothing = { token: null, companyId: null, name: null, lineIds: null, distance: null };
  const wall = status === "confirmed" && given ? { token, ...given, lineIds: lineIds && [...lineIds], distance } : nothing;
  return { id, status, expiresAt: isoOf(expiresAt), ...wall };
}

/**
 * Gives the wall that shows a code a read-only API token. Returns the token's item. Throws 429 if the caller entered too many codes.
 *
 * The code is in the directory, the token in the database of its company. So the code is taken first, and given back if the token was not stored.
 * If the service ends in between, the wall gets the answer that its code has expired, and shows a new one.
 */
export async function confirmPairing(caller: Caller, { companyId, name, ...setting }: WallSetting): Promise<Item> {
  const { directory } = caller;
  const now = Date.now();
  const key = `codes|${caller.actor.userId}`;
  await count(directory, key, maxCodes, now, "Too many codes were entered.");
  const code = new ShownCode(directory, setting, now);
  const program = { name, role: "readonly", isReadOnly: true, isOfCompany: true, expiresAt: null };
  try {
    const item = await createItem(caller, apiTokens, { ...program, companyId }, { rule: confirming(setting, code) });
    await uncount(directory, key);
    return item;
  } catch (error) {
    await code.giveBackUnlessUsed(caller.db);
    throw error;
  }
}

/** The code that a wall shows, which can be taken once. */
class ShownCode {
  readonly #directory: DirectoryDb;
  readonly #setting: Omit<WallSetting, "name" | "companyId">;
  readonly #now: number;
  #taken: Awaited<ReturnType<typeof takePairing>>;

  constructor(directory: DirectoryDb, setting: Omit<WallSetting, "name" | "companyId">, now: number) {
    this.#directory = directory;
    this.#setting = setting;
    this.#now = now;
  }

  /** Takes it for a company. Returns the hash of the wall's token; throws 400 if no wall shows it. */
  async take(companyId: number): Promise<string> {
    const { code, lineIds, distance } = this.#setting;
    // A write may be decided several times.
    this.#taken ??= await takePairing(this.#directory, code.toUpperCase().replaceAll(/[\s-]/g, ""), this.#now, {
      ...{ companyId, lineIds, distance },
      expiresAt: this.#now + pairingMs,
    });
    if (this.#taken) return this.#taken.tokenHash;
    throw invalid([{ pointer: "/code", code: "not_found", message: "is not a code that a wall shows now" }]);
  }

  /** Releases the code, unless the wall's token was stored: an error does not say whether it was. */
  async giveBackUnlessUsed(db: CompanyDb): Promise<void> {
    if (!this.#taken) return;
    const { id, tokenHash, createdAt } = this.#taken;
    if (await findWallToken(db, tokenHash)) return;
    await giveBackPairing(this.#directory, id, createdAt + pairingMs);
  }
}

/** The rule for creating a wall's token. */
function confirming({ lineIds }: Pick<WallSetting, "lineIds">, code: ShownCode) {
  return rule(
    (db, { owner }: RuleContext<object>) => [selectOwned(db, lineTable, owner, lineIds ?? [])],
    async ({ actor, next }: RuleInput<ApiTokenRow>, lines) => {
      refuse(unknownIds(lineIds ?? [], lines, (i) => `/lineIds/${i}`, "is not a line of this company"));
      const tokenHash = await code.take(next.companyId);
      return {
        // The hash is a column of the table, but is never read into its rows.
        values: { createdBy: actor.userId, lastUsedAt: null, ...{ tokenHash } },
        expect: lineIds ? [areOwned(lineTable, next.companyId, lineIds)] : [],
      };
    },
  );
}

async function count(directory: DirectoryDb, key: string, most: number, now: number, detail: string): Promise<void> {
  const [, counted, [first]] = await directory.batch(countUp(directory, key, most, now));
  if (counted.length === 0) throw tooManyRequests(`${detail} Try again later.`, ((first?.since ?? now) + windowMs - now) / 1000);
}

/** The API token of the wall that has this secret. */
function tokenOf(secret: string): string {
  return `andon_api_${createHmac("sha256", secret).update("API token of a wall").digest("base64url")}`;
}
