import { companyOf } from "../../core/actor.ts";
import type { Caller } from "../../core/caller.ts";
import { conflict, notFound } from "../../core/problem.ts";
import { write } from "../../core/write.ts";
import { sendQueueMessages } from "../../events/queues.ts";
import { SECOND_MS } from "../../oee/time.ts";
import { logOf } from "./log.ts";
import { insertLogs, type LogRow, selectFreshLog, selectSubscription } from "./queries.ts";
import { newestPeriod, previewReport, titleOf } from "./runs.ts";

/** The minimum time between two runs of a report: each run sends it to all recipients. */
const PAUSE_MS = 10 * SECOND_MS;

/** Runs a report of the newest period now, even if the subscription is not active. Returns its log. */
export async function runReportNow(caller: Caller, id: string) {
  const { db, actor } = caller;
  const now = Date.now();
  const { answer } = await write(
    caller,
    (db) => [selectSubscription(db, id, companyOf(actor)), selectFreshLog(db, id, now - PAUSE_MS)],
    async ([subscription], fresh) => {
      if (!subscription) throw noSubscription(id);
      if (fresh.length > 0) throw conflict("The report was sent in the last 10 seconds: wait a moment.");
      const newest = await newestPeriod(db, subscription, now);
      if (!newest) throw conflict("There is nothing to report yet: none of its shifts has ended.");
      const { shift, start, end } = newest;
      const title =
        subscription.kind === "shift" ? (shift?.name ?? "") : titleOf(subscription.kind, { start, end }, subscription.timezone);
      const log: LogRow = {
        ...{ id: crypto.randomUUID(), subscriptionId: id, status: "scheduled", detail: "", shiftTitle: title },
        ...{ periodStart: start, periodEnd: end, shiftId: shift?.id ?? null, attempts: 0, calledIds: [] },
        ...{ nextAttemptAt: now, executeAt: now, executedAt: null, createdAt: now, updatedAt: now, deletedAt: null },
      };
      return {
        rows: insertLogs(db, [log]),
        audit: {
          action: "report-subscription.run",
          companyId: subscription.companyId,
          objectId: id,
          before: null,
          after: { logId: log.id },
        },
        answer: logOf(log),
      };
    },
  );
  caller.afterwards(sendQueueMessages(caller.env, [{ queue: "REPORTS", body: { logId: answer.id } }]));
  return answer;
}

/** The report of the newest period as HTML, or a page that says that there is none. */
export async function previewSubscription({ env, db, actor }: Caller, id: string): Promise<string> {
  const [subscription] = await selectSubscription(db, id, companyOf(actor));
  if (!subscription) throw noSubscription(id);
  return await previewReport({ env, db, now: Date.now() }, subscription);
}

function noSubscription(id: string) {
  return notFound(`There is no subscription ${id}.`);
}
