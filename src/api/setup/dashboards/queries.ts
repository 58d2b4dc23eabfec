import { and, eq, getTableColumns, isNull, sql } from "drizzle-orm";
import { dashboards, widgetInstances, widgets } from "../../../db/schema.ts";
import { instanceJson, isFavoritedJson } from "../../widgets/queries.ts";
import type { SetUpCheck, SetUpTable } from "../queries.ts";

/** A widget on a dashboard, as far as it is sent. */
export interface Instance {
  id: string;
  widgetId: string;
  specOverride: Record<string, unknown>;
  visualConfig: Record<string, unknown>;
}

export type DashboardRow = typeof dashboards.$inferSelect & { isFavorited: boolean; instances: Instance[] };

const { id, companyId, updatedAt, deletedAt } = dashboards;

export const dashboardTable: SetUpTable<DashboardRow> = {
  ...{ table: dashboards, id, companyId, updatedAt, deletedAt },
  columns: getTableColumns(dashboards),
  newId: () => crypto.randomUUID(),
  extras: (viewer) => ({
    isFavorited: isFavoritedJson(dashboards, viewer.userId),
    instances: sql`(SELECT json_group_array(${instanceJson(viewer)} ORDER BY ${widgetInstances.createdAt}, ${widgetInstances.id})
      FROM ${widgetInstances} JOIN ${widgets} ON ${widgets.id} = ${widgetInstances.widgetId}
      WHERE ${widgetInstances.dashboardId} = ${id} AND ${widgetInstances.deletedAt} IS NULL)`,
  }),
  hasSystemRows: true,
  checks: (next, before) => (next.instances === before?.instances ? [] : [areSeen(next, before?.instances ?? [])]),
  attach(db, next, before) {
    if (next.instances === before?.instances) return [];
    const instances = JSON.stringify(next.instances);
    const now = next.updatedAt;
    const isGone = sql`${widgetInstances.id} NOT IN (SELECT value->>'id' FROM json_each(${instances}))`;
    return [
      db
        .update(widgetInstances)
        .set({ deletedAt: now, updatedAt: now })
        .where(and(eq(widgetInstances.dashboardId, next.id), isNull(widgetInstances.deletedAt), isGone)),
      db
        .insert(widgetInstances)
        .select(sql`SELECT value->>'id', ${next.id}, value->>'widgetId', value->'specOverride', value->'visualConfig', ${now}, ${now}, NULL
          FROM json_each(${instances}) WHERE true`)
        .onConflictDoUpdate({
          target: widgetInstances.id,
          set: {
            widgetId: sql`excluded.widget_id`,
            specOverride: sql`excluded.spec_override`,
            visualConfig: sql`excluded.visual_config`,
            updatedAt: now,
          },
        }),
    ];
  },
};

/** Checks that the dashboard's company sees the widgets that come to it: its own and the system's. */
function areSeen(next: DashboardRow, before: readonly Instance[]): SetUpCheck {
  const shown = new Set(before.map(({ widgetId }) => widgetId));
  const widgetIds = JSON.stringify(next.instances.map(({ widgetId }) => (shown.has(widgetId) ? null : widgetId)));
  return {
    status: 400,
    finds: sql`SELECT wanted.key FROM json_each(${widgetIds}) AS wanted WHERE wanted.value IS NOT NULL AND NOT EXISTS
      (SELECT 1 FROM ${widgets} WHERE ${widgets.id} = wanted.value AND ${widgets.deletedAt} IS NULL
        AND (${widgets.companyId} IS NULL OR ${widgets.companyId} = ${next.companyId})) LIMIT 1`,
    fault: (i) => ({
      pointer: `/instances/${i}/widgetId`,
      code: "not_found",
      message: "names no widget of the company's or the system's",
    }),
  };
}
