import { z } from "@hono/zod-openapi";
import { text } from "../../core/inputs.ts";
import { type Resource, setUpAccess } from "../../resource/resource.ts";
import { noRule } from "../../resource/rules.ts";
import { isSystem, shared } from "./members.ts";
import { type ViewedWidget, widgetTable } from "./queries.ts";
import { storeWidget } from "./rules.ts";
import { widget, widgetOf } from "./shapes.ts";

const featureRequirements = text(1000).openapi({ example: "oee" });
const labels = text(1000).openapi({ example: "stops,line" });

export const widgets: Resource<ViewedWidget> = {
  names: { type: "Widget", types: "Widgets", noun: "widget", nouns: "widgets" },
  path: "/v1/widgets",
  description: "Widgets of the company and of the system. A deleted widget stays on the dashboards that show it.",
  access: setUpAccess,
  table: widgetTable,
  hasLargeRows: true,
  members: {
    id: text(100),
    item: widget,
    create: z.object({
      ...shared,
      featureRequirements: featureRequirements.default(""),
      labels: labels.default(""),
      isSystem: isSystem.default(false),
    }),
    change: z.object({ ...shared, featureRequirements, labels }).partial(),
    example: {
      title: { en: "Stops", es: "Paradas" },
      description: { en: "Of this week", es: "De esta semana" },
      spec: { type: "bar", metrics: ["stop_count"] },
    },
  },
  shape: { item: (row, { origin }) => widgetOf(row, origin) },
  rules: { store: storeWidget, restore: noRule },
};
