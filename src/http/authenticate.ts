import type { Context } from "hono";
import { type Actor, type GatewayActor, outranks, type UserActor } from "../core/actor.ts";
import { beginnings, isBound, tokenHashOf } from "../core/bearer-token.ts";
import { unauthenticated } from "../core/problem.ts";
import { findAccount, findApiToken, findGatewayToken, noteApiTokenUse } from "../core/queries.ts";
import { ShortCache } from "../core/short-cache.ts";
import { type Claims, knownClaims, verifyToken } from "../core/token.ts";
import { companyDb } from "../db/client.ts";
import { lookingUp } from "./admission.ts";
import type { HonoEnv } from "./env.ts";
import { logError } from "./request-log.ts";
import { db } from "./session.ts";

type Account = NonNullable<Awaited<ReturnType<typeof findAccount>>>;
type ApiToken = NonNullable<Awaited<ReturnType<typeof findApiToken>>>;
type GatewayToken = NonNullable<Awaited<ReturnType<typeof findGatewayToken>>>;

const cacheMs = 30_000;
const accounts = new ShortCache<Account>(cacheMs, 5_000);
const gateways = new ShortCache<GatewayToken>(cacheMs, 5_000);
const programs = new ShortCache<ApiToken>(cacheMs, 5_000);
/** A use of an API token is recorded if the last recorded one is older than this, so most requests write nothing. */
const USE_NOTED_MS = 10 * 60_000;

/** The actor of the request's bearer token. 401 if it is missing, invalid or no longer valid. */
export async function authenticate(c: Context<HonoEnv>): Promise<Actor> {
  const token = tokenOf(c);
  if (!token) throw unauthenticated("This operation needs a bearer token in the Authorization header.");
  const actor = await actorOf(c, token);
  if (!actor) throw unauthenticated("The token is not valid, or not valid any more.");
  return actor;
}

function actorOf(c: Context<HonoEnv>, token: string): Promise<Actor | null> {
  if (token.startsWith("andon_gw_")) return gatewayOf(c, token);
  const isProgram = token.startsWith(beginnings.program) || isBound(token);
  return isProgram ? programOf(c, token) : userOf(c, token);
}

/** The company of a token that was found genuine lately, without a look at storage; undefined for any other. */
export function knownCompanyOf(c: Context<HonoEnv>): number | undefined {
  const token = tokenOf(c);
  if (!token) return undefined;
  return (gateways.get(token) ?? programs.get(token))?.value.companyId ?? knownClaims(c.env, token)?.companyId;
}

/**
 * The bearer token of a request. Browsers cannot set headers for a WebSocket, so a handshake may bring it as a subprotocol:
 * `Sec-WebSocket-Protocol: andon.v1, bearer.<token>`.
 */
function tokenOf(c: Context<HonoEnv>): string | undefined {
  if (c.req.header("upgrade")?.toLowerCase() === "websocket") {
    const protocols = c.req.header("sec-websocket-protocol")?.split(",") ?? [];
    const bearer = protocols.map((one) => one.trim()).find((one) => one.startsWith("bearer."));
    if (bearer) return bearer.slice("bearer.".length);
  }
  return /^Bearer +([^ ]+)$/i.exec(c.req.header("authorization") ?? "")?.[1];
}

async function gatewayOf(c: Context<HonoEnv>, token: string): Promise<GatewayActor | null> {
  const cached = gateways.get(token)?.value;
  if (cached) {
    c.set("isTokenGenuine", true);
    return { kind: "gateway", ...cached };
  }
  const readAt = Date.now();
  const found = await lookingUp(c, () => findGatewayToken(db(c), tokenHashOf(token)));
  if (!found) return null;
  c.set("isTokenGenuine", true);
  gateways.set(token, found, readAt);
  return { kind: "gateway", ...found };
}

/**
 * An API token acts with its role, or with that of its creator where that is lower by now. Outside the creator's company it needs a superuser
 * as its creator. A token of the company does not depend on its creator. A token is bound to machines if it begins so and they are stored with it:
 * of one without the other, something is wrong.
 */
async function programOf(c: Context<HonoEnv>, token: string): Promise<UserActor | null> {
  let found = programs.get(token)?.value;
  if (!found) {
    const readAt = Date.now();
    found = await lookingUp(c, () => findApiToken(db(c), tokenHashOf(token)));
    if (!found) return null;
    programs.set(token, found, readAt);
  }
  const { id, name, userId, companyId, isReadOnly, isOfCompany, machineIds, creatorRole, creatorCompanyId, expiresAt } = found;
  if (isBound(token) !== (machineIds !== null)) return null;
  if (expiresAt !== null && expiresAt <= Date.now()) return null;
  if (!isOfCompany && companyId !== creatorCompanyId && creatorRole !== "superuser") return null;
  c.set("isTokenGenuine", true);
  noteUse(c, found);
  c.set("token", { version: null, endsAt: expiresAt });
  const role = !isOfCompany && outranks(found.role, creatorRole) ? creatorRole : found.role;
  // At a terminal nobody acts as the person who paired it.
  const userName = machineIds ? name : found.userName;
  return { kind: "user", userId, userName, companyId, role, apiToken: { id, isReadOnly, machineIds } };
}

/** Records the use of an API token, after the answer. */
function noteUse(c: Context<HonoEnv>, token: ApiToken): void {
  const now = Date.now();
  const since = now - USE_NOTED_MS;
  if (token.lastUsedAt !== null && token.lastUsedAt >= since) return;
  // Set at once, so that concurrent requests do not record it too.
  token.lastUsedAt = now;
  // In a session of its own, so that the answer neither waits for it nor counts it.
  const note = async () => await noteApiTokenUse(companyDb(c.env, "first-primary"), token.id, now, since);
  c.executionCtx.waitUntil(note().catch((error: Error) => logError(c, error)));
}

async function userOf(c: Context<HonoEnv>, token: string): Promise<UserActor | null> {
  const claims = await verifyToken(c.env, token);
  if (!claims) return null;
  // Set before the account is read, because a user who was just created may not be on every replica yet.
  c.set("isTokenGenuine", true);
  const key = String(claims.sub);
  let account = accounts.get(key)?.value;
  // A token of a later version means that the cached account is out of date.
  const isNews = account !== undefined && claims.ver > account.tokenVersion;
  if (!account || isNews) {
    const readAt = Date.now();
    account = await lookingUp(c, () => findAccount(db(c), claims.sub));
    if (account) accounts.set(key, account, readAt);
  }
  if (!account || !agrees(account, claims)) return null;
  c.set("token", { version: claims.ver, endsAt: claims.exp * 1000 });
  const { userName, companyId, role } = account;
  return { kind: "user", userId: claims.sub, userName, companyId, role };
}

/** Makes the next request to this isolate read the user again. Other isolates cache users for up to 30 s. */
export function forgetAccount(userId: number): void {
  accounts.delete(String(userId));
}

function agrees(account: Account, claims: Claims): boolean {
  const { isActive, role, companyId, tokenVersion } = account;
  return isActive && role === claims.role && companyId === claims.companyId && tokenVersion === claims.ver;
}
