// Codes that people read on one device and type on another: of walls and terminals that are paired, and of a service that is claimed.

/** The key in `login_attempts` under which codes are counted that were entered to claim the service. */
export const CLAIM_KEY = "claim";

/** Letters and digits that are not confused with each other when read aloud or seen from afar. No vowels, so no words. */
const signs = "CDFGHJKMNPQRTVWXY34679";
const length = 8;

/** A new random code, without its hyphen: one of 22^8, or 5.5e10. */
export function newCode(): string {
  const dice = crypto.getRandomValues(new Uint32Array(length));
  return [...dice].map((eyes) => signs[eyes % signs.length]).join("");
}

/** A code as it is shown: CDFG-3467. */
export function shownCode(code: string): string {
  return `${code.slice(0, length / 2)}-${code.slice(length / 2)}`;
}

/** The code that somebody typed: small letters, spaces and hyphens do not matter. */
export function codeFrom(typed: string): string {
  return typed.toUpperCase().replaceAll(/[\s-]/g, "");
}
