import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { L10n } from "../values.ts";
import { createdAt, json, updatedAt } from "./columns.ts";
import { companies, users } from "./identity.ts";

/** The owner of a widget or dashboard. Null: it belongs to the system: every company sees it, and only superusers change it. */
const ownerId = integer("company_id").references(() => companies.id);

export const widgets = sqliteTable(
  "widgets",
  {
    id: text("id").primaryKey(),
    companyId: ownerId,
    title: json<L10n>("title").notNull(),
    description: json<L10n>("description").notNull(),
    spec: json<Record<string, unknown>>("spec").notNull(),
    featureRequirements: text("feature_requirements").notNull().default(""),
    labels: text("labels").notNull().default(""),
    /** Keys in the thumbnails bucket. */
    thumbnailKey: text("thumbnail_key"),
    compressedThumbnailKey: text("compressed_thumbnail_key"),
    /** Of the picture and its small copy. 0 for pictures from before November 2026. */
    pictureBytes: integer("picture_bytes").notNull().default(0),
    /** The widget that a system widget was promoted from. */
    sourceWidgetId: text("source_widget_id"),
    createdAt,
    updatedAt,
    deletedAt: integer("deleted_at"),
  },
  (t) => [
    index("widgets_company").on(t.companyId, t.id),
    uniqueIndex("widgets_source").on(t.sourceWidgetId),
    index("widgets_thumbnail").on(t.thumbnailKey),
    index("widgets_compressed_thumbnail").on(t.compressedThumbnailKey),
  ],
);

export const dashboards = sqliteTable(
  "dashboards",
  {
    id: text("id").primaryKey(),
    companyId: ownerId,
    title: json<L10n>("title").notNull(),
    description: json<L10n>("description").notNull(),
    spec: json<Record<string, unknown>>("spec").notNull(),
    thumbnailKey: text("thumbnail_key"),
    compressedThumbnailKey: text("compressed_thumbnail_key"),
    archivedAt: integer("archived_at"),
    createdAt,
    updatedAt,
    deletedAt: integer("deleted_at"),
  },
  (t) => [
    index("dashboards_company").on(t.companyId, t.id),
    index("dashboards_thumbnail").on(t.thumbnailKey),
    index("dashboards_compressed_thumbnail").on(t.compressedThumbnailKey),
  ],
);

export const widgetInstances = sqliteTable(
  "widget_instances",
  {
    id: text("id").primaryKey(),
    dashboardId: text("dashboard_id")
      .notNull()
      .references(() => dashboards.id),
    widgetId: text("widget_id")
      .notNull()
      .references(() => widgets.id),
    specOverride: json<Record<string, unknown>>("spec_override").notNull(),
    visualConfig: json<Record<string, unknown>>("visual_config").notNull(),
    createdAt,
    updatedAt,
    deletedAt: integer("deleted_at"),
  },
  (t) => [index("widget_instances_dashboard").on(t.dashboardId, t.createdAt), index("widget_instances_widget").on(t.widgetId)],
);

/** Pictures that are being deleted from the bucket, or were just deleted. No row may use their keys for a while. */
export const forgottenPictures = sqliteTable(
  "forgotten_pictures",
  {
    key: text("key").primaryKey(),
    at: integer("at").notNull(),
  },
  (t) => [index("forgotten_pictures_age").on(t.at)],
);

/** A user's favorites: ids of widgets and dashboards. */
export const favorites = sqliteTable(
  "favorites",
  {
    userId: integer("user_id")
      .notNull()
      .references(() => users.id),
    favoriteId: text("favorite_id").notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.favoriteId] })],
);
