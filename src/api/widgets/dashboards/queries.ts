import { and, eq, getTableColumns, isNull, sql } from "drizzle-orm";
import type { CompanyDb } from "../../../db/client.ts";
import { inList } from "../../../db/conditions.ts";
import { dashboards, widgetInstances, widgets } from "../../../db/schema.ts";
import { isOwned, jsonColumn, jsonMembers, type Owner, type SetUpTable, type Viewer } from "../../../resource/queries.ts";
import {
  type DashboardRow,
  type InstanceRow,
  isFavoriteOf,
  type Viewed,
  type ViewedWidget,
  widgetJson,
  widgetTable,
} from "../queries.ts";

/** An instance and the widget that it shows. */
export type Instance = InstanceRow & { widget: ViewedWidget };

/** A dashboard with its instances, in the order in which they were added. */
export type FullDashboard = Viewed<DashboardRow> & { instances: Instance[] };

const { id, companyId, updatedAt, deletedAt } = dashboards;

export const dashboardTable: SetUpTable = {
  ...{ table: dashboards, id, companyId, updatedAt, deletedAt },
  columns: (viewer) => ({
    ...getTableColumns(dashboards),
    isFavorited: isFavoriteOf(dashboards, viewer.actor.userId),
    instances: jsonColumn("instances", instancesJson(viewer)),
  }),
  hasSystemRows: true,
};

/** The statement that reads those of these widgets that are visible to a company. */
export function selectWidgets(db: CompanyDb, viewer: Viewer, ofCompany: Owner, ids: readonly string[]) {
  return db
    .select(widgetTable.columns(viewer))
    .from(widgets)
    .where(isOwned(widgetTable, ofCompany, ids));
}

/** The statements that replace the instances of a dashboard. */
export function replaceInstances(db: CompanyDb, dashboard: FullDashboard, instances: readonly Instance[]) {
  const now = dashboard.updatedAt;
  const ids = instances.map((one) => one.id);
  const json = JSON.stringify(instances.map(({ widget: _, ...row }) => row));
  return [
    db
      .update(widgetInstances)
      .set({ deletedAt: now, updatedAt: now })
      .where(and(isOn(dashboard.id), sql`NOT ${inList(widgetInstances.id, ids)}`)),
    db
      .insert(widgetInstances)
      .select(sql`SELECT value->>'id', ${dashboard.id}, value->>'widgetId', value->'specOverride', value->'visualConfig',
        value->>'createdAt', value->>'updatedAt', NULL FROM json_each(${json}) WHERE true`)
      .onConflictDoUpdate({
        target: widgetInstances.id,
        set: {
          widgetId: sql`excluded.widget_id`,
          specOverride: sql`excluded.spec_override`,
          visualConfig: sql`excluded.visual_config`,
          updatedAt: sql`excluded.updated_at`,
        },
      }),
  ];
}

function isOn(dashboardId: string) {
  return and(eq(widgetInstances.dashboardId, dashboardId), isNull(widgetInstances.deletedAt));
}

function instancesJson(viewer: Viewer) {
  const i = widgetInstances;
  return sql`(SELECT json_group_array(json_object(${jsonMembers(i)}, 'widget', ${widgetJson(viewer)}) ORDER BY ${i.createdAt}, ${i}.rowid)
    FROM ${i} JOIN ${widgets} ON ${widgets.id} = ${i.widgetId} WHERE ${i.dashboardId} = ${id} AND ${i.deletedAt} IS NULL)`;
}
