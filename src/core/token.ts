import { createHash } from "node:crypto";
import { z } from "@hono/zod-openapi";
import { decode, sign, verify } from "hono/jwt";
import { type Role, roles } from "../db/schema.ts";
import { configOf } from "./config.ts";
import { ShortCache } from "./short-cache.ts";

const issuer = "andon";

/** Names this installation, so that no token of another one is valid here, even if both have the same secrets (RFC 8725, 3.9). */
function audienceOf(env: Env): string {
  const { INSTALLATION_ID: id } = configOf(env);
  return id === "" ? "andon-api" : `andon-api:${id}`;
}

const claimsSchema = z.object({
  sub: z.string().regex(/^\d+$/).transform(Number),
  companyId: z.int(),
  role: z.enum(roles),
  ver: z.int(),
  iat: z.int(),
  exp: z.int(),
});

/** The claims of a token: `sub` is the user id, `ver` the user's token version, `iat` and `exp` are epoch seconds. */
export type Claims = z.infer<typeof claimsSchema>;

/** A token in an answer. */
export const tokenSchema = z.object({
  token: z.string(),
  exp: z.int().openapi({ description: "End of the token's life, seconds since the epoch" }),
});

/** The user that a token is issued to. */
export interface TokenUser {
  id: number;
  companyId: number;
  role: Role;
  tokenVersion: number;
}

/** Signs a token for the user, valid for TOKEN_TTL_SECONDS from now. Returns it with its `exp` in epoch seconds. */
export async function issueToken(env: Env, user: TokenUser, nowSeconds: number): Promise<{ token: string; exp: number }> {
  const iat = Math.floor(nowSeconds);
  const exp = iat + configOf(env).TOKEN_TTL_SECONDS;
  const { id, companyId, role, tokenVersion } = user;
  const claims = { iss: issuer, aud: audienceOf(env), sub: String(id), companyId, role, ver: tokenVersion, iat, exp };
  return { token: await sign(claims, keyring(env)[0]), exp };
}

/** Recently verified tokens, by environment (its secrets): most requests carry one of them. */
const genuine = new WeakMap<Env, ShortCache<Claims>>();

/** The claims of a genuine, unexpired token of this API; null for any other. */
export async function verifyToken(env: Env, token: string): Promise<Claims | null> {
  const seen = genuine.get(env) ?? new ShortCache<Claims>(30_000, 5_000);
  genuine.set(env, seen);
  const known = seen.get(token)?.value;
  const claims = known ?? (await verified(env, token));
  if (claims && !known) seen.set(token, claims, Date.now());
  return claims && claims.exp > Date.now() / 1000 ? claims : null;
}

/** The claims of a recently verified token; undefined for any other. */
export function knownClaims(env: Env, token: string): Claims | undefined {
  return genuine.get(env)?.get(token)?.value;
}

/** True if text is the canonical base64url form of its bytes: decoders also accept padding, other alphabets and stray last bits. */
function isCanonical(text: string): boolean {
  return Buffer.from(text, "base64url").toString("base64url") === text;
}

async function verified(env: Env, token: string): Promise<Claims | null> {
  if (!token.split(".").every(isCanonical)) return null;
  const keys = keyring(env);
  try {
    const { header } = decode(token);
    const key = keys.find(({ kid }) => kid === header.kid);
    if (!key) return null;
    // `iat` is not checked: clocks differ between locations, and a token is valid from the moment it is issued.
    const payload = await verify(token, key, { alg: "HS256", iss: issuer, aud: audienceOf(env), iat: false });
    return claimsSchema.safeParse(payload).data ?? null;
  } catch {
    // The library's errors contain the token, so they are not passed on.
    return null;
  }
}

/** The signing key and, after a rotation, the previous one. */
function keyring(env: Env) {
  const { JWT_SECRET: current, JWT_SECRET_PREVIOUS: previous } = configOf(env);
  return previous === "" ? ([signingKey(current)] as const) : ([signingKey(current), signingKey(previous)] as const);
}

function signingKey(secret: string) {
  const kid = createHash("sha256").update(secret).digest("hex").slice(0, 8);
  return { kty: "oct", k: Buffer.from(secret).toString("base64url"), alg: "HS256", kid };
}
