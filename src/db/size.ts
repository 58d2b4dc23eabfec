import { sql } from "drizzle-orm";
import type { CompanyDb } from "./client.ts";

/** Asks the database for nothing but its size, which is in every answer: `db.filled()` has it afterwards. */
export async function askSize(db: CompanyDb): Promise<void> {
  await db.get(sql`SELECT 1`);
}
