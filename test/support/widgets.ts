import { env } from "cloudflare:workers";
import { drizzle } from "drizzle-orm/d1";
import { dashboards, favorites, widgetInstances, widgets } from "../../src/db/schema.ts";

// Rows of the widget tables with random ids, directly in the database. A null company creates one of the system's own.

const db = drizzle(env.DB_0);
const createdAt = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
const common = () => ({
  id: crypto.randomUUID(),
  title: { en: `Title ${crypto.randomUUID()}`, es: "Título" },
  description: { en: "Description", es: "Descripción" },
  spec: { type: "bar", size: 1.5, series: [{ metric: "stop_count" }] },
  createdAt,
  updatedAt: createdAt + 1,
});

/** A widget; by default without pictures. */
export function createWidget(companyId: number | null, options: Partial<typeof widgets.$inferInsert> = {}) {
  const row = { ...common(), companyId, featureRequirements: "oee", labels: "stops,line", ...options };
  return db.insert(widgets).values(row).returning().get();
}

/** A dashboard that is not archived; by default without instances. */
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

/** Makes a widget or dashboard a favorite of the user. */
export async function createFavorite(userId: number, favoriteId: string) {
  await db.insert(favorites).values({ userId, favoriteId });
}

/** A widget row as the contract returns it, without pictures. */
export function widgetShape({
  companyId,
  sourceWidgetId,
  thumbnailKey,
  compressedThumbnailKey,
  pictureBytes,
  ...row
}: typeof widgets.$inferSelect) {
  return { ...row, ...shared(row), isSystem: companyId === null };
}

/** A dashboard row as the contract returns it, without picture and instances. */
export function dashboardShape({ companyId, thumbnailKey, compressedThumbnailKey, ...row }: typeof dashboards.$inferSelect) {
  return { ...row, ...shared(row), isSystem: companyId === null, archivedAt: iso(row.archivedAt), instances: [] as unknown[] };
}

/** An instance row as the contract returns it, with its widget. */
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
