import { FILLING, NEARLY_FULL, percentOf } from "../core/database-size.ts";
import { companyDb } from "../db/client.ts";
import { askSize } from "../db/size.ts";
import { notifySuperusers } from "./queries.ts";

/**
 * Logs a database that is filling, and notifies the superusers on the board when it is nearly full: once for each ten percent and month. Every answer
 * of the database has its size.
 */
export async function watchDatabaseSize(env: Env, now: number): Promise<void> {
  const db = companyDb(env, "first-primary");
  await askSize(db);
  const share = db.filled();
  if (share < FILLING) return;
  const percent = percentOf(share);
  console.error(JSON.stringify({ event: "database_filling", percent }));
  if (share < NEARLY_FULL) return;
  const month = new Date(now).toISOString().slice(0, 7);
  await notifySuperusers(db, {
    key: `database:${Math.floor(percent / 10) * 10}:${month}`,
    title: `The database is ${percent} % full`,
    body: "At 80 % there are no new companies, at 98 % nothing can be changed. See “The database is filling” in docs/operations.md.",
    at: now,
  });
}
