import type { RouteConfig } from "@hono/zod-openapi";
import type { Context, Handler } from "hono";
import type { Looked } from "../core/queries.ts";
import { askFirst } from "../objects/ask-first.ts";
import type { UserEnv } from "./env.ts";
import { callerOf } from "./session.ts";

/**
 * The machines whose numbers an operation reads.
 * - `machines`: those of the machines in its query; without any, the company's
 * - `company`: the company's
 * - `order`: those of the order in its path
 * - `path`: those of the object in its path, whose company is unknown until it is read
 * - `filter`: those that the `filter` in its body selects, possibly of all companies
 */
export type Counts = "machines" | "company" | "order" | "path" | "filter";

/** Members that select the machines whose numbers are requested. */
interface MachineSelection {
  companyId?: number;
  companyIds?: number[];
  machineIds?: number[];
}

/** The handler of a route; if it reads numbers of running shifts or orders (`counts`), these are brought up to date first. */
export function asksFirst<H>(route: RouteConfig, handler: H): H {
  const { "x-counts": counts } = route as { "x-counts"?: Counts };
  if (!counts) return handler;
  const asking: Handler<UserEnv> = async (c, next) => {
    c.set("db", await askFirst(callerOf(c), lookedOf(c, counts)));
    return (handler as Handler<UserEnv>)(c, next);
  };
  return asking as H;
}

function lookedOf(c: Context<UserEnv>, counts: Counts): Looked {
  const { companyId, role } = c.var.actor;
  const valid = (part: string) => c.req.valid(part as never) as MachineSelection | undefined;
  const sent = valid("json") ?? valid("query") ?? {};
  const { id, workId } = c.req.param() as Record<string, string | undefined>;
  const named = counts === "filter" ? sent.companyIds : [sent.companyId ?? companyId];
  const isAny = counts === "order" || counts === "path";
  return {
    companyIds: role === "superuser" ? (isAny ? undefined : named) : [companyId],
    machineIds: counts === "company" ? undefined : sent.machineIds,
    workOrderId: counts === "order" ? (id ?? workId) : undefined,
  };
}
