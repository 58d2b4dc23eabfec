import { createHmac } from "node:crypto";
import { noCompany, oneCompanyOf, type UserActor } from "../../../core/actor.ts";
import { gatewayTokenBeginning, tokenHashOf } from "../../../core/bearer-token.ts";
import type { Caller, Visitor } from "../../../core/caller.ts";
import { once } from "../../../core/idempotency.ts";
import { deriveKey, type Key, keyRing } from "../../../core/keys.ts";
import { isGranted } from "../../../core/permissions.ts";
import { invalid, notFound, type Problem } from "../../../core/problem.ts";
import { findAccount, findGatewayToken } from "../../../core/queries.ts";
import { codeFrom, newCode, shownCode } from "../../../core/short-code.ts";
import { violatedUnique } from "../../../db/errors.ts";
import { uncount } from "../../../directory/attempts.ts";
import {
  findPairing,
  findShownPairing,
  giveBackGatewayPairing,
  insertPairing,
  type PairingRow,
  takePairing,
  takePairingAgain,
} from "../../../directory/pairings.ts";
import { isoOf, MINUTE_MS } from "../../../oee/time.ts";
import { createItem } from "../../../resource/items.ts";
import { selectCompany } from "../../../resource/queries.ts";
import type { Item } from "../../../resource/resource.ts";
import { gatewayTokens } from "../../ingest/gateway-tokens/resource.ts";
import { countAttempt } from "../count-attempt.ts";
import { hasGatewayToken } from "./queries.ts";

// How a gateway gets its token, in the other direction than a display: an admin makes a code, somebody enters it at the gateway, and the gateway
// exchanges it for a token, which is made in the name of whoever made the code. The token is derived from the pairing and the service's encryption key:
// so of requests that send the code at once only one gets it, and one that was cut off can be sent again.

/** How long a code can be exchanged. */
const CODE_MS = 15 * MINUTE_MS;
/** Limits per 15 minutes: codes that a user may make, and codes that may be tried from one network, and from all together. */
const MOST_MADE = 100;
const MOST_TRIED = 20;
const MOST_TRIED_IN_ALL = 2000;
const ALL_KEY = "gateway codes";

/** Makes the code of a gateway that is to come. */
export async function createGatewayPairing(
  caller: Caller,
  { name, companyId: named }: { name: string; companyId?: number | undefined },
) {
  const { env, actor, db, directory } = caller;
  const companyId = oneCompanyOf(actor, named);
  return await once(caller, async () => {
    const [company] = await selectCompany(db, companyId);
    if (!company) throw noCompany();
    await countAttempt(directory, `gateways|${actor.userId}`, MOST_MADE, "Too many codes were made. Try again later.");
    const now = Date.now();
    const code = newCode();
    const row = { id: crypto.randomUUID(), companyId, name, expiresAt: now + CODE_MS, createdAt: now };
    const tokenHash = tokenHashOf(gatewayTokenOf(row, keyRing(env)[0]));
    await insertPairing(directory, { ...row, kind: "gateway", code, tokenHash, createdBy: actor.userId });
    const { id, expiresAt, createdAt } = row;
    return { id, companyId, name, code: shownCode(code), expiresAt: isoOf(expiresAt), createdAt: isoOf(createdAt) };
  });
}

/** The pairing of a gateway. Throws 404 if the company has none with that id. */
export async function getGatewayPairing({ actor, db, directory }: Caller, id: string, named: number | undefined) {
  const companyId = oneCompanyOf(actor, named);
  const found = await findPairing(directory, id);
  if (found?.kind !== "gateway" || found.companyId !== companyId) throw notFound("There is no such pairing, or it is long over.");
  const { name, tokenHash, confirmedAt, expiresAt, createdAt } = found;
  const token = confirmedAt === null ? undefined : await findGatewayToken(db, tokenHash);
  const isOver = confirmedAt !== null || expiresAt <= Date.now();
  const waiting = isOver ? ("expired" as const) : ("pending" as const);
  return {
    ...{ id, companyId, name: name ?? "", status: token ? ("confirmed" as const) : waiting },
    ...{ gatewayTokenId: token?.gatewayTokenId ?? null, expiresAt: isoOf(expiresAt), createdAt: isoOf(createdAt) },
  };
}

/** What a right code gives the gateway that sent it. */
interface Exchange {
  /** Whoever made the code. */
  actor: UserActor;
  pairingId: string;
  companyId: number;
  name: string;
  token: string;
  tokenHash: string;
}

/**
 * Takes the code that a gateway sent, which is used up then.
 * @param network of the gateway ("": none, as in tests; not counted)
 * @throws Problem 400 if there is no such code, 429 if too many wrong ones came
 */
export async function takeGatewayCode(visitor: Visitor, code: string, network: string): Promise<Exchange> {
  const { env, directory } = visitor;
  const key = `${ALL_KEY}|${network}`;
  const detail = "Too many codes were tried. Try again later.";
  if (network !== "") await countAttempt(directory, key, MOST_TRIED, detail);
  await countAttempt(directory, ALL_KEY, MOST_TRIED_IN_ALL, detail);
  const now = Date.now();
  const sent = { kind: "gateway" as const, code: codeFrom(code) };
  const found = await findShownPairing(directory, sent, now);
  const token =
    found &&
    keyRing(env)
      .map((key) => gatewayTokenOf(found, key))
      .find((one) => tokenHashOf(one) === found.tokenHash);
  if (!token || found.companyId === null || found.createdBy === null) throw notGood();
  const actor = await makerOf(visitor, found.createdBy, found.companyId);
  if (!actor || !(await take(visitor, found, now))) throw notGood();
  await uncount(directory, ALL_KEY);
  if (network !== "") await uncount(directory, key);
  return { actor, pairingId: found.id, companyId: found.companyId, name: found.name ?? "", token, tokenHash: found.tokenHash };
}

/** Takes a code. Returns whether it was free: also if it was taken, but its token was not stored, because the service ended in between. */
async function take({ db, directory }: Visitor, found: PairingRow, now: number): Promise<boolean> {
  const { code, confirmedAt, tokenHash } = found;
  if (confirmedAt === null) return (await takePairing(directory, { kind: "gateway", code }, now, {})) !== undefined;
  return !(await hasGatewayToken(db, tokenHash)) && (await takePairingAgain(directory, found, now, {})) !== undefined;
}

/**
 * The token of the gateway of a pairing.
 * @public for tests
 */
export function gatewayTokenOf({ id, companyId }: Pick<PairingRow, "id" | "companyId">, key: Key): string {
  const secret = createHmac("sha256", deriveKey(key, "pairing")).update(id).digest("base64url");
  return `${gatewayTokenBeginning(companyId ?? 0)}${secret}`;
}

/** Whoever made a code, with the rights of now; null: who may not make gateways any more has left no code behind. */
async function makerOf(visitor: Visitor, userId: number, companyId: number): Promise<UserActor | null> {
  const account = await findAccount(visitor.db, userId);
  if (!account?.isActive || (account.companyId !== companyId && account.role !== "superuser")) return null;
  if (!(await isGranted(visitor, account.role, gatewayTokens.access.write))) return null;
  const { userName, companyId: own, role } = account;
  return { kind: "user", userId, userName, companyId: own, role };
}

/** Stores the token of a gateway, in the name of the caller, who made its code. If it is not stored, the code is good again. */
export async function confirmGatewayPairing(
  caller: Caller,
  { pairingId, companyId, name, token, tokenHash }: Exchange,
): Promise<Item> {
  try {
    return { ...(await createItem(caller, gatewayTokens, { name, companyId, tokenHash })), token };
  } catch (error) {
    // An error does not say whether it was stored.
    if (!(await hasGatewayToken(caller.db, tokenHash))) await giveBackGatewayPairing(caller.directory, pairingId);
    // Somebody else sent the code at the same time.
    throw violatedUnique(error) === "gateway_tokens.token_hash" ? notGood() : error;
  }
}

function notGood(): Problem {
  return invalid([{ pointer: "/code", code: "not_found", message: "is not a code that is good now: make another one" }]);
}
