import type { Context } from "hono";
import type { UserEnv } from "../../http/env.ts";
import { keepAnswer } from "../../http/idempotency.ts";
import { auditBy } from "../../http/old-audit.ts";
import { db } from "../../http/session.ts";
import { announce } from "../../machine/tell-machines.ts";
import { actionOf, auditedOf } from "./audited.ts";
import { removeRow, type SetUpRow } from "./queries.ts";
import type { Resource } from "./resource.ts";
import { rowOf, untilWritten, viewerOf } from "./scope.ts";

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
    const entry = auditBy(c)({
      action: actionOf(resource, "delete"),
      companyId: before.companyId,
      objectId: before.id,
      before: auditedOf(resource, before, viewerOf(c)),
      after: null,
    });
    return await removeRow(db(c), resource.table, before, entry, keepAnswer(c, 204, null), Date.now());
  });
  c.executionCtx.waitUntil(announce(c.env, machines));
}
