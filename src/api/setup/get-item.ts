import type { Context } from "hono";
import type { UserEnv } from "../../http/env.ts";
import type { SetUpRow } from "./queries.ts";
import type { Resource } from "./resource.ts";
import { rowOf, viewerOf } from "./scope.ts";

/** The item of this id; `companyId` is what the query names. */
export async function getItem<Row extends SetUpRow>(
  c: Context<UserEnv>,
  resource: Resource<Row>,
  id: number | string,
  companyId: number | undefined,
) {
  return resource.toItem(await rowOf(c, resource, id, companyId), viewerOf(c));
}
