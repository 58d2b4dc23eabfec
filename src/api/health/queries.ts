import { sql } from "drizzle-orm";
import type { Db } from "../../db/client.ts";

/** Resolves if the database answers. */
export async function probe(db: Db): Promise<void> {
  await db.run(sql`select 1`);
}
