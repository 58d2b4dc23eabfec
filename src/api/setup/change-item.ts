import type { Context } from "hono";
import type { UserEnv } from "../../http/env.ts";
import { invalid } from "../../http/problem.ts";
import { db } from "../../http/session.ts";
import { tellMachines } from "../../machine/tell-machines.ts";
import { changeRow, type SetUpRow } from "./queries.ts";
import type { Resource } from "./resource.ts";
import { rowOf, untilWritten, viewerOf } from "./scope.ts";

/** Changes what was sent of an item, and gives it as it is then; `companyId` is what the query names. */
export async function changeItem<Row extends SetUpRow>(
  c: Context<UserEnv>,
  resource: Resource<Row>,
  id: number | string,
  companyId: number | undefined,
  sent: Record<string, unknown>,
) {
  const { actor } = c.var;
  const viewer = viewerOf(c);
  // Two trips: the rules hold between members, so a change is judged by the whole that it makes.
  const { row, machines } = await untilWritten(async () => {
    const before = await rowOf(c, resource, id, companyId);
    const derived = (await resource.derive?.(sent, before))?.values;
    const updatedAt = Math.max(Date.now(), before.updatedAt + 1);
    const next = { ...before, ...sent, ...derived, updatedAt };
    resource.refuse?.({ actor, before, next });
    const faults = resource.faults?.(next, before) ?? [];
    if (faults.length > 0) throw invalid(faults);
    return await changeRow(db(c), resource.table, { before, next, values: { ...sent, ...derived } as Partial<Row> }, viewer);
  });
  if (!row) throw new Error("a changed row was not found");
  // Whoever does not hear of it now is told by the next sweep.
  c.executionCtx.waitUntil(tellMachines(c.env, machines));
  return resource.toItem(row, viewer);
}
