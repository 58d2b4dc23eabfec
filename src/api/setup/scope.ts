import type { Context } from "hono";
import { notFound, Problem, unavailable } from "../../core/problem.ts";
import type { UserEnv } from "../../http/env.ts";
import { db } from "../../http/session.ts";
import type { Viewer } from "../widgets/queries.ts";
import { findRow, type SetUpRow } from "./queries.ts";
import type { Resource } from "./resource.ts";

const maxTries = 3;

/**
 * The company that a request is about. `named` is what it says, `unnamed` what a superuser means by saying nothing
 * (undefined: any company). 404 when anyone else names another one than the own.
 */
export function companyOf(c: Context<UserEnv>, named: number | undefined, unnamed: number | undefined): number | undefined {
  const { role, companyId } = c.var.actor;
  if (role === "superuser") return named ?? unnamed;
  if (named !== undefined && named !== companyId) {
    const fault = { pointer: "/companyId", code: "not_found", message: "names no company" };
    throw new Problem(404, "companyId: names no company", { errors: [fault] });
  }
  return companyId;
}

/** Who asks, as tables want it. */
export function viewerOf(c: Context<UserEnv>): Viewer {
  return { userId: c.var.actor.userId, origin: new URL(c.req.url).origin };
}

/** The row that a path and its `companyId` name. 404 where the actor sees none. */
export async function rowOf<Row extends SetUpRow>(
  c: Context<UserEnv>,
  { table, noun, idIsPerCompany }: Resource<Row>,
  id: number | string,
  named: number | undefined,
): Promise<Row> {
  const companyId = companyOf(c, named, idIsPerCompany ? c.var.actor.companyId : undefined);
  const row = await findRow(db(c), table, companyId, id, viewerOf(c));
  if (!row) throw notFound(`There is no ${noun} ${id}.`);
  return row;
}

/** Tries a write until nobody overtakes it (null), three times; then 503. */
export async function untilWritten<T>(attempt: () => Promise<T | null>): Promise<T> {
  for (let tries = 0; tries < maxTries; tries++) {
    const written = await attempt();
    if (written !== null) return written;
  }
  throw unavailable("Others are changing this at the same time. Try again.", 1);
}
