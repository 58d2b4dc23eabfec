import { z } from "@hono/zod-openapi";
import { keptMap, text } from "../../../core/inputs.ts";
import { forbidden } from "../../../core/problem.ts";
import type { SetUpRow } from "../queries.ts";
import type { Asked } from "../resource.ts";

const l10n = z.object({ en: text(500), es: text(500) }).openapi({ example: { en: "Stops", es: "Paradas" } });

/** What is sent of a widget and of a dashboard alike. */
export const shared = {
  title: l10n,
  description: l10n,
  spec: keptMap.openapi({ description: "Whatever the client draws it from" }),
};
export const isSystem = z.boolean().openapi({ description: "Whether every company is to see it: superusers alone make such" });

/** Superusers alone make, change and delete what belongs to no company. */
export function refuseSystem({ actor, before, next }: Asked<SetUpRow>): void {
  const isOfSystem = (before ?? next)?.companyId === null;
  if (isOfSystem && actor.role !== "superuser") throw forbidden("Superusers alone make and change the system's.");
}
