import type { ComponentType } from "preact";
import type { SetUpKind, SetUpPart } from "../../../domain/set-up.ts";
import { load as loadResourceTexts } from "../../../texts/resource.ts";
import { later } from "../../../ui/later.tsx";
import { CalendarView } from "./calendar-days.tsx";
import { DefectReasons } from "./defect-reasons.tsx";
import { Items } from "./items.tsx";
import { Operators } from "./operators.tsx";
import { PlantMaps } from "./plant-maps.tsx";

/** A page made of the kit for resources (resource-page.tsx), which has texts of its own. */
function resource(load: () => Promise<ComponentType>): ComponentType {
  return later(async () => {
    await loadResourceTexts();
    return await load();
  });
}

const items = (kind: SetUpKind) => () => <Items kind={kind} />;

/**
 * The page of each part of the set-up. A part that most visits do not open loads its page and its texts when it is opened (`later`).
 * A new one needs its name in `setUpGroups`, its title in the texts, and its row here.
 */
export const pages: Readonly<Record<SetUpPart, ComponentType>> = {
  machine: items("machine"),
  lines: resource(async () => (await import("./lines.tsx")).Lines),
  sensors: items("sensors"),
  shift: items("shift"),
  days: CalendarView,
  company: items("company"),
  cause: items("cause"),
  reasons: DefectReasons,
  sku: items("sku"),
  people: Operators,
  maps: PlantMaps,
};
