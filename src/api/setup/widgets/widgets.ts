import { z } from "@hono/zod-openapi";
import { text } from "../../../core/inputs.ts";
import { widget, widgetOf } from "../../widgets/shapes.ts";
import { setUpAccess } from "../access.ts";
import type { Resource } from "../resource.ts";
import { isSystem, refuseSystem, shared } from "./members.ts";
import { type WidgetRow, widgetTable } from "./queries.ts";

const featureRequirements = text(1000).openapi({ example: "oee" });
const labels = text(1000).openapi({ example: "stops,line" });

export const widgets: Resource<WidgetRow> = {
  name: "Widget",
  names: "Widgets",
  noun: "widget",
  nouns: "widgets",
  path: "/v1/widgets",
  description: "The company's own and the system's. A deleted one stays on the dashboards that show it.",
  access: setUpAccess,
  table: widgetTable,
  example: {
    title: { en: "Stops", es: "Paradas" },
    description: { en: "Of this week", es: "De esta semana" },
    spec: { type: "bar", metrics: ["stop_count"] },
  },
  id: text(100),
  item: widget,
  create: z.object({
    ...shared,
    featureRequirements: featureRequirements.default(""),
    labels: labels.default(""),
    isSystem: isSystem.default(false),
  }),
  change: z.object({ ...shared, featureRequirements, labels }).partial(),
  toItem: (row, { origin }) => widgetOf(row, origin),
  refuse: refuseSystem,
  derive: async (sent) => ({ values: sent.isSystem === true ? { companyId: null } : {} }),
};
