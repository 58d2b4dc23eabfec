import { real, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { tagSubjects } from "../values.ts";
import { createdAt, flag, updatedAt } from "./columns.ts";
import { companyId } from "./company-id.ts";

export const tagKeys = sqliteTable(
  "tag_keys",
  {
    id: text("id").primaryKey(),
    companyId,
    sort: real("sort").notNull(),
    subject: text("subject", { enum: tagSubjects }).notNull(),
    tagKey: text("tag_key").notNull(),
    tagValue: text("tag_value").notNull().default(""),
    description: text("description").notNull(),
    color: text("color").notNull(),
    isDefault: flag("is_default").notNull(),
    createdAt,
    updatedAt,
  },
  (t) => [uniqueIndex("tag_keys_key").on(t.companyId, t.subject, t.tagKey)],
);
