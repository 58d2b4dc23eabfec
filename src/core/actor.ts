import type { Role } from "../db/schema.ts";
import { forbidden, Problem } from "./problem.ts";

/** A signed-in person, or a program with an API token, which acts for the person who created the token. */
export interface UserActor {
  kind: "user";
  /** Whoever signed in, or created the API token. */
  userId: number;
  companyId: number;
  role: Role;
  /** Missing: a person who signed in. */
  apiToken?: { id: number; isReadOnly: boolean };
}

/** A gateway, which sends events and does nothing else. */
export interface GatewayActor {
  kind: "gateway";
  companyId: number;
  gatewayTokenId: number;
}

/** Who makes the request. */
export type Actor = UserActor | GatewayActor;

// From the lowest to the highest. Each may do what those below may, and may give others its own role and those below.
const ranks: readonly Role[] = ["readonly", "user", "admin", "superadmin", "superuser"];

/** Whether the first role is higher than the second one. */
export function outranks(one: Role, other: Role): boolean {
  return ranks.indexOf(one) > ranks.indexOf(other);
}

/** Throws 403 unless a role may create and change users and tokens with these roles. */
export function refuseAbove({ role }: Pick<UserActor, "role">, ...roles: readonly Role[]): void {
  const above = roles.filter((one) => outranks(one, role)).sort((a, b) => ranks.indexOf(b) - ranks.indexOf(a))[0];
  if (above) throw forbidden(`The role ${role} may not create or change anything with the role ${above}.`);
}

/**
 * The company that a request is about; undefined: any company.
 * @param named the company that the request names, if it names one
 * @param unnamed what it means when a superuser names none; all others mean their own company
 * @throws Problem 404 when anyone but a superuser names another company than their own
 */
export function companyOf({ role, companyId }: UserActor, named?: number, unnamed?: number): number | undefined {
  if (role === "superuser") return named ?? unnamed;
  if (named === undefined || named === companyId) return companyId;
  throw noCompany();
}

/** The 404 of a `companyId`. */
export function noCompany(): Problem {
  const message = "is not the id of a company that you have access to";
  return new Problem(404, `companyId: ${message}`, { errors: [{ pointer: "/companyId", code: "not_found", message }] });
}
