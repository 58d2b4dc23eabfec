import { createHash, randomBytes } from "node:crypto";

// Tokens that are stored as a hash: those of gateways and of programs. `andon_gw_<company, base 36>_<secret>` says in which company's database the
// hash is; tokens of before, and those of walls, which exist before their company is known, are `andon_gw_<secret>`.
//
// A token that is bound to machines begins with `andon_term_` and not with `andon_api_`: a version that does not know the bound does not know the
// beginning either, and answers 401. So a terminal gains no rights when such a version comes back, and works again when this one does.

/** A new random token of a gateway or a program, with its hash. */
export function newToken(kind: "gw" | "api", companyId: number): { token: string; tokenHash: string } {
  const token = `andon_${kind}_${companyId.toString(36)}_${randomBytes(32).toString("base64url")}`;
  return { token, tokenHash: tokenHashOf(token) };
}

/** How the token of a gateway of a company begins. */
export function gatewayTokenBeginning(companyId: number): string {
  return `andon_gw_${companyId.toString(36)}_`;
}

/** How tokens of programs begin, and those that are bound to machines. */
export const beginnings = { program: "andon_api_", bound: "andon_term_" } as const;

/** Whether a token is bound to machines, as its beginning says. */
export function isBound(token: string): boolean {
  return token.startsWith(beginnings.bound);
}

/** SHA-256 of a token in hex, as it is stored. */
export function tokenHashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
