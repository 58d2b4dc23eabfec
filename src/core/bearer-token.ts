import { createHash, randomBytes } from "node:crypto";

// Tokens that are stored as a hash: those of gateways and of programs. `andon_gw_<company, base 36>_<secret>` says in which company's database the
// hash is; tokens of before, and those of walls, which exist before their company is known, are `andon_gw_<secret>`.

/** A new random token of a gateway or a program, with its hash. */
export function newToken(kind: "gw" | "api", companyId: number): { token: string; tokenHash: string } {
  const token = `andon_${kind}_${companyId.toString(36)}_${randomBytes(32).toString("base64url")}`;
  return { token, tokenHash: tokenHashOf(token) };
}

/** SHA-256 of a token in hex, as it is stored. */
export function tokenHashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
