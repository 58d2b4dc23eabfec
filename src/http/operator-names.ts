import type { RouteConfig } from "@hono/zod-openapi";
import type { Context, MiddlewareHandler } from "hono";
import { withPseudonyms } from "../core/operator-names.ts";
import { forbidden } from "../core/problem.ts";
import type { HonoEnv } from "./env.ts";
import { may } from "./permission.ts";

// Operators' names in answers: callers whose role lacks `operator-names:read` get pseudonyms. For all others nothing is done, and nothing is read: guards
// have the grants in memory. The operations of the contract, which are not below /v1, show names to all.

const json = /^application\/([\w.-]+\+)?json\b/;

/** The middleware that puts pseudonyms into the answers of an operation; null for one that shows names to everybody. */
export function showsNames(route: RouteConfig): MiddlewareHandler<HonoEnv> | null {
  const isForCallers = (route.security ?? []).length > 0;
  if (!route.path.startsWith("/v1/") || !isForCallers) return null;
  const findsByCode = route.path === "/v1/operators";
  return async (c, next) => {
    const hiding = hidesNames(c);
    // The operation may fail first.
    hiding.catch(() => undefined);
    // Otherwise trying all codes would say whose pseudonym is whose. A terminal signs people in by their codes.
    if (
      findsByCode &&
      c.req.query("code") !== undefined &&
      (await hiding) &&
      !(await may(c, c.get("actor"), "operators:sign-in"))
    ) {
      throw forbidden("Finding an operator by code takes the permission operator-names:read or operators:sign-in.");
    }
    await next();
    if (!(await hiding) || !json.test(c.res.headers.get("content-type") ?? "")) return;
    c.res = new Response(JSON.stringify(withPseudonyms(await c.res.json())), c.res);
  };
}

/** Whether the caller sees pseudonyms in place of operators' names. */
export async function hidesNames<E extends HonoEnv>(c: Context<E>): Promise<boolean> {
  const context = c as unknown as Context<HonoEnv>;
  const actor = context.get("actor");
  return actor?.kind === "user" && !(await may(context, actor, "operator-names:read"));
}

/** Returns a function that turns rows of a file into those that the caller may see. */
export async function shownRows<E extends HonoEnv>(c: Context<E>): Promise<<T>(rows: readonly T[]) => readonly T[]> {
  return (await hidesNames(c)) ? (rows) => rows.map(withPseudonyms) : (rows) => rows;
}
