import { and, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../db/client.ts";
import { companies, tagKeys, tagSubjects } from "../../db/schema.ts";
import type { keepAnswer } from "../../http/idempotency.ts";
import type { Audit } from "../../http/old-audit.ts";
import type { TagQuery } from "./list-tags.ts";

export { tagSubjects };

/** What a caller says about a tag. */
export interface TagDefinition {
  companyId: number;
  sort: number;
  subject: (typeof tagSubjects)[number];
  tagKey: string;
  description: string;
  color: string;
  isDefault: boolean;
}

/** Gives the statements that keep an answer (an expression) once a condition holds. */
type Keep = (answer: SQL, condition: SQL) => ReturnType<typeof keepAnswer>;

/** Creates or replaces the company's tag of this subject and key: one trip. Gives it as JSON; undefined: no such company. */
export async function saveTag(db: Db, tag: TagDefinition, keep: Keep, audit: Audit, now: number): Promise<string | undefined> {
  const { companyId, sort, subject, tagKey, description, color, isDefault } = tag;
  const isSaved = sql`${tagKeys.companyId} = ${companyId} AND ${tagKeys.subject} = ${subject} AND ${tagKeys.tagKey} = ${tagKey}`;
  const newId = crypto.randomUUID();
  const objectId = sql`coalesce(${tagKeys.id}, ${newId})`;
  const before = sql`iif(${tagKeys.id} IS NULL, NULL, ${shownJson})`;
  const after = sql`json_set(${sentJson(tag)}, '$.id', ${objectId}, '$.tagValue', coalesce(${tagKeys.tagValue}, ''))`;
  const [, [saved]] = await db.batch([
    audit(
      { action: "tag.save", companyId, objectId, before, after },
      sql`FROM ${companies} LEFT JOIN ${tagKeys} ON ${isSaved} WHERE ${companies.id} = ${companyId}`,
    ),
    db
      .insert(tagKeys)
      .select(
        sql`SELECT ${newId}, ${companies.id}, ${sort}, ${subject}, ${tagKey}, '', ${description}, ${color},
          ${isDefault}, ${now}, ${now} FROM ${companies} WHERE ${companies.id} = ${companyId}`,
      )
      .onConflictDoUpdate({
        target: [tagKeys.companyId, tagKeys.subject, tagKeys.tagKey],
        set: { sort, description, color, isDefault, updatedAt: now },
      })
      .returning({ answer: answerOf(tag).as("answer") }),
    ...keep(keptAnswer(tag, isSaved), exists(isSaved)),
  ]);
  return saved?.answer;
}

/**
 * Replaces the company's tag of this id: one trip.
 * @returns the tag as JSON, or why nothing changed: it is not there, or another tag has its new subject and key
 */
export async function changeTag(db: Db, id: string, tag: TagDefinition, keep: Keep, audit: Audit, now: number) {
  const { companyId, sort, subject, tagKey, description, color, isDefault } = tag;
  const isTag = and(eq(tagKeys.id, id), eq(tagKeys.companyId, companyId));
  const isChangeable = sql`${isTag} AND NOT EXISTS (SELECT 1 FROM ${tagKeys} AS other WHERE other.company_id = ${companyId}
    AND other.subject = ${subject} AND other.tag_key = ${tagKey} AND other.id <> ${id})`;
  const [, [changed], [found]] = await db.batch([
    audit(
      { action: "tag.save", companyId, objectId: id, before: shownJson, after: answerOf(tag) },
      sql`FROM ${tagKeys} WHERE ${isChangeable}`,
    ),
    db
      .update(tagKeys)
      .set({ sort, subject, tagKey, description, color, isDefault, updatedAt: now })
      .where(isChangeable)
      .returning({ answer: answerOf(tag).as("answer") }),
    db.select({ id: tagKeys.id }).from(tagKeys).where(isTag),
    ...keep(keptAnswer(tag, isChangeable), exists(isChangeable)),
  ]);
  if (changed) return { answer: changed.answer };
  return { refusal: found ? ("taken" as const) : ("not_found" as const) };
}

/** The tags that a query selects, by subject and key, one more than its limit. One trip. */
export function listTags(db: Db, { companyId, subject, cursor, limit }: TagQuery) {
  const { createdAt: _, updatedAt: __, ...shown } = getTableColumns(tagKeys);
  return db
    .select(shown)
    .from(tagKeys)
    .where(
      and(
        companyId === undefined ? undefined : eq(tagKeys.companyId, companyId),
        subject && eq(tagKeys.subject, subject),
        cursor && sql`(${tagKeys.subject}, ${tagKeys.tagKey}) > (${cursor[0]}, ${cursor[1]})`,
      ),
    )
    .orderBy(tagKeys.subject, tagKeys.tagKey)
    .limit(limit + 1);
}

/** The tag as JSON text: what was sent, with the id and the value that the row has. */
function answerOf(tag: TagDefinition): SQL<string> {
  return sql<string>`json_set(${sentJson(tag)}, '$.id', ${tagKeys.id}, '$.tagValue', ${tagKeys.tagValue})`;
}

function sentJson({ companyId, sort, subject, tagKey, description, color, isDefault }: TagDefinition): string {
  return JSON.stringify({ id: "", companyId, sort, subject, tagKey, tagValue: "", description, color, isDefault });
}

/** A tag as it is shown, of its row. */
const shownJson: SQL = sql`json_object('id', ${tagKeys.id}, 'companyId', ${tagKeys.companyId}, 'sort', ${tagKeys.sort},
  'subject', ${tagKeys.subject}, 'tagKey', ${tagKeys.tagKey}, 'tagValue', ${tagKeys.tagValue},
  'description', ${tagKeys.description}, 'color', ${tagKeys.color}, 'isDefault', json(iif(${tagKeys.isDefault}, 'true', 'false')))`;

function keptAnswer(tag: TagDefinition, condition: SQL): SQL {
  return sql`(SELECT ${answerOf(tag)} FROM ${tagKeys} WHERE ${condition})`;
}

function exists(condition: SQL): SQL {
  return sql`EXISTS (SELECT 1 FROM ${tagKeys} WHERE ${condition})`;
}
