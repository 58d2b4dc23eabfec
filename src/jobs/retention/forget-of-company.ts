import type { ArchivedKind } from "../../core/archive/parts.ts";
import { type CompanyKind, companyKinds, dueOf, untilOf } from "../../core/retention.ts";
import { type CompanyDb, companyDb } from "../../db/client.ts";
import { sendQueueMessages } from "../../events/queues.ts";
import { MINUTE_MS } from "../../oee/time.ts";
import type { Archivable } from "./archivable.ts";
import { archivableAudit } from "./archivable-audit.ts";
import { archivableEvents } from "./archivable-events.ts";
import { archiveDue } from "./archive-days.ts";
import { boundsOf } from "./bounds.ts";
import { deleteDueOf } from "./delete-due.ts";
import { forgetArchive, forgetWholeArchive } from "./forget-archive.ts";
import { agedRows, claimCompany, releaseCompany, saveOldest, selectDeletedAt, selectOldest } from "./queries.ts";
import { logForgotten, notForgotten, reasonOf } from "./report.ts";

/** The kinds that are moved to the archive, and those that are in it. */
const archivables: Partial<Record<CompanyKind, (env: Env) => Archivable>> = {
  audit: () => archivableAudit,
  events: archivableEvents,
};
const archived: Partial<Record<CompanyKind, ArchivedKind>> = { archivedAudit: "audit", archivedEvents: "events" };

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
  const [company] = await selectDeletedAt(db, companyId);
  const isDeleted = company?.deletedAt != null;
  const before = await readOldest(db, companyId);
  for (const kind of companyKinds) {
    try {
      const inArchive = archived[kind];
      if (isDeleted && inArchive) {
        forgotten[kind] = await forgetWholeArchive(env, db, { companyId, kind: inArchive }, isAtEnd);
        continue;
      }
      const due = dueOf(env, kind, now);
      const oldestAt = before.get(kind) ?? null;
      if (due === null || oldestAt === null || oldestAt > untilOf(due, companyId)) continue;
      if (isAtEnd() && Object.keys(forgotten).length > 0) break;
      forgotten[kind] = await forgetKind(env, db, { kind, companyId, until: untilOf(due, companyId), isDeleted }, isAtEnd);
    } catch (error) {
      failures.push(reasonOf(kind, error));
    }
  }
  const isCut = isAtEnd();
  const after = await readOldest(db, companyId);
  const saves = companyKinds.map((kind) => saveOldest(db, companyId, kind, after.get(kind) ?? now));
  await db.batch([releaseCompany(db, companyId), ...saves]);
  const deleted = Object.values(forgotten).reduce((sum, rows) => sum + rows, 0);
  // A run that has deleted nothing would be followed by another one like it.
  if (isCut && deleted > 0)
    await sendQueueMessages(env, [{ queue: "JOBS", body: { job: "forget", at: now, companyIds: [companyId] } }]);
  logForgotten({ companyId, ...forgotten }, failures, startedAt);
  if (failures.length > 0) throw notForgotten(failures);
}

interface ToForget {
  kind: CompanyKind;
  companyId: number;
  until: number;
  /** Whether the company is deleted, so that nothing of it is archived. */
  isDeleted: boolean;
}

/** Deletes or moves the rows of a kind that are due, until none is left or the run is at its end. Returns how many. */
async function forgetKind(
  env: Env,
  db: CompanyDb,
  { kind, companyId, until, isDeleted }: ToForget,
  isAtEnd: () => boolean,
): Promise<number> {
  const [archivable, inArchive] = [archivables[kind], archived[kind]];
  if (archivable && !isDeleted) return await archiveDue(env, db, archivable(env), { companyId, until }, isAtEnd);
  if (inArchive) return await forgetArchive(env, db, { companyId, kind: inArchive, until }, isAtEnd);
  return await deleteDueOf(db, agedRows[kind], until, isAtEnd, companyId);
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
