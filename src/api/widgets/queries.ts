import { and, asc, eq, getTableColumns, gt, inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import type { CompanyDb } from "../../db/client.ts";
import { isAsRead, isUnchanged } from "../../db/expect.ts";
import { dashboards, favorites, forgottenPictures, widgetInstances, widgets } from "../../db/schema.ts";
import { jsonMembers, type SetUpTable, type Viewer } from "../../resource/queries.ts";
import { forgettingMs } from "./thumbnails.ts";

export type WidgetRow = typeof widgets.$inferSelect;
export type DashboardRow = typeof dashboards.$inferSelect;
export type InstanceRow = typeof widgetInstances.$inferSelect;

/** A row, and whether it is a favorite of the caller. */
export type Viewed<Row> = Row & { isFavorited: boolean };

/** The object keys of a picture and of its small copy. */
export type ThumbnailKeys = Record<"thumbnailKey" | "compressedThumbnailKey", string>;

type Owned = typeof widgets | typeof dashboards;

/** The statement that reads a dashboard that is visible to a company (undefined: to anyone): its own or the system's. */
export function selectDashboard(db: CompanyDb, id: string, companyId: number | undefined, userId: number) {
  return db
    .select({ ...getTableColumns(dashboards), isFavorited: isFavoriteOf(dashboards, userId) })
    .from(dashboards)
    .where(and(eq(dashboards.id, id), isNull(dashboards.deletedAt), seenBy(dashboards, companyId)));
}

/** The statement that reads the instances on a dashboard, in the order in which they were added. */
export function selectInstances(db: CompanyDb, dashboardId: string) {
  return db
    .select()
    .from(widgetInstances)
    .where(isOn(dashboardId))
    .orderBy(asc(widgetInstances.createdAt), sql`${widgetInstances}.rowid`);
}

/** The statement that reads the widgets that a dashboard shows; deleted ones too. */
export function selectShownWidgets(db: CompanyDb, dashboardId: string, userId: number) {
  const shown = db.select({ id: widgetInstances.widgetId }).from(widgetInstances).where(isOn(dashboardId));
  return selectViewedWidgets(db, userId).where(inArray(widgets.id, shown));
}

/** Condition: the dashboard is unchanged since it was read. A change of its instances also changes the dashboard. */
export function isSameDashboard(dashboard: DashboardRow): SQL {
  return isUnchanged(dashboards, dashboard);
}

/** The statement that updates columns of a dashboard. */
export function updateDashboard(db: CompanyDb, id: string, values: Partial<DashboardRow>) {
  return db.update(dashboards).set(values).where(eq(dashboards.id, id));
}

/** The statement that reads a widget that is visible to a company (undefined: to anyone): its own or the system's. */
export function selectWidget(db: CompanyDb, id: string, companyId: number | undefined) {
  return db
    .select()
    .from(widgets)
    .where(and(eq(widgets.id, id), isNull(widgets.deletedAt), seenBy(widgets, companyId)));
}

/** The statement that reads a company's own widget. */
export function selectOwnWidget(db: CompanyDb, id: string, companyId: number) {
  return db
    .select()
    .from(widgets)
    .where(and(eq(widgets.id, id), eq(widgets.companyId, companyId), isNull(widgets.deletedAt)));
}

/** The statement that reads the system widget that was promoted from a widget, even if it was deleted since. */
export function selectCopy(db: CompanyDb, sourceWidgetId: string, userId: number) {
  return selectViewedWidgets(db, userId).where(eq(widgets.sourceWidgetId, sourceWidgetId));
}

/** Condition: the widget is unchanged since it was read. */
export function isSameWidget(widget: WidgetRow): SQL {
  return isUnchanged(widgets, widget);
}

/** Condition: the copy of a widget is unchanged since it was read. */
export function isSameCopy(sourceWidgetId: string, copy: WidgetRow | undefined): SQL {
  return isAsRead(widgets, eq(widgets.sourceWidgetId, sourceWidgetId), copy);
}

/** The statement that stores a new widget. */
export function insertWidget(db: CompanyDb, widget: WidgetRow) {
  return db.insert(widgets).values(widget);
}

/** The statement that updates columns of a widget. */
export function updateWidget(db: CompanyDb, id: string, values: Partial<WidgetRow>) {
  return db.update(widgets).set(values).where(eq(widgets.id, id));
}

/** The statement that reads those of these pictures that are being deleted because they were unused. */
export function selectForgotten(db: CompanyDb, keys: ThumbnailKeys, now: number) {
  return db.select({ key: forgottenPictures.key }).from(forgottenPictures).where(areForgotten(keys, now));
}

/** Condition: none of these pictures is being deleted. */
export function noneIsForgotten(keys: ThumbnailKeys, now: number): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM ${forgottenPictures} WHERE ${areForgotten(keys, now)})`;
}

function areForgotten(keys: ThumbnailKeys, now: number) {
  return and(inArray(forgottenPictures.key, Object.values(keys)), gt(forgottenPictures.at, now - forgettingMs));
}

function selectViewedWidgets(db: CompanyDb, userId: number) {
  return db
    .select({ ...getTableColumns(widgets), isFavorited: isFavoriteOf(widgets, userId) })
    .from(widgets)
    .$dynamic();
}

function isOn(dashboardId: string) {
  return and(eq(widgetInstances.dashboardId, dashboardId), isNull(widgetInstances.deletedAt));
}

/** Condition: the row is visible to a company. System rows are visible to every company. */
function seenBy(t: Owned, companyId: number | undefined): SQL | undefined {
  return companyId === undefined ? undefined : or(eq(t.companyId, companyId), isNull(t.companyId));
}

/** True if a widget or dashboard is a favorite of the user, as a column of its row. */
export function isFavoriteOf(t: Owned, userId: number) {
  return sql`${isFavorite(t, userId)}`.mapWith(Boolean).as("is_favorited");
}

/** True if a widget or dashboard is a favorite of the user. */
function isFavorite(t: Owned, userId: number): SQL {
  return sql`EXISTS (SELECT 1 FROM ${favorites} WHERE ${favorites.userId} = ${userId} AND ${favorites.favoriteId} = ${t.id})`;
}

/** Condition: a dashboard still is, or still is not, a favorite of the user. */
export function isFavoriteAsRead(userId: number, { id, isFavorited }: Viewed<DashboardRow>): SQL {
  const found = sql`EXISTS (SELECT 1 FROM ${favorites} WHERE ${favorites.userId} = ${userId} AND ${favorites.favoriteId} = ${id})`;
  return isFavorited ? found : sql`NOT ${found}`;
}

/** The statement that makes a dashboard a favorite of the user. */
export function insertFavorite(db: CompanyDb, userId: number, favoriteId: string) {
  return db.insert(favorites).values({ userId, favoriteId });
}

/** The statement that makes a dashboard no longer a favorite of the user. */
export function deleteFavorite(db: CompanyDb, userId: number, favoriteId: string) {
  return db.delete(favorites).where(and(eq(favorites.userId, userId), eq(favorites.favoriteId, favoriteId)));
}

export type ViewedWidget = Viewed<WidgetRow>;

const { id, companyId, updatedAt, deletedAt } = widgets;

export const widgetTable: SetUpTable = {
  ...{ table: widgets, id, companyId, updatedAt, deletedAt },
  columns: ({ actor }) => ({ ...getTableColumns(widgets), isFavorited: isFavoriteOf(widgets, actor.userId) }),
  hasSystemRows: true,
};

/** The row of a widget as JSON, for a query that reads it as part of another row. */
export function widgetJson({ actor }: Viewer): SQL {
  const isFavorited = sql`json(iif(${isFavorite(widgets, actor.userId)}, 'true', 'false'))`;
  return sql`json_object(${jsonMembers(widgets)}, 'isFavorited', ${isFavorited})`;
}
