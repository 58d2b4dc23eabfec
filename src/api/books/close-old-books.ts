import { auditRow, byService } from "../../core/audit.ts";
import { takenId } from "../../core/sequence.ts";
import { companyDb } from "../../db/client.ts";
import { expect } from "../../db/expect.ts";
import { MINUTE_MS } from "../../oee/time.ts";
import { localDay, localToUtc } from "../../oee/zone.ts";
import { auditedClosing } from "./closing.ts";
import { findingsOf } from "./findings.ts";
import {
  areBooksAt,
  findLockDue,
  insertClosing,
  insertEntry,
  selectFindings,
  selectRecalculating,
  selectUnderWay,
  setNextLock,
  takeClosingId,
} from "./queries.ts";

/** How long a closing waits for numbers that are being recalculated. */
const PAUSE_MS = 5 * MINUTE_MS;

/**
 * Begins to close what is older than the days that a company has set, once a day: when the day of its plant begins. What people have left open is noted,
 * and waits for nobody. Its machines follow as in any closing (`advanceClosings`). May be repeated.
 */
export async function closeOldBooks(env: Env, companyId: number): Promise<void> {
  const db = companyDb(env, "first-primary");
  const now = Date.now();
  const company = await findLockDue(db, companyId, now);
  if (!company || company.lockAfterDays === null) return;
  const { timezone, lockAfterDays, lockedTo } = company;
  const today = localDay(timezone, now);
  const to = localToUtc(timezone, today - lockAfterDays, 0);
  const tomorrow = localToUtc(timezone, today + 1, 0);
  if (to <= lockedTo) return void (await setNextLock(db, companyId, tomorrow));
  const [underWay, [recalculating]] = await db.batch([selectUnderWay(db, companyId), selectRecalculating(db, companyId)]);
  if (underWay.length > 0 || recalculating?.count !== 0) return void (await setNextLock(db, companyId, now + PAUSE_MS));
  const [[found], taken] = await db.batch([selectFindings(db, companyId, { from: lockedTo, to }), takeClosingId(db)]);
  const closing = {
    ...{ id: takenId(db, taken), companyId, fromAt: lockedTo, toAt: to, state: "closing" as const, reason: null },
    ...{ isForced: true, findings: findingsOf(found), createdAt: now, createdBy: null, nextAt: now },
  };
  const entry = {
    action: "book-closing.create" as const,
    companyId,
    objectId: closing.id,
    before: null,
    after: auditedClosing(closing),
  };
  await db.batch([
    expect(db, [areBooksAt(companyId, lockedTo)]),
    ...insertClosing(db, closing),
    insertEntry(db, auditRow(byService(companyId), entry)),
    setNextLock(db, companyId, tomorrow),
  ]);
}
