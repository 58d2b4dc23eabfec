import type { Context } from "hono";
import { pageOf } from "../../core/cursor.ts";
import type { UserEnv } from "../../http/env.ts";
import { db } from "../../http/session.ts";
import { listRows, type SetUpRow } from "./queries.ts";
import type { Resource } from "./resource.ts";
import { companyOf, viewerOf } from "./scope.ts";

interface Query {
  companyId?: number | undefined;
  limit: number;
  /** The last id of the page before. */
  cursor?: [number | string] | undefined;
  includeDeleted: boolean;
}

/** A page of items, and the cursor of the next one (null: it is the last). */
export async function listItems<Row extends SetUpRow>(c: Context<UserEnv>, resource: Resource<Row>, query: Query) {
  const { limit, includeDeleted } = query;
  const unnamed = resource.isCompany ? undefined : c.var.actor.companyId;
  const companyId = companyOf(c, query.companyId, unnamed);
  const viewer = viewerOf(c);
  const wanted = { after: query.cursor?.[0], limit: limit + 1, includeDeleted };
  const { page, cursor } = pageOf(await listRows(db(c), resource.table, companyId, wanted, viewer), limit, ({ id }) => [id]);
  return { data: page.map((row) => resource.toItem(row, viewer)), cursor };
}
