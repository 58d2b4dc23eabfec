import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { type ImportedItem, setUpImportKinds } from "../values.ts";
import { json } from "./columns.ts";

/** The imports of set-up from files that changed something. The latest ones of a company are kept, so that they can be undone. */
export const setUpImports = sqliteTable(
  "set_up_imports",
  {
    id: integer("id").primaryKey(),
    companyId: integer("company_id").notNull(),
    userId: integer("user_id").notNull(),
    kind: text("kind", { enum: setUpImportKinds }).notNull(),
    created: integer("created").notNull(),
    changed: integer("changed").notNull(),
    unchanged: integer("unchanged").notNull(),
    faulty: integer("faulty").notNull(),
    createdAt: integer("created_at").notNull(),
    /** When it was last written: at the undo. */
    updatedAt: integer("updated_at").notNull(),
    undoneAt: integer("undone_at"),
  },
  (t) => [index("set_up_imports_company").on(t.companyId, t.id)],
);

/** The items of an import, in parts, because a row has a largest size. */
export const setUpImportItems = sqliteTable(
  "set_up_import_items",
  {
    importId: integer("import_id").notNull(),
    part: integer("part").notNull(),
    items: json<ImportedItem[]>("items").notNull(),
  },
  (t) => [primaryKey({ columns: [t.importId, t.part] })],
);
