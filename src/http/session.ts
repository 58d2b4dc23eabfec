import type { Context } from "hono";
import { continueDb, type Db, openDb } from "../db/client.ts";
import type { HonoEnv } from "./env.ts";
import { invalid } from "./problem.ts";

const bookmarkShape = /^[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32}$/;

/** The request's one database session, opened when first asked for, at the bookmark that the caller sent (400 if malformed). */
export function db<E extends HonoEnv>(c: Context<E>): Db {
  const context = c as unknown as Context<HonoEnv>;
  const open = context.get("db");
  if (open) return open;
  const bookmark = context.req.header("x-d1-bookmark");
  if (bookmark !== undefined && !bookmarkShape.test(bookmark)) {
    throw invalid([
      { pointer: "/header/x-d1-bookmark", code: "invalid_format", message: "is not a bookmark that this API gave" },
    ]);
  }
  const opened = openDb(context.env, context.get("actor")?.companyId, bookmark);
  context.set("db", opened);
  return opened;
}

/** Goes on at a later bookmark: what someone else wrote for the request is read, and the answer's bookmark is not before it. */
export function continueAt<E extends HonoEnv>(c: Context<E>, companyId: number, bookmark: string): void {
  const context = c as unknown as Context<HonoEnv>;
  context.set("db", continueDb(context.env, db(context), companyId, bookmark));
}
