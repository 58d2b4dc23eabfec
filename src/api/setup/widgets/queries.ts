import { getTableColumns, type SQL, sql } from "drizzle-orm";
import { widgets } from "../../../db/schema.ts";
import { isFavorite, isFavoriteOf, type WidgetRow } from "../../widgets/queries.ts";
import type { Viewed } from "../../widgets/shapes.ts";
import { jsonMembers, type SetUpTable, type Viewer } from "../queries.ts";

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
