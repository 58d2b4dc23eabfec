import { tooManyRequests } from "../../core/problem.ts";
import type { DirectoryDb } from "../../db/client.ts";
import { countUp, windowMs } from "../../directory/attempts.ts";

/**
 * Counts an attempt under a key, such as a code that was entered. `uncount` takes it back.
 * @throws Problem 429 with `detail` if there were `most` in the last 15 minutes
 */
export async function countAttempt(directory: DirectoryDb, key: string, most: number, detail: string): Promise<void> {
  const now = Date.now();
  const [, counted, [first]] = await directory.batch(countUp(directory, key, most, now));
  if (counted.length === 0) throw tooManyRequests(detail, ((first?.since ?? now) + windowMs - now) / 1000);
}
