import { continueImport, discard } from "../api/ingest/imports/imports.ts";
import { findStalled } from "../api/ingest/imports/queries.ts";
import { companyDb } from "../db/client.ts";
import { MINUTE_MS } from "../oee/time.ts";

/** A run ends, or records that it went on, in less time than that. */
const STALLED_MS = MINUTE_MS;
/** The longest time between two parts of a file that arrives. */
const LOST_MS = 20 * MINUTE_MS;

/** Has imports go on whose message was lost or whose run failed, and deletes what is left of files that did not arrive. */
export async function resumeImports(env: Env, now: number): Promise<void> {
  const db = companyDb(env, "first-primary");
  for (const row of await findStalled(db, now - STALLED_MS)) {
    if (row.state !== "receiving") await continueImport(env, row.companyId);
    else if (row.updatedAt <= now - LOST_MS) await discard(env, db, row);
  }
}
