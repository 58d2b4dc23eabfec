import { isDeepStrictEqual } from "node:util";
import type { Context } from "hono";
import { invalid } from "../../core/problem.ts";
import type { UserEnv } from "../../http/env.ts";
import { keepAnswer } from "../../http/idempotency.ts";
import { auditBy } from "../../http/old-audit.ts";
import { db } from "../../http/session.ts";
import { announce } from "../../machine/tell-machines.ts";
import type { Viewer } from "../widgets/queries.ts";
import { actionOf, auditedOf } from "./audited.ts";
import { changeRow, type SetUpRow, type Written } from "./queries.ts";
import type { Resource } from "./resource.ts";
import { rowOf, untilWritten, viewerOf } from "./scope.ts";

type Answer = Parameters<typeof keepAnswer>[2];

/**
 * Changes what was sent of an item, and gives it as it is then.
 * @param companyId what the query names
 * @param verb what the change is to the audit
 */
export async function changeItem<Row extends SetUpRow>(
  c: Context<UserEnv>,
  resource: Resource<Row>,
  id: number | string,
  companyId: number | undefined,
  sent: Record<string, unknown>,
  verb: "change" | "unarchive" = "change",
) {
  const { actor } = c.var;
  const viewer = viewerOf(c);
  const members = Object.fromEntries(Object.entries(sent).filter(([name]) => name !== resource.confirmation));
  // Two trips: the rules hold between members, so a change is judged by the whole that it makes.
  const { row, machines } = await untilWritten<Written<Row>>(async () => {
    const before = await rowOf(c, resource, id, companyId);
    const derived = (await resource.derive?.(sent, before, { c, companyId: before.companyId }))?.values;
    const updatedAt = Math.max(Date.now(), before.updatedAt + 1);
    const next = { ...before, ...members, ...derived, updatedAt };
    resource.refuse?.({ actor, before, next });
    const faults = resource.faults?.(next, before) ?? [];
    if (faults.length > 0) throw invalid(faults);
    const values = { ...members, ...derived } as Partial<Row>;
    if (isAsBefore(resource, { before, next, values }, viewer)) {
      const kept = keepAnswer(c, 200, JSON.stringify(resource.toItem(before, viewer)));
      const [first, ...others] = kept;
      if (first) await db(c).batch([first, ...others]);
      return { row: before, machines: [] };
    }
    const entry = auditBy(c)({
      action: actionOf(resource, verb),
      companyId: before.companyId,
      objectId: before.id,
      before: auditedOf(resource, before, viewer),
      after: auditedOf(resource, next, viewer, members),
    });
    const stored = { entry, item: resource.toItem(next, viewer), keep: (answer: Answer) => keepAnswer(c, 200, answer) };
    return await changeRow(db(c), resource.table, { before, next, values }, viewer, stored);
  });
  if (!row) throw new Error("a changed row was not found");
  // Whoever does not hear of it now is told by the next sweep.
  c.executionCtx.waitUntil(announce(c.env, machines));
  return resource.toItem(row, viewer);
}

/** Whether a change leaves all as it is: the members that are shown and, of those that are not, the values. Nothing is written then. */
function isAsBefore<Row extends SetUpRow>(
  resource: Resource<Row>,
  { before, next, values }: { before: Row; next: Row; values: Partial<Row> },
  viewer: Viewer,
): boolean {
  const shown = auditedOf(resource, before, viewer);
  const hidden = (Object.keys(values) as (keyof Row & string)[]).filter((member) => !(member in shown));
  return (
    isDeepStrictEqual(shown, auditedOf(resource, { ...next, updatedAt: before.updatedAt }, viewer)) &&
    hidden.every((member) => isDeepStrictEqual(before[member], values[member]))
  );
}
