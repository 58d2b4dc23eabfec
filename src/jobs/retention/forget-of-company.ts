import { type CompanyKind, companyKinds, keptMs } from "../../core/retention.ts";
import { type CompanyDb, companyDb } from "../../db/client.ts";
import { sendQueueMessages } from "../../events/queues.ts";
import { MINUTE_MS } from "../../oee/time.ts";
import { boundsOf } from "./bounds.ts";
import { deleteDue } from "./delete-due.ts";
import { agedRows, claimCompany, releaseCompany, saveOldest, selectOldest } from "./queries.ts";
import { logForgotten, notForgotten, reasonOf } from "./report.ts";

/** Longer than a run lasts: if it was killed, another one may begin after this time. */
const CLAIM_MS = 2 * MINUTE_MS;

/**
 * Deletes the rows of a company whose period is over at `now` (epoch ms), until nothing is due or the run's bounds are reached: then it sends a message
 * for the rest. Does nothing while another run works on the company.
 * @throws if a kind failed, after doing the others; the next cron tries again
 */
export async function forgetOfCompany(env: Env, companyId: number, now: number): Promise<void> {
  const startedAt = Date.now();
  const db = companyDb(env, "first-primary");
  if (!(await claimCompany(db, companyId, startedAt + CLAIM_MS, startedAt))) return;
  const isAtEnd = boundsOf(env);
  const forgotten: Partial<Record<CompanyKind, number>> = {};
  const failures: string[] = [];
  const before = await readOldest(db, companyId);
  for (const kind of companyKinds) {
    try {
      const ageMs = keptMs(env, kind);
      const oldestAt = before.get(kind) ?? null;
      if (ageMs === null || oldestAt === null || oldestAt > now - ageMs) continue;
      forgotten[kind] = await deleteDue(db, agedRows[kind], now - ageMs, isAtEnd, companyId);
    } catch (error) {
      failures.push(reasonOf(kind, error));
    }
  }
  const isLeft = isAtEnd();
  const after = await readOldest(db, companyId);
  const saves = companyKinds.map((kind) => saveOldest(db, companyId, kind, after.get(kind) ?? now));
  await db.batch([releaseCompany(db, companyId), ...saves]);
  if (isLeft) await sendQueueMessages(env, [{ queue: "JOBS", body: { job: "forget", at: now, companyIds: [companyId] } }]);
  logForgotten({ companyId, ...forgotten }, failures, startedAt);
  if (failures.length > 0) throw notForgotten(failures);
}

/** Since when the oldest row of each kind is due, or will be; kinds without rows are missing. */
async function readOldest(db: CompanyDb, companyId: number): Promise<Map<CompanyKind, number>> {
  const [first, ...others] = companyKinds.map((kind) => selectOldest(db, agedRows[kind], companyId));
  const found = first ? await db.batch([first, ...others]) : [];
  const oldest = new Map<CompanyKind, number>();
  for (const [i, kind] of companyKinds.entries()) {
    const at = found[i]?.[0]?.at;
    if (at !== undefined) oldest.set(kind, at);
  }
  return oldest;
}
