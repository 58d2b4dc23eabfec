import { createHash, createHmac, randomBytes } from "node:crypto";
import type { Caller, Visitor } from "../../../core/caller.ts";
import { invalid, notFound, tooManyRequests } from "../../../core/problem.ts";
import type { Db } from "../../../db/client.ts";
import { isoOf } from "../../../oee/time.ts";
import { createItem } from "../../../resource/items.ts";
import { areOwned, selectOwned } from "../../../resource/queries.ts";
import type { Item } from "../../../resource/resource.ts";
import { type RuleContext, type RuleInput, refuse, rule, unknownIds } from "../../../resource/rules.ts";
import { lineTable } from "../../plant/lines/queries.ts";
import type { ApiTokenRow } from "../api-tokens/queries.ts";
import { apiTokens } from "../api-tokens/resource.ts";
import { windowMs } from "../identity/queries.ts";
import { countUp, findPairing, insertPairing, isWaiting, selectWaiting, uncount, updatePairing } from "./queries.ts";

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
export async function beginPairing({ db }: Visitor, network: string) {
  const now = Date.now();
  if (network !== "") await count(db, `walls|${network}`, maxWalls, now, "Too many walls asked to be paired from this address.");
  const id = crypto.randomUUID();
  const secret = `andon_pair_${randomBytes(32).toString("base64url")}`;
  const dice = crypto.getRandomValues(new Uint32Array(codeLength));
  const code = [...dice].map((eyes) => signs[eyes % signs.length]).join("");
  const expiresAt = now + pairingMs;
  await insertPairing(db, { id, code, tokenHash: hashOf(tokenOf(secret)), expiresAt, createdAt: now });
  return { id, code: `${code.slice(0, codeLength / 2)}-${code.slice(codeLength / 2)}`, secret, expiresAt: isoOf(expiresAt) };
}

/** A pairing, for the wall that has its secret. Throws 404 for everyone else. */
export async function getPairing({ db }: Visitor, id: string, secret: string) {
  const token = tokenOf(secret);
  const found = await findPairing(db, id);
  if (found?.tokenHash !== hashOf(token)) throw notFound("There is no such pairing, it has expired, or the secret is wrong.");
  const { expiresAt, confirmedAt, lineIds, distance, tokenName: name, tokenCompanyId: companyId } = found;
  const isOver = expiresAt <= Date.now() || (confirmedAt !== null && name === null);
  const waiting = confirmedAt === null ? "pending" : "confirmed";
  const status: PairingStatus = isOver ? "expired" : waiting;
  const nothing = { token: null, companyId: null, name: null, lineIds: null, distance: null };
  const wall = status === "confirmed" ? { token, companyId, name, lineIds: lineIds && [...lineIds], distance } : nothing;
  return { id, status, expiresAt: isoOf(expiresAt), ...wall };
}

/** Gives the wall that shows a code a read-only API token. Returns the token's item. Throws 429 if the caller entered too many codes. */
export async function confirmPairing(caller: Caller, { companyId, name, ...setting }: WallSetting): Promise<Item> {
  const now = Date.now();
  const key = `codes|${caller.actor.userId}`;
  await count(caller.db, key, maxCodes, now, "Too many codes were entered.");
  const program = { name, role: "readonly", isReadOnly: true, isOfCompany: true, expiresAt: null };
  return await createItem(caller, apiTokens, { ...program, companyId }, { rule: confirming(setting, key, now) });
}

/** The rule for creating a wall's token. */
function confirming({ code, lineIds, distance }: Pick<WallSetting, "code" | "lineIds" | "distance">, key: string, now: number) {
  return rule(
    (db, { owner }: RuleContext<object>) => [
      selectWaiting(db, code.toUpperCase().replaceAll(/[\s-]/g, ""), now),
      selectOwned(db, lineTable, owner, lineIds ?? []),
    ],
    ({ db, actor, next }: RuleInput<ApiTokenRow>, [pairing], lines) => {
      if (!pairing) throw invalid([{ pointer: "/code", code: "not_found", message: "is not a code that a wall shows now" }]);
      refuse(unknownIds(lineIds ?? [], lines, (i) => `/lineIds/${i}`, "is not a line of this company"));
      const { id, tokenHash } = pairing;
      const confirmed = { confirmedAt: now, expiresAt: now + pairingMs, lineIds, distance };
      return {
        // The hash is a column of the table, but is never read into its rows.
        values: { createdBy: actor.userId, lastUsedAt: null, ...{ tokenHash } },
        expect: [isWaiting(id), ...(lineIds ? [areOwned(lineTable, next.companyId, lineIds)] : [])],
        rows: [updatePairing(db, id, confirmed), uncount(db, key)],
      };
    },
  );
}

async function count(db: Db, key: string, most: number, now: number, detail: string): Promise<void> {
  const [, counted, [first]] = await db.batch(countUp(db, key, most, now));
  if (counted.length === 0) throw tooManyRequests(`${detail} Try again later.`, ((first?.since ?? now) + windowMs - now) / 1000);
}

/** The API token of the wall that has this secret. */
function tokenOf(secret: string): string {
  return `andon_api_${createHmac("sha256", secret).update("API token of a wall").digest("base64url")}`;
}

function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
