import type { Caller } from "../../../core/caller.ts";
import { changeItem } from "../../../resource/items.ts";
import { type Dashboard, dashboard } from "../shapes.ts";
import { dashboards } from "./resource.ts";

/** Takes a dashboard out of the archive. Returns the dashboard. */
export async function unarchiveDashboard(caller: Caller, id: string): Promise<Dashboard> {
  return dashboard.parse(await changeItem(caller, dashboards, { id }, { archivedAt: null }, { verb: "unarchive" }));
}
