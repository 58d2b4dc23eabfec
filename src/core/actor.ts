import type { Role } from "../db/schema.ts";
import { forbidden, Problem } from "./problem.ts";

/** A signed-in person, or a program with an API token, which acts for the person who created the token. */
export interface UserActor {
  kind: "user";
  /** The person who signed in, or who created the API token. */
  userId: number;
  /**
   * The person's name, as it was up to 30 s ago. Null: it is no person. At a paired terminal: the operators who are signed in at the machine, otherwise
   * the terminal.
   */
  userName: string | null;
  companyId: number;
  role: Role;
  /** Undefined for a person who signed in. */
  apiToken?: ActingToken;
}

/** The API token that a program acts with. */
export interface ActingToken {
  id: number;
  isReadOnly: boolean;
  /** The machines that it is bound to, for a terminal; null: it is not bound. Operations without `machines` refuse bound tokens. */
  machineIds: readonly number[] | null;
}

/** A gateway, which may only send events, and report about itself. */
export interface GatewayActor {
  kind: "gateway";
  companyId: number;
  gatewayTokenId: number;
}

/** The one who makes the request. */
export type Actor = UserActor | GatewayActor;

/** The name of whoever acts at a paired terminal, to be stored with what they do: the actor's user is the one who paired it. Nothing for others. */
export function authorName({ userName, apiToken }: UserActor): { userName?: string | null } {
  return apiToken?.machineIds ? { userName } : {};
}

// From lowest to highest. Each role may do what lower roles may, and may assign its own role and lower ones.
const ranks: readonly Role[] = ["readonly", "user", "admin", "superadmin", "superuser"];

/** True if the first role is higher than the second one. */
export function outranks(one: Role, other: Role): boolean {
  return ranks.indexOf(one) > ranks.indexOf(other);
}

/** Throws 403 if a role may not create and change users and tokens with these roles. */
export function refuseAbove({ role }: Pick<UserActor, "role">, ...roles: readonly Role[]): void {
  const above = roles.filter((one) => outranks(one, role)).sort((a, b) => ranks.indexOf(b) - ranks.indexOf(a))[0];
  if (above) throw forbidden(`The role ${role} may not create or change anything with the role ${above}.`);
}

/**
 * The company that a request concerns; undefined: any company.
 * @param named the company that the request names, if it names one
 * @param unnamed the company if a superuser names none; for all others it is their own
 * @throws Problem 404 when anyone but a superuser names another company than their own
 */
export function companyOf({ role, companyId }: UserActor, named?: number, unnamed?: number): number | undefined {
  if (role === "superuser") return named ?? unnamed;
  if (named === undefined || named === companyId) return companyId;
  throw noCompany();
}

/**
 * The one company that a request concerns: the named one, or the caller's own.
 * @throws Problem 404 when anyone but a superuser names another company than their own
 */
export function oneCompanyOf(actor: UserActor, named?: number): number {
  return companyOf(actor, named, actor.companyId) ?? actor.companyId;
}

/** The 404 for a `companyId` that does not exist, or that the caller has no access to. */
export function noCompany(): Problem {
  const message = "is not the id of a company that you have access to";
  return new Problem(404, `companyId: ${message}`, { errors: [{ pointer: "/companyId", code: "not_found", message }] });
}
