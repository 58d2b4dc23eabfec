import { isNotNull, sql } from "drizzle-orm";
import { pairingMs } from "../../api/access/pairings/pairings.ts";
import { forgettingMs } from "../../api/widgets/thumbnails.ts";
import { keptForMs } from "../../core/idempotency.ts";
import { keptMs, type SharedKind, sharedKinds } from "../../core/retention.ts";
import { type AnyDb, type CompanyDb, companyDb, type DirectoryDb, directoryDb } from "../../db/client.ts";
import {
  forgottenPictures,
  idempotencyKeys,
  notifications,
  recalculations,
  reportContents,
  subscriptionLogs,
} from "../../db/schema.ts";
import { agedAttempts, agedDeadLetters, agedFailures, agedPairings } from "../../directory/aged-rows.ts";
import { knownMs, windowMs } from "../../directory/attempts.ts";
import { sendQueueMessages } from "../../events/queues.ts";
import { DAY_MS } from "../../oee/time.ts";
import { boundsOf } from "./bounds.ts";
import { deleteDue } from "./delete-due.ts";
import { forgetImports } from "./forget-imports.ts";
import { forgetPictures } from "./forget-pictures.ts";
import { type AgedRows, saveOldest, selectOldest } from "./queries.ts";
import { logForgotten, notForgotten, reasonOf } from "./report.ts";

/** Rows that are found by their time alone. `keptMs`: null: for ever. */
interface SharedRows extends AgedRows {
  keptMs(env: Env): number | null;
  isOfDirectory?: boolean;
}

const kept = (kind: SharedKind) => ({ keptMs: (env: Env) => keptMs(env, kind) });
const keptFor = (ms: number) => ({ keptMs: () => ms });
const ofDirectory = { isOfDirectory: true };

/** How long the result of a dry run is kept. */
const dryRunMs = 7 * DAY_MS;

const shared = {
  idempotencyKeys: { table: idempotencyKeys, time: idempotencyKeys.createdAt, ...keptFor(keptForMs) },
  directoryKeys: { table: idempotencyKeys, time: idempotencyKeys.createdAt, ...keptFor(keptForMs), ...ofDirectory },
  loginFailures: { ...agedFailures, ...keptFor(windowMs), ...ofDirectory },
  knownAddresses: { ...agedAttempts, ...keptFor(knownMs), ...ofDirectory },
  // Not at once: until then a wall that polls gets the answer that its code has expired.
  wallPairings: { ...agedPairings, ...keptFor(pairingMs), ...ofDirectory },
  notifications: { table: notifications, time: notifications.createdAt, ...kept("notifications") },
  recalculations: {
    ...{ table: recalculations, time: recalculations.endedAt, of: isNotNull(recalculations.endedAt) },
    ...kept("recalculations"),
  },
  dryRuns: {
    ...{ table: recalculations, time: recalculations.endedAt },
    of: sql`${recalculations.endedAt} IS NOT NULL AND ${recalculations.isDryRun} = 1`,
    ...keptFor(dryRunMs),
  },
  subscriptionLogs: { table: subscriptionLogs, time: subscriptionLogs.executeAt, ...kept("subscriptionLogs") },
  deadLetters: { ...agedDeadLetters, ...kept("deadLetters"), ...ofDirectory },
  reportContents: { table: reportContents, time: reportContents.createdAt, ...kept("reportContents") },
  pictureMarks: { table: forgottenPictures, time: forgottenPictures.at, ...keptFor(forgettingMs) },
} as const satisfies Record<SharedKind | string, SharedRows>;

/** What has no company, in the table that says what is the oldest. */
const NO_COMPANY = 0;

/**
 * Deletes the rows that are not found by their company and whose period is over at `now` (epoch ms), and pictures that nothing shows, until nothing is
 * due or the run's bounds are reached: then it sends a message for the rest.
 * @throws if a kind failed, after doing the others; the next cron tries again
 */
export async function forgetShared(env: Env, now: number): Promise<void> {
  const startedAt = Date.now();
  const isAtEnd = boundsOf(env);
  const [db, directory] = [companyDb(env, "first-primary"), directoryDb(env)];
  const forgotten: Record<string, number> = {};
  const failures: string[] = [];
  const attempt = async (name: string, work: () => Promise<number>) => {
    try {
      forgotten[name] = await work();
    } catch (error) {
      failures.push(reasonOf(name, error));
    }
  };
  await attempt("pictures", () => forgetPictures(env, now));
  await attempt("imports", () => forgetImports(env, now));
  for (const [name, rows] of Object.entries<SharedRows>(shared)) {
    await attempt(name, async () => {
      const ageMs = rows.keptMs(env);
      const own: AnyDb = rows.isOfDirectory ? directory : db;
      return ageMs === null ? 0 : await deleteDue(own, rows, now - ageMs, isAtEnd);
    });
  }
  const deleted = Object.values(forgotten).reduce((sum, rows) => sum + rows, 0);
  // A run that has deleted nothing would be followed by another one like it.
  if (isAtEnd() && deleted > 0) await sendQueueMessages(env, [{ queue: "JOBS", body: { job: "forgetShared", at: now } }]);
  await noteOldest(db, directory, now).catch((error) => failures.push(reasonOf("oldest", error)));
  logForgotten(forgotten, failures, startedAt);
  if (failures.length > 0) throw notForgotten(failures);
}

/** Stores since when the oldest row of each kind is due, or will be: `/health` reads it. */
async function noteOldest(db: CompanyDb, directory: DirectoryDb, now: number): Promise<void> {
  const found = await Promise.all(
    sharedKinds.map(async (kind) => {
      const rows: SharedRows = shared[kind];
      const [oldest] = await selectOldest(rows.isOfDirectory ? directory : db, rows);
      return { kind, at: oldest?.at ?? now };
    }),
  );
  const [first, ...others] = found.map(({ kind, at }) => saveOldest(db, NO_COMPANY, kind, at));
  if (first) await db.batch([first, ...others]);
}
