import { and, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { CompanyDb } from "../../db/client.ts";
import { ifGiven } from "../../db/conditions.ts";
import { isAsRead, isUnchanged } from "../../db/expect.ts";
import { tagKeys } from "../../db/schema.ts";
import type { TagQuery } from "./query.ts";

export type TagRow = typeof tagKeys.$inferSelect;

/** The unique key of a tag: a company has at most one tag per subject and key. */
export type TagKey = Pick<TagRow, "companyId" | "subject" | "tagKey">;

/** The statement that reads a company's tag. */
export function selectTag(db: CompanyDb, companyId: number, id: string) {
  return db
    .select()
    .from(tagKeys)
    .where(and(eq(tagKeys.id, id), eq(tagKeys.companyId, companyId)));
}

/** The statement that reads the tag of a subject and key. */
export function selectTagOfKey(db: CompanyDb, key: TagKey) {
  return db.select().from(tagKeys).where(isOfKey(key));
}

/** Condition: the tag is unchanged since it was read. */
export function isSameTag(tag: TagRow): SQL {
  return isUnchanged(tagKeys, tag);
}

/** Condition: the tag of a subject and key is unchanged since it was read. */
export function isSameTagOfKey(key: TagKey, tag: TagRow | undefined): SQL {
  return isAsRead(tagKeys, isOfKey(key), tag);
}

/** The statement that stores a new tag. */
export function insertTag(db: CompanyDb, tag: TagRow) {
  return db.insert(tagKeys).values(tag);
}

/** The statement that replaces a tag. */
export function updateTag(db: CompanyDb, { id, ...values }: TagRow) {
  return db.update(tagKeys).set(values).where(eq(tagKeys.id, id));
}

/** The tags that match a query, sorted by subject and key. Reads one more than the limit. */
export function selectTags(db: CompanyDb, { companyId, subject, cursor, limit }: TagQuery) {
  const { createdAt: _, updatedAt: __, ...shown } = getTableColumns(tagKeys);
  return db
    .select(shown)
    .from(tagKeys)
    .where(
      and(
        ifGiven(tagKeys.companyId, companyId),
        subject && eq(tagKeys.subject, subject),
        cursor && sql`(${tagKeys.subject}, ${tagKeys.tagKey}) > (${cursor[0]}, ${cursor[1]})`,
      ),
    )
    .orderBy(tagKeys.subject, tagKeys.tagKey)
    .limit(limit + 1);
}

function isOfKey({ companyId, subject, tagKey }: TagKey) {
  return and(eq(tagKeys.companyId, companyId), eq(tagKeys.subject, subject), eq(tagKeys.tagKey, tagKey));
}
