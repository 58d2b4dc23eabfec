import { companyDb } from "../../db/client.ts";
import { STORAGE_MS, within } from "../../limits/load.ts";
import { DAY_MS, MINUTE_MS } from "../../oee/time.ts";
import { markUnused } from "../queries.ts";

/** The interval of the cron. Each run checks one of 256 parts: the keys with the same first two digits. */
const runsEveryMs = 10 * MINUTE_MS;
const parts = 256;

/** The prefix of the keys that the run at an instant checks. Keys are hashes, so the parts are of about equal size. */
export function partAt(now: number): string {
  return (Math.floor(now / runsEveryMs) % parts).toString(16).padStart(2, "0");
}

/**
 * Deletes the unused pictures of one part that are at least a day old: an upload stores its picture before the row that shows it. Returns the number
 * of deleted pictures.
 */
export async function forgetPictures(env: Env, now: number): Promise<number> {
  const prefix = partAt(now);
  let forgotten = 0;
  let cursor: string | undefined;
  do {
    const listed = env.THUMBNAILS.list({ prefix, ...(cursor !== undefined && { cursor }) });
    const page = await within(STORAGE_MS, "the bucket", listed);
    const old = page.objects.filter(({ uploaded }) => uploaded.getTime() <= now - DAY_MS);
    const unused = await markUnused(
      companyDb(env),
      old.map(({ key }) => key),
      Date.now(),
    );
    if (unused.length > 0) await within(STORAGE_MS, "the bucket", env.THUMBNAILS.delete(unused));
    forgotten += unused.length;
    cursor = page.truncated ? page.cursor : undefined;
  } while (cursor !== undefined);
  return forgotten;
}
