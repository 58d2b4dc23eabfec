import { getTableColumns } from "drizzle-orm";
import { widgets } from "../../../db/schema.ts";
import { isFavoritedJson } from "../../widgets/queries.ts";
import type { SetUpTable } from "../queries.ts";

export type WidgetRow = typeof widgets.$inferSelect & { isFavorited: boolean };

const { id, companyId, updatedAt, deletedAt } = widgets;

export const widgetTable: SetUpTable<WidgetRow> = {
  ...{ table: widgets, id, companyId, updatedAt, deletedAt },
  columns: getTableColumns(widgets),
  newId: () => crypto.randomUUID(),
  extras: ({ userId }) => ({ isFavorited: isFavoritedJson(widgets, userId) }),
  hasSystemRows: true,
};
