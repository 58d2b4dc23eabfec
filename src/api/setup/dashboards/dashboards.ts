import { z } from "@hono/zod-openapi";
import { keptMap, text } from "../../../core/inputs.ts";
import { invalid } from "../../../core/problem.ts";
import { dashboard, dashboardOf } from "../../widgets/shapes.ts";
import { setUpAccess } from "../access.ts";
import type { Resource } from "../resource.ts";
import { isSystem, refuseSystem, shared } from "../widgets/members.ts";
import { type DashboardRow, dashboardTable, type Instance } from "./queries.ts";

const instance = z.object({
  id: text(100).optional().openapi({ description: "Of an instance that stays; left out for a new one" }),
  widgetId: text(100).openapi({ description: "A widget of the company's or the system's" }),
  specOverride: keptMap.default({}),
  visualConfig: keptMap.default({}),
});
const instances = z.array(instance).max(200).openapi({ description: "The widgets on it" });

export const dashboards: Resource<DashboardRow> = {
  name: "Dashboard",
  names: "Dashboards",
  noun: "dashboard",
  nouns: "dashboards",
  path: "/v1/dashboards",
  description: "The company's own and the system's.",
  access: setUpAccess,
  table: dashboardTable,
  example: {
    title: { en: "Hall 1", es: "Nave 1" },
    description: { en: "Its machines", es: "Sus máquinas" },
    spec: { columns: 2 },
    instances: [{ widgetId: "7d0c2d56-8a43-4c55-9d5e-0d1f6c3f9a10", visualConfig: { x: 0, y: 0 } }],
  },
  id: text(100),
  item: dashboard,
  create: z.object({ ...shared, instances: instances.default([]), isSystem: isSystem.default(false) }),
  change: z.object({ ...shared, instances }).partial(),
  toItem: (row, { origin }) => dashboardOf({ ...row, archivedAt: row.archivedAt ?? null }, row.instances, origin),
  // The widgets have entries of their own.
  toAudited: (item, row) => ({ ...item, instances: row.instances.map((one) => instance.parse(one)) }),
  refuse: refuseSystem,
  async derive(sent, before) {
    const company = sent.isSystem === true ? { companyId: null } : {};
    if (!sent.instances) return { values: company };
    return { values: { ...company, instances: numbered(instances.parse(sent.instances), before?.instances ?? []) } };
  },
};

/** Gives new instances their ids. 400 for an id that the dashboard does not have, or that comes twice. */
function numbered(sent: z.infer<typeof instances>, before: readonly Instance[]): Instance[] {
  const left = new Set(before.map(({ id }) => id));
  const faults = sent.flatMap(({ id }, i) =>
    id === undefined || left.delete(id)
      ? []
      : { pointer: `/instances/${i}/id`, code: "not_found", message: "names no instance of the dashboard, or one named before" },
  );
  if (faults.length > 0) throw invalid(faults);
  return sent.map((one) => ({ ...one, id: one.id ?? crypto.randomUUID() }));
}
