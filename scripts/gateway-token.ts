import { createHash, randomBytes } from "node:crypto";

/** A new random gateway token, in the form in which the service issues them. */
export function newGatewayToken(): string {
  return `andon_gw_${randomBytes(32).toString("base64url")}`;
}

/** SHA-256 of a token in hex, as the service stores it. */
export function tokenHash(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
