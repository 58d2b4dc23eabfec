import { and, asc, eq, getTableColumns, gt, inArray, isNull, notExists, or, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Db } from "../../db/client.ts";
import { dashboards, favorites, forgottenPictures, widgetInstances, widgets } from "../../db/schema.ts";
import type { keepAnswer } from "../../http/idempotency.ts";
import { type Audit, briefJson } from "../../http/old-audit.ts";
import { isoOf } from "../../oee/time.ts";
import type { Dashboard, Widget, WidgetInstance } from "./shapes.ts";
import { forgettingMs, thumbnailUrl } from "./thumbnails.ts";

// The database itself puts rows into the contract's shapes, as JSON: an answer that is kept for an Idempotency-Key has to
// be known inside the batch that does the work.

/** Who looks: favorites are the user's, thumbnails are addressed from the request's origin (`https://host`). */
export interface Viewer {
  userId: number;
  origin: string;
}

/** The object keys of a picture and of its small copy. */
export type ThumbnailKeys = Record<"thumbnailKey" | "compressedThumbnailKey", string>;

/** Gives the statements that keep an answer (an expression) once a condition holds. */
type Keep = (answer: SQL, condition: SQL) => ReturnType<typeof keepAnswer>;

type Owned = typeof widgets | typeof dashboards;

/**
 * Archives the dashboard, unless it is archived already, and reads it. One trip. `companyId` is whose rows may change
 * (undefined: anyone's): the system's can then be read, and stay as they are. Null: no such dashboard.
 */
export async function archiveDashboard(
  db: Db,
  id: string,
  companyId: number | undefined,
  viewer: Viewer,
  audit: Audit,
  now: number,
) {
  const isThere = and(eq(dashboards.id, id), isNull(dashboards.deletedAt));
  const members = sql`${sharedMembers(dashboards, viewer)}, 'archivedAt', ${iso(dashboards.archivedAt)}`;
  const isOpen = and(isThere, isNull(dashboards.archivedAt), ownedBy(dashboards, companyId));
  const stateJson = (archivedAt: string | null) =>
    sql`json_object('title', json(${dashboards.title}), 'archivedAt', ${archivedAt})`;
  const [, , [found], instances] = await db.batch([
    audit(
      {
        action: "dashboard.archive",
        companyId: dashboards.companyId,
        objectId: id,
        before: stateJson(null),
        after: stateJson(isoOf(now)),
      },
      sql`FROM ${dashboards} WHERE ${isOpen}`,
    ),
    db.update(dashboards).set({ archivedAt: now, updatedAt: now }).where(isOpen),
    db
      .select({ json: sql<string>`json_object(${members})`.as("json") })
      .from(dashboards)
      .where(and(isThere, seenBy(dashboards, companyId))),
    db
      .select({ json: instanceJson(viewer).as("json") })
      .from(widgetInstances)
      .innerJoin(widgets, eq(widgets.id, widgetInstances.widgetId))
      .where(and(eq(widgetInstances.dashboardId, id), isNull(widgetInstances.deletedAt)))
      .orderBy(asc(widgetInstances.createdAt), asc(widgetInstances.id)),
  ]);
  if (!found) return null;
  const dashboard: Dashboard = {
    ...parse<Omit<Dashboard, "instances">>(found.json),
    instances: instances.map(({ json }) => parse<WidgetInstance>(json)),
  };
  return dashboard;
}

/**
 * Copies a company's widget into the system set, over the copy that was made of it before. One trip.
 * @returns the copy; null: the company has no such widget
 */
export async function promoteWidget(
  db: Db,
  source: { companyId: number; widgetId: string },
  viewer: Viewer,
  keep: Keep,
  audit: Audit,
  now: number,
): Promise<Widget | null> {
  const { companyId, widgetId } = source;
  const w = getTableColumns(widgets);
  const isThere = sql`${w.id} = ${widgetId} AND ${w.companyId} = ${companyId} AND ${w.deletedAt} IS NULL`;
  const isDone = sql`EXISTS (SELECT 1 FROM ${widgets} WHERE ${isThere})`;
  const copy = db
    .select({ json: widgetJson(viewer).as("json") })
    .from(widgets)
    .where(and(eq(w.sourceWidgetId, widgetId), isDone));
  const newId = crypto.randomUUID();
  const copied = sql`FROM ${widgets} AS copied WHERE copied.source_widget_id = ${widgetId}`;
  const before = sql`(SELECT json_object('id', copied.id, 'title', json(copied.title), 'spec', ${briefJson(sql`copied.spec`)},
    'deletedAt', ${iso(sql`copied.deleted_at`)}) ${copied})`;
  const after = sql`json_object('id', coalesce((SELECT copied.id ${copied}), ${newId}), 'title', json(${w.title}),
    'spec', ${briefJson(w.spec)}, 'deletedAt', NULL)`;
  const [, , copies] = await db.batch([
    audit({ action: "widget.promote", companyId, objectId: widgetId, before, after }, sql`FROM ${widgets} WHERE ${isThere}`),
    db
      .insert(widgets)
      .select(sql`SELECT ${newId}, NULL, ${w.title}, ${w.description}, ${w.spec}, ${w.featureRequirements},
        ${w.labels}, ${w.thumbnailKey}, ${w.compressedThumbnailKey}, ${w.id}, ${now}, ${now}, NULL
        FROM ${widgets} WHERE ${isThere}`)
      .onConflictDoUpdate({
        target: w.sourceWidgetId,
        set: {
          title: sql`excluded.title`,
          description: sql`excluded.description`,
          spec: sql`excluded.spec`,
          featureRequirements: sql`excluded.feature_requirements`,
          labels: sql`excluded.labels`,
          thumbnailKey: sql`excluded.thumbnail_key`,
          compressedThumbnailKey: sql`excluded.compressed_thumbnail_key`,
          updatedAt: now,
          deletedAt: null,
        },
      }),
    copy,
    ...keep(sql`${copy}`, isDone),
  ]);
  return copies[0] ? parse<Widget>(copies[0].json) : null;
}

/** Whose the widget is that a company (undefined: anyone) sees, null for the system's; undefined: no such widget. */
export async function findWidgetOwner(db: Db, id: string, companyId: number | undefined) {
  const isThere = and(eq(widgets.id, id), isNull(widgets.deletedAt), seenBy(widgets, companyId));
  return (await db.select({ companyId: widgets.companyId }).from(widgets).where(isThere).get())?.companyId;
}

/**
 * Gives a widget of the company (undefined: anyone's) its picture. One trip.
 * @returns "gone": there is no such widget any more; "forgotten": the picture is just being deleted, as nothing showed it
 */
export async function saveThumbnail(
  db: Db,
  id: string,
  companyId: number | undefined,
  keys: ThumbnailKeys,
  audit: Audit,
  now: number,
): Promise<"saved" | "gone" | "forgotten"> {
  const { key, at } = forgottenPictures;
  const marks = db
    .select({ key })
    .from(forgottenPictures)
    .where(and(inArray(key, Object.values(keys)), gt(at, now - forgettingMs)));
  const isThere = and(eq(widgets.id, id), isNull(widgets.deletedAt), ownedBy(widgets, companyId), notExists(marks));
  const prefix = thumbnailUrl("", "");
  const before = sql`json_object('thumbnailUrl', ${prefix} || ${widgets.thumbnailKey})`;
  const after = { thumbnailUrl: `${prefix}${keys.thumbnailKey}` };
  const [marked, , saved] = await db.batch([
    marks,
    audit(
      { action: "widget.set-thumbnail", companyId: widgets.companyId, objectId: id, before, after },
      sql`FROM ${widgets} WHERE ${isThere} AND ${widgets.thumbnailKey} IS NOT ${keys.thumbnailKey}`,
    ),
    db
      .update(widgets)
      .set({ ...keys, updatedAt: now })
      .where(isThere)
      .returning({ id: widgets.id }),
  ]);
  if (marked.length > 0) return "forgotten";
  return saved.length > 0 ? "saved" : "gone";
}

function ownedBy(t: Owned, companyId: number | undefined): SQL | undefined {
  return companyId === undefined ? undefined : eq(t.companyId, companyId);
}

/** Everyone sees the system's. */
function seenBy(t: Owned, companyId: number | undefined): SQL | undefined {
  return companyId === undefined ? undefined : or(eq(t.companyId, companyId), isNull(t.companyId));
}

function widgetJson(viewer: Viewer): SQL<string> {
  return sql`json_object(${sharedMembers(widgets, viewer)}, 'featureRequirements', ${widgets.featureRequirements},
    'labels', ${widgets.labels})`;
}

/** An instance with its widget, of a query that joins both, as JSON in the contract's shape. */
export function instanceJson(viewer: Viewer): SQL<string> {
  const i = widgetInstances;
  return sql`json_object('id', ${i.id}, 'widgetId', ${i.widgetId}, 'dashboardId', ${i.dashboardId},
    'specOverride', json(${i.specOverride}), 'visualConfig', json(${i.visualConfig}), 'widget', ${widgetJson(viewer)},
    'createdAt', ${iso(i.createdAt)}, 'updatedAt', ${iso(i.updatedAt)}, 'deletedAt', ${iso(i.deletedAt)})`;
}

/** What widgets and dashboards have in common, as arguments of json_object. */
function sharedMembers(t: Owned, { userId, origin }: Viewer): SQL {
  const prefix = thumbnailUrl(origin, "");
  return sql`'id', ${t.id}, 'title', json(${t.title}), 'description', json(${t.description}), 'spec', json(${t.spec}),
    'isSystem', ${bool(sql`${t.companyId} IS NULL`)}, 'isFavorited', ${isFavoritedJson(t, userId)},
    'createdAt', ${iso(t.createdAt)}, 'updatedAt', ${iso(t.updatedAt)}, 'deletedAt', ${iso(t.deletedAt)},
    'thumbnailUrl', ${prefix} || ${t.thumbnailKey}, 'compressedThumbnailUrl', ${prefix} || ${t.compressedThumbnailKey}`;
}

/** Whether a widget or dashboard is a favorite of the user's, as JSON. */
export function isFavoritedJson(t: Owned, userId: number): SQL {
  return bool(
    sql`EXISTS (SELECT 1 FROM ${favorites} WHERE ${favorites.userId} = ${userId} AND ${favorites.favoriteId} = ${t.id})`,
  );
}

function bool(condition: SQL): SQL {
  return sql`json(iif(${condition}, 'true', 'false'))`;
}

/** Epoch ms as ISO 8601 with Z; null stays null. */
function iso(epochMs: SQLiteColumn | SQL): SQL {
  return sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${epochMs} / 1000.0, 'unixepoch')`;
}

/** The one cast of what json_object gives, whose members are those of the shape. */
function parse<T>(json: string): T {
  return JSON.parse(json) as T;
}
