import { createHash } from "node:crypto";
import type { Context } from "hono";
import type { Actor, GatewayActor, UserActor } from "../core/actor.ts";
import { unauthenticated } from "../core/problem.ts";
import { findAccount, findGatewayToken } from "../core/queries.ts";
import { ShortCache } from "../core/short-cache.ts";
import { type Claims, knownClaims, verifyToken } from "../core/token.ts";
import type { HonoEnv } from "./env.ts";
import { lookingUp } from "./rooms.ts";
import { db } from "./session.ts";

type Account = NonNullable<Awaited<ReturnType<typeof findAccount>>>;
type GatewayToken = NonNullable<Awaited<ReturnType<typeof findGatewayToken>>>;

const cacheMs = 30_000;
const accounts = new ShortCache<Account>(cacheMs, 5_000);
const gateways = new ShortCache<GatewayToken>(cacheMs, 5_000);

/** The actor of the request's bearer token. 401 when there is none, or it is not good (any more). */
export async function authenticate(c: Context<HonoEnv>): Promise<Actor> {
  const token = tokenOf(c);
  if (!token) throw unauthenticated("This operation needs a bearer token in the Authorization header.");
  const actor = token.startsWith("andon_gw_") ? await gatewayOf(c, token) : await userOf(c, token);
  if (!actor) throw unauthenticated("The token is not valid, or not valid any more.");
  return actor;
}

/** The company of a token that was found genuine lately, without a look at storage; undefined for any other. */
export function knownCompanyOf(c: Context<HonoEnv>): number | undefined {
  const token = tokenOf(c);
  if (!token) return undefined;
  return gateways.get(token)?.value.companyId ?? knownClaims(c.env, token)?.companyId;
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
  const tokenHash = createHash("sha256").update(token).digest("hex");
  const found = await lookingUp(c, () => findGatewayToken(db(c), tokenHash));
  if (!found) return null;
  c.set("isTokenGenuine", true);
  gateways.set(token, found, readAt);
  return { kind: "gateway", ...found };
}

async function userOf(c: Context<HonoEnv>, token: string): Promise<UserActor | null> {
  const claims = await verifyToken(c.env, token);
  if (!claims) return null;
  // Before the account is read: a user who was made a moment ago may not be at every replica yet.
  c.set("isTokenGenuine", true);
  const key = String(claims.sub);
  let account = accounts.get(key)?.value;
  // A token of a later version tells of a change that is not remembered yet.
  const isNews = account !== undefined && claims.ver > account.tokenVersion;
  if (!account || isNews) {
    const readAt = Date.now();
    account = await lookingUp(c, () => findAccount(db(c), claims.sub));
    if (account) accounts.set(key, account, readAt);
  }
  if (!account || !agrees(account, claims)) return null;
  return { kind: "user", userId: claims.sub, companyId: account.companyId, role: account.role };
}

/** Reads a user anew with the next request to this isolate. Others remember what they read for up to 30 s. */
export function forgetAccount(userId: number): void {
  accounts.delete(String(userId));
}

function agrees(account: Account, claims: Claims): boolean {
  const { isActive, role, companyId, tokenVersion } = account;
  return isActive && role === claims.role && companyId === claims.companyId && tokenVersion === claims.ver;
}
