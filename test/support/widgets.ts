import { env } from "cloudflare:workers";
import { drizzle } from "drizzle-orm/d1";
import { dashboards, favorites, widgetInstances, widgets } from "../../src/db/schema.ts";

// Rows of the widget tables with random ids, straight in the database. A null company makes one of the system's own.

const db = drizzle(env.DB);
const createdAt = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
const common = () => ({
  id: crypto.randomUUID(),
  title: { en: `Title ${crypto.randomUUID()}`, es: "Título" },
  description: { en: "Description", es: "Descripción" },
  spec: { type: "bar", size: 1.5, series: [{ metric: "stop_count" }] },
  createdAt,
  updatedAt: createdAt + 1,
});

/** A widget without pictures unless told otherwise. */
export function createWidget(companyId: number | null, options: Partial<typeof widgets.$inferInsert> = {}) {
  const row = { ...common(), companyId, featureRequirements: "oee", labels: "stops,line", ...options };
  return db.insert(widgets).values(row).returning().get();
}

/** A dashboard that is not archived, without instances, unless told otherwise. */
export function createDashboard(companyId: number | null, options: Partial<typeof dashboards.$inferInsert> = {}) {
  return db
    .insert(dashboards)
    .values({ ...common(), companyId, ...options })
    .returning()
    .get();
}

/** An instance of a widget on a dashboard. */
export function createInstance(
  required: { dashboardId: string; widgetId: string },
  options: Partial<typeof widgetInstances.$inferInsert> = {},
) {
  const row = {
    id: crypto.randomUUID(),
    specOverride: { limit: 5 },
    visualConfig: { x: 0, y: 2 },
    createdAt,
    updatedAt: createdAt + 2,
    ...required,
    ...options,
  };
  return db.insert(widgetInstances).values(row).returning().get();
}

/** Makes a widget or dashboard a favorite of the user's. */
export async function createFavorite(userId: number, favoriteId: string) {
  await db.insert(favorites).values({ userId, favoriteId });
}

/** The shape that the contract gives a widget row, with none of its pictures. */
export function widgetShape({
  companyId,
  sourceWidgetId,
  thumbnailKey,
  compressedThumbnailKey,
  ...row
}: typeof widgets.$inferSelect) {
  return { ...row, ...shared(row), isSystem: companyId === null };
}

/** The shape that the contract gives a dashboard row, with no picture and no instances. */
export function dashboardShape({ companyId, thumbnailKey, compressedThumbnailKey, ...row }: typeof dashboards.$inferSelect) {
  return { ...row, ...shared(row), isSystem: companyId === null, archivedAt: iso(row.archivedAt), instances: [] as unknown[] };
}

/** The shape that the contract gives an instance row, around its widget's. */
export function instanceShape(row: typeof widgetInstances.$inferSelect, widget: unknown) {
  return { ...row, createdAt: iso(row.createdAt), updatedAt: iso(row.updatedAt), deletedAt: iso(row.deletedAt), widget };
}

function shared(row: { createdAt: number; updatedAt: number; deletedAt: number | null }) {
  return {
    isFavorited: false,
    createdAt: iso(row.createdAt),
    updatedAt: iso(row.updatedAt),
    deletedAt: iso(row.deletedAt),
    thumbnailUrl: null,
    compressedThumbnailUrl: null,
  };
}

function iso(epochMs: number | null) {
  return epochMs === null ? null : new Date(epochMs).toISOString();
}
