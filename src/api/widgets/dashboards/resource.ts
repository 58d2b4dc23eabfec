import { z } from "@hono/zod-openapi";
import { keptMap, text } from "../../../core/inputs.ts";
import { type Resource, setUpAccess } from "../../../resource/resource.ts";
import { noRule } from "../../../resource/rules.ts";
import { isSystem, shared } from "../members.ts";
import { dashboard, dashboardOf, instanceOf, widgetOf } from "../shapes.ts";
import { dashboardTable, type FullDashboard } from "./queries.ts";
import { storeDashboard } from "./rules.ts";

const instance = z.object({
  id: text(100).optional().openapi({ description: "The id of an existing instance; omitted for a new one" }),
  widgetId: text(100).openapi({ description: "A widget of the company or the system" }),
  specOverride: keptMap.default({}),
  visualConfig: keptMap.default({}),
});
const instances = z.array(instance).max(200).openapi({ description: "The widgets on the dashboard" });

export const dashboards: Resource<FullDashboard> = {
  names: { type: "Dashboard", types: "Dashboards", noun: "dashboard", nouns: "dashboards" },
  path: "/v1/dashboards",
  description: "Dashboards of the company and of the system.",
  access: setUpAccess,
  table: dashboardTable,
  hasLargeRows: true,
  members: {
    id: text(100),
    item: dashboard,
    create: z.object({ ...shared, instances: instances.default([]), isSystem: isSystem.default(false) }),
    change: z.object({ ...shared, instances }).partial(),
    example: {
      title: { en: "Hall 1", es: "Nave 1" },
      description: { en: "Its machines", es: "Sus máquinas" },
      spec: { columns: 2 },
      instances: [{ widgetId: "7d0c2d56-8a43-4c55-9d5e-0d1f6c3f9a10", visualConfig: { x: 0, y: 0 } }],
    },
  },
  shape: {
    item(row, { origin }) {
      const instances = row.instances.map((one) => instanceOf(one, widgetOf(one.widget, origin)));
      return dashboardOf(row, instances, origin);
    },
    // Widgets have audit entries of their own.
    audited: (item, row) => ({
      ...item,
      instances: row.instances.map(({ id, widgetId, specOverride, visualConfig }) => ({
        id,
        widgetId,
        specOverride,
        visualConfig,
      })),
    }),
  },
  rules: { store: storeDashboard, restore: noRule },
};
