import type { ComponentType } from "preact";
import type { SetUpKind, SetUpPart } from "../../../domain/set-up.ts";
import { load as loadAccessTexts } from "../../../texts/access.ts";
import { load as loadCheckTexts } from "../../../texts/check.ts";
import { load as loadGatewayTexts } from "../../../texts/gateways.ts";
import { load as loadHistoryTexts } from "../../../texts/history.ts";
import { load as loadMessageTexts } from "../../../texts/messages.ts";
import { load as loadPlantFileTexts } from "../../../texts/plant-file.ts";
import { load as loadResourceTexts } from "../../../texts/resource.ts";
import { load as loadImportTexts } from "../../../texts/set-up-imports.ts";
import { load as loadWorkingHoursTexts } from "../../../texts/working-hours.ts";
import { later } from "../../../ui/later.tsx";
import { CalendarView } from "./calendar-days.tsx";
import { Check } from "./check.tsx";
import { DefectReasons } from "./defect-reasons.tsx";
import { Operators } from "./operators.tsx";
import { PlantMaps } from "./plant-maps.tsx";

/** A page made of the kit for resources (resource-page.tsx), which has texts of its own. */
function resource(load: () => Promise<ComponentType>, ...texts: readonly (() => Promise<void>)[]): ComponentType {
  return later(async () => {
    await Promise.all([loadResourceTexts(), ...texts.map((one) => one())]);
    return await load();
  });
}

const items = (kind: SetUpKind) =>
  resource(async () => {
    const { Items } = await import("./items.tsx");
    return () => <Items kind={kind} />;
  });

/**
 * The page of each part of the set-up. A part that most visits do not open loads its page and its texts when it is opened (`later`).
 * A new one needs its name in `setUpGroups`, its title in the texts, and its row here.
 */
export const pages: Readonly<Record<SetUpPart, ComponentType>> = {
  check: later(async () => {
    await loadCheckTexts();
    return Check;
  }),
  machine: items("machine"),
  lines: resource(async () => (await import("./lines.tsx")).Lines),
  sensors: items("sensors"),
  shift: later(async () => {
    await Promise.all([loadResourceTexts(), loadWorkingHoursTexts()]);
    return (await import("./working-hours.tsx")).WorkingHours;
  }),
  days: CalendarView,
  company: items("company"),
  cause: items("cause"),
  reasons: DefectReasons,
  sku: items("sku"),
  people: Operators,
  maps: PlantMaps,
  users: resource(async () => (await import("./access/users.tsx")).Users, loadAccessTexts),
  roles: resource(async () => (await import("./access/roles.tsx")).Roles, loadAccessTexts),
  tokens: resource(async () => (await import("./access/tokens.tsx")).Tokens, loadAccessTexts),
  gateways: resource(async () => (await import("./access/gateways.tsx")).Gateways, loadAccessTexts, loadGatewayTexts),
  alerts: resource(async () => (await import("./messages/alerts.tsx")).Alerts, loadMessageTexts),
  personas: resource(async () => (await import("./messages/personas.tsx")).Personas, loadMessageTexts),
  rooms: resource(async () => (await import("./messages/rooms.tsx")).Rooms, loadMessageTexts),
  mails: resource(async () => (await import("./messages/mails.tsx")).Mails, loadMessageTexts),
  history: later(async () => {
    await loadHistoryTexts();
    return (await import("./service/history.tsx")).History;
  }),
  file: later(async () => {
    await loadPlantFileTexts();
    return (await import("./service/plant-file.tsx")).PlantFile;
  }),
  tags: resource(async () => (await import("./service/tags.tsx")).Tags),
  // The secret of a webhook is shown as tokens are.
  webhooks: resource(async () => (await import("./messages/webhooks.tsx")).Webhooks, loadMessageTexts, loadAccessTexts),
  imports: later(async () => {
    await loadImportTexts();
    return (await import("./service/imports.tsx")).Imports;
  }),
};
