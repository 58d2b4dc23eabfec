import { z } from "@hono/zod-openapi";

// The contract's widget and widget dashboard, as operations answer them.

const l10n = z.object({ en: z.string(), es: z.string() }).openapi("L10n");
const map = z.record(z.string(), z.unknown());
const timestamp = z.iso.datetime();
const imageUrl = z.url().nullable();

const shared = {
  id: z.string(),
  title: l10n,
  description: l10n,
  spec: map,
  isSystem: z.boolean().openapi({ description: "Belongs to no company: every company sees it, superusers alone change it" }),
  isFavorited: z.boolean().openapi({ description: "A favorite of the caller's" }),
  createdAt: timestamp,
  updatedAt: timestamp,
  deletedAt: timestamp.nullable(),
  thumbnailUrl: imageUrl,
  compressedThumbnailUrl: imageUrl.openapi({ description: "A WebP of 480 pixels a side at most" }),
};

export const widget = z.object({ ...shared, featureRequirements: z.string(), labels: z.string() }).openapi("Widget");
export type Widget = z.infer<typeof widget>;

const instance = z
  .object({
    id: z.string(),
    widgetId: z.string(),
    dashboardId: z.string(),
    specOverride: map,
    visualConfig: map,
    widget,
    createdAt: timestamp,
    updatedAt: timestamp,
    deletedAt: timestamp.nullable(),
  })
  .openapi("WidgetInstance");
export type WidgetInstance = z.infer<typeof instance>;

export const dashboard = z
  .object({ ...shared, archivedAt: timestamp.nullable(), instances: z.array(instance) })
  .openapi("WidgetDashboard");
export type Dashboard = z.infer<typeof dashboard>;
