import type { CompanyDb } from "../../db/client.ts";
import type { EventConsumer } from "../../events/consumer.ts";
import type { StoredEvent } from "../../events/event.ts";
import type { QueueMessage } from "../../events/queues.ts";
import { append } from "../../oee/extremes.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../oee/time.ts";
import {
  findDueLogs,
  findDueSubscriptions,
  insertLogs,
  insertScheduledLogs,
  type ScheduledRun,
  type SubscriptionRow,
  selectClosedShifts,
  selectShiftNames,
  selectShiftSubscriptions,
  setNextRuns,
} from "./queries.ts";
import { nextRunAfter, periodBefore } from "./run-times.ts";
import { titleOf } from "./runs.ts";

// How runs are scheduled: those after shifts by the events of machines, daily and weekly ones by the clock.

/** The delay of a report after the first machine has closed the shift: others close it at the same moment. */
const AFTER_SHIFT_MS = MINUTE_MS;
/** Shifts that ended earlier are history that was loaded later. */
const OLDEST_MS = 7 * DAY_MS;
/** Subscriptions per commit, and the maximum number of commits of a run; the next run continues. */
const PER_COMMIT = 100;
const COMMITS_PER_RUN = 100;
/** The maximum number of runs for which a message is sent; the next minute sends those of the others. */
const MOST_DUE = PER_COMMIT * COMMITS_PER_RUN;
/** The maximum number of missed periods that are logged one by one. */
const MOST_MISSED = 31;

interface ClosedShift {
  recordId: number;
  machineId: number;
  shiftId: number;
  start: number;
  end: number;
}

/** Schedules the reports of shifts that machines closed: one run per subscription and occurrence, however many machines close it. */
export const queueReports: EventConsumer = async ({ db, companyId, now }, events) => {
  const closed = events.flatMap((event) => closedShiftOf(event) ?? []).filter(({ end }) => end > now - OLDEST_MS);
  if (closed.length === 0) return { rows: [], queueMessages: [] };
  const recordIds = closed.map(({ recordId }) => recordId);
  const [subscriptions, records, shifts] = await db.batch([
    selectShiftSubscriptions(db, companyId),
    selectClosedShifts(db, recordIds),
    selectShiftNames(
      db,
      closed.map(({ shiftId }) => shiftId),
    ),
  ]);
  const nameOf = new Map(shifts.map(({ id, name }) => [id, name]));
  const endOf = new Map(records.map(({ id, endAt }) => [id, endAt]));
  // A machine that was decommissioned in the shift closes it early: the report waits for the others.
  const ended = closed.filter(({ recordId, end }) => end >= (endOf.get(recordId) ?? end));
  const lineOf = new Map(records.map(({ id, lineId }) => [id, lineId]));
  const logs = subscriptions.flatMap(({ id: subscriptionId, machineIds, lineIds, shiftIds }) => {
    const own = ended.filter(({ recordId, machineId, shiftId }) => {
      const isInLine = lineIds === null || lineIds.includes(lineOf.get(recordId) ?? 0);
      return isInLine && (machineIds?.includes(machineId) ?? true) && (shiftIds?.includes(shiftId) ?? true);
    });
    const nextAttemptAt = now + AFTER_SHIFT_MS;
    return own.map(({ shiftId, start, end }) => ({
      ...newLog(`${subscriptionId}-${shiftId}-${start / SECOND_MS}`, subscriptionId, nameOf.get(shiftId) ?? "", end, now),
      ...{ shiftId, periodStart: start, periodEnd: end, nextAttemptAt },
    }));
  });
  const distinct = [...new Map(logs.map((log) => [log.id, log])).values()];
  const delaySeconds = AFTER_SHIFT_MS / SECOND_MS;
  return {
    rows: insertLogs(db, distinct),
    queueMessages: distinct.map(({ id }): QueueMessage => ({ queue: "REPORTS", body: { logId: id }, delaySeconds })),
  };
};

/** The shift of a `shift.closed` event; null for other events. */
function closedShiftOf({ type, machineId, data }: StoredEvent): ClosedShift | null {
  if (type !== "shift.closed" || machineId === null) return null;
  const { recordId, shiftId, since, until } = data as {
    recordId: number;
    shiftId: number;
    since: string;
    until: string;
  };
  return { recordId, machineId, shiftId, start: Date.parse(since), end: Date.parse(until) };
}

/**
 * Schedules the daily and weekly reports that are due at `now`: three statements for a hundred of them. Returns the queue messages of all runs that
 * are due, also of those whose message was lost; and the errors of single subscriptions, which do not stop the others.
 */
export async function scheduleReports(
  db: CompanyDb,
  now: number,
): Promise<{ queueMessages: QueueMessage[]; failures: unknown[] }> {
  const failures: unknown[] = [];
  let last: SubscriptionRow | undefined;
  for (let commits = 0; commits < COMMITS_PER_RUN; commits++) {
    const due = await findDueSubscriptions(db, now, PER_COMMIT, last);
    const runs: ScheduledRun[] = [];
    for (const { timezone, ...subscription } of due) {
      try {
        append(runs, runOf(subscription, timezone, now));
      } catch (error) {
        failures.push(error);
      }
    }
    // What someone changed meanwhile, or another run of this job has scheduled, is left out.
    if (runs.length > 0) await db.batch([insertScheduledLogs(db, runs), setNextRuns(db, runs)]);
    last = due.at(-1);
    if (due.length < PER_COMMIT) break;
  }
  // A superfluous message has no effect, because the run is already claimed.
  const due = await findDueLogs(db, now, MOST_DUE);
  return { queueMessages: due.map(({ logId }) => ({ queue: "REPORTS", body: { logId } })), failures };
}

/** The logs for a subscription that is due: of the newest period. Older ones, missed while the service was down, are logged as skipped. */
function runOf(subscription: SubscriptionRow, timezone: string, now: number): ScheduledRun[] {
  const { id: subscriptionId, kind, nextRunAt, updatedAt } = subscription;
  if (nextRunAt === null || kind === "shift") return [];
  const due: number[] = [];
  // After a change of the company's time zone, `nextRunAt` may not be a run time of the subscription any more.
  for (let at = nextRunAfter(timezone, subscription, nextRunAt - 1); at !== null && at <= now; ) {
    due.push(at);
    at = nextRunAfter(timezone, subscription, at);
  }
  const logs = due.slice(-1 - MOST_MISSED).map((at, i, all) => {
    const period = periodBefore(timezone, kind, at);
    const log = newLog(`${subscriptionId}-${at / SECOND_MS}`, subscriptionId, titleOf(kind, period, timezone), at, now);
    const isNewest = i === all.length - 1;
    return {
      ...{ ...log, periodStart: period.start, periodEnd: period.end },
      ...(isNewest
        ? { nextAttemptAt: now }
        : { status: "skipped" as const, detail: "It was missed, and a newer period is reported instead", executedAt: now }),
    };
  });
  return [{ subscriptionId, dueAt: nextRunAt, updatedAt, nextRunAt: nextRunAfter(timezone, subscription, now), logs }];
}

function newLog(id: string, subscriptionId: string, shiftTitle: string, executeAt: number, now: number) {
  return { id, subscriptionId, status: "scheduled" as const, detail: "", shiftTitle, executeAt, createdAt: now, updatedAt: now };
}
