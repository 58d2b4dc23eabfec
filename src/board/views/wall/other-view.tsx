import { route } from "../../app/route.ts";
import type { Row } from "../../data/live.ts";
import type { WallOptions } from "../../domain/wall-options.ts";
import { LineHours, type LineHoursProps } from "./line-hours.tsx";
import { PlantMap } from "./plant-map.tsx";

interface OtherViewProps extends Omit<LineHoursProps, "lineIds" | "machineIds"> {
  options: WallOptions;
  /** The machines, who needs someone first. */
  sorted: readonly Row[];
}

/** What a wall shows instead of tiles. */
export function OtherView({ options, sorted, ...props }: OtherViewProps) {
  const { show, lineIds, machineIds } = options;
  // Most walls have no map: it is not among the options, which every wall reads at first.
  const mapId = route.value.query.get("map");
  const { now, text, space } = props;
  if (show === "map") return <PlantMap rows={sorted} {...{ mapId, now, text, space }} />;
  return <LineHours {...props} lineIds={lineIds} machineIds={machineIds} />;
}
