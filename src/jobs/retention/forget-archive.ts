import { type ArchivedKind, keyOf, prefixOf } from "../../core/archive/parts.ts";
import type { CompanyDb } from "../../db/client.ts";
import { STORAGE_MS, within } from "../../limits/load.ts";
import { deletePart, selectOldParts } from "./queries.ts";

/** The most parts that are deleted at once. */
const PARTS_AT_ONCE = 100;

/** Deletes the parts of days up to `until` (epoch ms): their objects, and then what the database knows of them. Returns how many. */
export async function forgetArchive(
  env: Env,
  db: CompanyDb,
  { companyId, kind, until }: { companyId: number; kind: ArchivedKind; until: number },
  isAtEnd: () => boolean,
): Promise<number> {
  let deleted = 0;
  while (!isAtEnd()) {
    const parts = await selectOldParts(db, companyId, kind, until, PARTS_AT_ONCE);
    const [first, ...others] = parts.map((part) => deletePart(db, part));
    if (!first) break;
    await within(STORAGE_MS, "the bucket", env.ARCHIVE.delete(parts.map(keyOf)));
    await db.batch([first, ...others]);
    deleted += parts.length;
  }
  return deleted;
}

/** Deletes all objects of a deleted company, and what the database knows of them. Returns how many objects there were. */
export async function forgetWholeArchive(
  env: Env,
  db: CompanyDb,
  { companyId, kind }: { companyId: number; kind: ArchivedKind },
  isAtEnd: () => boolean,
): Promise<number> {
  let deleted = 0;
  while (!isAtEnd()) {
    const { objects } = await within(STORAGE_MS, "the bucket", env.ARCHIVE.list({ prefix: prefixOf({ companyId, kind }) }));
    if (objects.length === 0) break;
    await within(STORAGE_MS, "the bucket", env.ARCHIVE.delete(objects.map(({ key }) => key)));
    deleted += objects.length;
  }
  await forgetArchive(env, db, { companyId, kind, until: Number.MAX_SAFE_INTEGER }, isAtEnd);
  return deleted;
}
