import { STORAGE_MS, within } from "../core/load.ts";
import { openDb } from "../db/client.ts";
import { DAY_MS, MINUTE_MS } from "../oee/time.ts";
import { markUnshown } from "./queries.ts";

/** As the cron has it: each run looks through one of the 256 parts that the first two digits of the keys make. */
const runsEveryMs = 10 * MINUTE_MS;
const parts = 256;

/** Where the keys begin that the run at an instant looks at. Keys are hashes, so each beginning has about as many. */
export function partAt(now: number): string {
  return (Math.floor(now / runsEveryMs) % parts).toString(16).padStart(2, "0");
}

/**
 * Deletes the pictures of one part that nothing shows and that are a day old or more: an upload stores its picture before
 * the row that shows it. Gives how many.
 */
export async function forgetPictures(env: Env, now: number): Promise<number> {
  const prefix = partAt(now);
  let forgotten = 0;
  let cursor: string | undefined;
  do {
    const listed = env.THUMBNAILS.list({ prefix, ...(cursor !== undefined && { cursor }) });
    const page = await within(STORAGE_MS, "the bucket", listed);
    const old = page.objects.filter(({ uploaded }) => uploaded.getTime() <= now - DAY_MS);
    const unshown = await markUnshown(
      openDb(env),
      old.map(({ key }) => key),
      Date.now(),
    );
    if (unshown.length > 0) await within(STORAGE_MS, "the bucket", env.THUMBNAILS.delete(unshown));
    forgotten += unshown.length;
    cursor = page.truncated ? page.cursor : undefined;
  } while (cursor !== undefined);
  return forgotten;
}
