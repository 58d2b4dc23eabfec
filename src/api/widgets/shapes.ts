import { z } from "@hono/zod-openapi";
import { answerText } from "../../core/answer-text.ts";
import { isoOf } from "../../oee/time.ts";
import type { DashboardRow, InstanceRow, Viewed, WidgetRow } from "./queries.ts";
import { thumbnailUrl } from "./thumbnails.ts";

// The widget and the dashboard of the contract, and the functions that make them from rows.

const l10n = z.object({ en: answerText, es: answerText }).openapi("L10n");
const map = z.record(answerText, z.unknown());
const timestamp = z.iso.datetime();
const imageUrl = z.url().nullable();

const shared = {
  id: answerText,
  title: l10n,
  description: l10n,
  spec: map,
  isSystem: z.boolean().openapi({ description: "Belongs to no company: every company sees it, only superusers can change it" }),
  isFavorited: z.boolean().openapi({ description: "Whether it is a favorite of the caller" }),
  createdAt: timestamp,
  updatedAt: timestamp,
  deletedAt: timestamp.nullable(),
  thumbnailUrl: imageUrl,
  compressedThumbnailUrl: imageUrl.openapi({ description: "A WebP of 480 pixels per side at most" }),
};

export const widget = z.object({ ...shared, featureRequirements: answerText, labels: answerText }).openapi("Widget");
export type Widget = z.infer<typeof widget>;

const instance = z
  .object({
    id: answerText,
    widgetId: answerText,
    dashboardId: answerText,
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

/** @param origin the service's own address, as `https://host` */
export function widgetOf(row: Viewed<WidgetRow>, origin: string): Widget {
  return { ...sharedMembers(row, origin), featureRequirements: row.featureRequirements, labels: row.labels };
}

/** @param shown the widget that the instance shows */
export function instanceOf(row: InstanceRow, shown: Widget): WidgetInstance {
  const { id, widgetId, dashboardId, specOverride, visualConfig } = row;
  return { id, widgetId, dashboardId, specOverride, visualConfig, widget: shown, ...stamps(row) };
}

/** @param origin see `widgetOf` */
export function dashboardOf<Instance>(row: Viewed<DashboardRow>, instances: readonly Instance[], origin: string) {
  return { ...sharedMembers(row, origin), archivedAt: isoOf(row.archivedAt), instances: [...instances] };
}

function sharedMembers(row: Viewed<WidgetRow | DashboardRow>, origin: string) {
  const { id, title, description, spec, isFavorited, companyId } = row;
  const urlOf = (key: string | null) => (key ? thumbnailUrl(origin, key) : null);
  return {
    ...{ id, title, description, spec, isSystem: companyId === null, isFavorited },
    ...stamps(row),
    thumbnailUrl: urlOf(row.thumbnailKey),
    compressedThumbnailUrl: urlOf(row.compressedThumbnailKey),
  };
}

function stamps({ createdAt, updatedAt, deletedAt }: Pick<WidgetRow, "createdAt" | "updatedAt" | "deletedAt">) {
  return { createdAt: isoOf(createdAt), updatedAt: isoOf(updatedAt), deletedAt: isoOf(deletedAt) };
}
