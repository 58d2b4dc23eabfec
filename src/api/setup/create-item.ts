import type { Context } from "hono";
import { brief } from "../../core/audit.ts";
import { invalid } from "../../core/problem.ts";
import type { UserEnv } from "../../http/env.ts";
import { keepAnswer } from "../../http/idempotency.ts";
import { auditBy } from "../../http/old-audit.ts";
import { db } from "../../http/session.ts";
import { announce } from "../../machine/tell-machines.ts";
import { actionOf, auditedOf } from "./audited.ts";
import { createRow, type SetUpRow } from "./queries.ts";
import type { Resource } from "./resource.ts";
import { companyOf, untilWritten, viewerOf } from "./scope.ts";

/** Makes an item of what was sent, and gives it, with what is shown this once. */
export async function createItem<Row extends SetUpRow>(
  c: Context<UserEnv>,
  resource: Resource<Row>,
  { companyId: named, ...sent }: { companyId?: number | undefined; [member: string]: unknown },
) {
  const { actor } = c.var;
  const viewer = viewerOf(c);
  const companyId = companyOf(c, named, actor.companyId);
  const now = Date.now();
  const stamps = { createdAt: now, updatedAt: now, deletedAt: null };
  const { values, shown } = (await resource.derive?.(sent, null, { c, companyId: companyId ?? null })) ?? {
    values: {},
    shown: {},
  };
  const id = resource.table.newId?.() ?? 0;
  const next = { id, companyId, ...sent, ...values, ...stamps } as SetUpRow as Row;
  resource.refuse?.({ actor, before: null, next });
  const faults = resource.faults?.(next, null) ?? [];
  if (faults.length > 0) throw invalid(faults);
  // What is shown once is not shown again to whoever repeats the request: null stands in its place.
  const hidden = Object.fromEntries(Object.keys(shown ?? {}).map((member) => [member, null]));
  const known = { ...resource.toItem(next, viewer), ...hidden };
  const { row, machines } = await untilWritten(() =>
    createRow(db(c), resource.table, next, viewer, {
      item: known,
      keep: (answer) => keepAnswer(c, 200, answer),
      action: actionOf(resource, "create"),
      audited: brief(auditedOf(resource, next, viewer, sent)),
      audit: auditBy(c),
    }),
  );
  if (!row) throw new Error("a new row was not found");
  await resource.created?.(c, row);
  c.executionCtx.waitUntil(announce(c.env, machines));
  return { ...resource.toItem(row, viewer), ...shown };
}
