import { FILE_KEPT_MS, keyOf } from "../../api/ingest/imports/import.ts";
import { findOldFiles, forgetFiles } from "../../api/ingest/imports/queries.ts";
import { companyDb } from "../../db/client.ts";
import { STORAGE_MS, within } from "../../limits/load.ts";

/** The errors of each are deleted with it, in one statement. */
const FILES_PER_RUN = 10;

/** Deletes the files of imports, and their errors, that are over their period. Returns how many. */
export async function forgetImports(env: Env, now: number): Promise<number> {
  const db = companyDb(env, "first-primary");
  const old = await findOldFiles(db, now - FILE_KEPT_MS, FILES_PER_RUN);
  if (old.length === 0) return 0;
  await within(STORAGE_MS, "the bucket", env.ARCHIVE.delete(old.map(keyOf)));
  await forgetFiles(
    db,
    old.map(({ id }) => id),
    now,
  );
  return old.length;
}
