import type { Role } from "../db/schema.ts";
import { Problem } from "./problem.ts";

/** A signed-in person. */
export interface UserActor {
  kind: "user";
  userId: number;
  companyId: number;
  role: Role;
}

/** A gateway, which sends events and does nothing else. */
export interface GatewayActor {
  kind: "gateway";
  companyId: number;
  gatewayTokenId: number;
}

/** Who makes the request. */
export type Actor = UserActor | GatewayActor;

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
  const message = "names no company";
  return new Problem(404, `companyId: ${message}`, { errors: [{ pointer: "/companyId", code: "not_found", message }] });
}
