import type { Context } from "hono";
import type { UserEnv } from "../../http/env.ts";
import { db } from "../../http/session.ts";
import { tellMachines } from "../../machine/tell-machines.ts";
import { removeRow, type SetUpRow } from "./queries.ts";
import type { Resource } from "./resource.ts";
import { rowOf, untilWritten } from "./scope.ts";

/** Deletes an item; `companyId` is what the query names. */
export async function deleteItem<Row extends SetUpRow>(
  c: Context<UserEnv>,
  resource: Resource<Row>,
  id: number | string,
  companyId: number | undefined,
): Promise<void> {
  // Two trips: what else changes with it depends on what it was.
  const { machines } = await untilWritten(async () => {
    const before = await rowOf(c, resource, id, companyId);
    resource.refuse?.({ actor: c.var.actor, before, next: null });
    return await removeRow(db(c), resource.table, before, Date.now());
  });
  c.executionCtx.waitUntil(tellMachines(c.env, machines));
}
