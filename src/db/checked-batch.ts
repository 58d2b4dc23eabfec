import { type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Db } from "./client.ts";

/** A rule that the database itself checks, in the transaction of a write. */
export interface Check {
  /** A scalar: null while the rule holds, otherwise what speaks against it. */
  finds: SQL;
}

/** A check that failed, and what it found. */
export interface Failed<C extends Check> {
  check: C;
  found: string | number;
}

/**
 * Runs statements as one transaction if every check holds, in one trip. Otherwise nothing is done, and a second trip
 * asks which checks fail: none, when the reason has passed in between.
 */
export async function checkedBatch<C extends Check>(
  db: Db,
  checks: readonly C[],
  statements: readonly BatchItem<"sqlite">[],
): Promise<{ results: unknown[][] } | { failed: Failed<C>[] }> {
  try {
    const [, ...results] = await db.batch([guard(db, checks), ...statements]);
    return { results: results as unknown[][] };
  } catch (error) {
    if (!String(error).includes("malformed JSON")) throw error;
    return { failed: await failedOf(db, checks) };
  }
}

/** Is an error unless every check holds, which takes the batch back. */
function guard(db: Db, checks: readonly Check[]) {
  const hold = sql.join(
    checks.map(({ finds }) => sql`(${finds}) IS NULL`),
    sql` AND `,
  );
  return db.select({ hold: sql`json(CASE WHEN ${hold} THEN 'true' ELSE '' END)`.as("hold") }).from(sql`(SELECT 1)`);
}

async function failedOf<C extends Check>(db: Db, checks: readonly C[]): Promise<Failed<C>[]> {
  const columns = checks.map(({ finds }, i) => [`found_${i}`, sql<string | number | null>`(${finds})`.as(`found_${i}`)] as const);
  const [row] = await db.select(Object.fromEntries(columns)).from(sql`(SELECT 1)`);
  return checks.flatMap((check, i) => {
    const found = row?.[`found_${i}`] ?? null;
    return found === null ? [] : [{ check, found }];
  });
}
