import { env } from "cloudflare:workers";
import { sign } from "hono/jwt";
import { issueToken } from "../../src/core/token.ts";
import type { Role } from "../../src/db/schema.ts";

interface TokenHolder {
  userId: number;
  companyId: number;
  role: Role;
  tokenVersion: number;
}

/** Returns the next letter of base64url. As the last of the 43 letters of 32 bytes, it decodes to the same bytes. */
function sameBytes(letter: string): string {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  return letters[letters.indexOf(letter) ^ 1] ?? "";
}

/** Tokens of a real user, each invalid in one way, by the kind of fault. */
export async function badTokens({ userId, companyId, role, tokenVersion }: TokenHolder): Promise<Record<string, string>> {
  const nowSeconds = Math.floor(Date.now() / 1000);
  const user = { id: userId, companyId, role, tokenVersion };
  const { token } = await issueToken(env, user, nowSeconds);
  const [header = "", payload = "", signature = ""] = token.split(".");
  const decoded = (part: string) => JSON.parse(Buffer.from(part, "base64url").toString());
  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const claims = decoded(payload);
  const { kid } = decoded(header);
  const k = Buffer.from(env.JWT_SECRET).toString("base64url");
  const signed = (changes: object) => sign({ ...claims, ...changes }, { kty: "oct", k, alg: "HS256", kid });
  return {
    "payload changed": [header, encoded({ ...claims, sub: String(userId + 1) }), signature].join("."),
    "signature padded": `${token}=`,
    "signature with stray last bits": `${token.slice(0, -1)}${sameBytes(token.at(-1) ?? "")}`,
    "header padded": [`${header}=`, payload, signature].join("."),
    "signature missing": [header, payload, ""].join("."),
    "alg none": [encoded({ alg: "none", typ: "JWT", kid }), payload, ""].join("."),
    "another alg": await sign(claims, { kty: "oct", k, alg: "HS512", kid }),
    "another secret": await sign(claims, { kty: "oct", k: encoded("another secret"), alg: "HS256", kid }),
    "unknown key": await sign(claims, { kty: "oct", k, alg: "HS256", kid: "00000000" }),
    "another audience": await signed({ aud: "another-api" }),
    "another issuer": await signed({ iss: "another" }),
    "no expiry": await signed({ exp: undefined }),
    "expiry as text": await signed({ exp: String(claims.exp) }),
    "expiry for ever": await signed({ exp: null }),
    "not valid yet": await signed({ nbf: nowSeconds + 3600 }),
    "subject not a user id": await signed({ sub: `${userId} or 1=1` }),
    expired: (await issueToken(env, user, nowSeconds - Number(env.TOKEN_TTL_SECONDS) - 1)).token,
    "another role": (await issueToken(env, { ...user, role: role === "superuser" ? "user" : "superuser" }, nowSeconds)).token,
    "another company": (await issueToken(env, { ...user, companyId: companyId + 1 }, nowSeconds)).token,
    "an earlier version": (await issueToken(env, { ...user, tokenVersion: tokenVersion - 1 }, nowSeconds)).token,
  };
}
