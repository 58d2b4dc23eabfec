import { planMessages } from "../../channels/plan-messages.ts";
import { findReportMail, packMail, type ReportMail } from "../../channels/report-mail.ts";
import type { UserActor } from "../../core/actor.ts";
import { configOf } from "../../core/config.ts";
import { Problem } from "../../core/problem.ts";
import type { CompanyDb } from "../../db/client.ts";
import type { QueueMessage } from "../../events/queues.ts";
import { askFirst } from "../../objects/ask-first.ts";
import { append } from "../../oee/extremes.ts";
import { HOUR_MS, type Interval, MINUTE_MS, SECOND_MS } from "../../oee/time.ts";
import { localDate } from "../../oee/zone.ts";
import { type Called, callBodyOf, callWebhooks } from "./call-webhooks.ts";
import { gather, type Report, type ReportScope } from "./gather.ts";
import { hasLeft } from "./leave-report.ts";
import {
  claimLog,
  insertContent,
  type LogRow,
  type SubscriptionOfCompany,
  selectEmails,
  selectLaterLog,
  selectNewestShift,
  selectOpenRecord,
  selectShiftEnd,
  selectShiftNames,
  selectSubscription,
  updateLog,
} from "./queries.ts";
import { renderCsv } from "./render-csv.ts";
import { renderHtml, renderNothing } from "./render-html.ts";
import { renderText } from "./render-text.ts";
import { wordsOf } from "./report-words.ts";
import { newestPeriodOf } from "./run-times.ts";

// One run of a report subscription, from its log row. Each step can be repeated: the content of the mail is stored once, message ids are
// derived from the log, and a webhook that accepted the report is recorded.

/** After this time a run that has started counts as lost. */
const LEASE_MS = 5 * MINUTE_MS;
/** How long after a shift a run waits for machines that have not closed it, and how often it checks. */
const WAIT_FOR_MACHINES_MS = 10 * MINUTE_MS;
const LOOK_AGAIN_MS = 30 * SECOND_MS;
/** A run that is later than this is skipped if a newer period is due. */
const LATE_MS = 2 * HOUR_MS;
/** A failed run is retried after these times; after the last one it fails for good. */
const RETRY_MS = [MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS, 4 * HOUR_MS];

interface Context {
  env: Env;
  db: CompanyDb;
  now: number;
}

/** The outcome of an attempt: the run is over, or is scheduled again. */
type Outcome =
  | { status: "succeeded" | "failed" | "skipped"; detail: string }
  | { status: "scheduled"; detail: string; at: number; isWaiting: boolean };

/** Carries out the run of a log, if it is due and not claimed. Returns the queue messages to send, and the error if there was one. */
export async function runReport(
  { env, db, now }: Context,
  logId: string,
): Promise<{ queueMessages: QueueMessage[]; error?: unknown }> {
  const log = await claimLog(db, logId, now, now + LEASE_MS);
  if (!log) return { queueMessages: [] };
  const queueMessages: QueueMessage[] = [];
  const failure: { error?: unknown } = {};
  let outcome: Outcome;
  try {
    outcome = await attempt({ env, db, now }, log, queueMessages);
  } catch (error) {
    failure.error = error;
    const reason = error instanceof Problem ? error.detail : "an error of the service";
    outcome = again(log, now, `The report could not be made: ${reason}`);
  }
  const { status, detail } = outcome;
  const isOver = outcome.status !== "scheduled";
  const waited = outcome.status === "scheduled" && outcome.isWaiting ? { attempts: log.attempts - 1 } : {};
  await updateLog(db, log, {
    ...{ status, detail, updatedAt: now, ...waited },
    ...(outcome.status === "scheduled" ? { nextAttemptAt: outcome.at } : { nextAttemptAt: null }),
    ...(isOver && { executedAt: now }),
  });
  if (outcome.status === "scheduled") {
    queueMessages.push({ queue: "REPORTS", body: { logId }, delaySeconds: Math.ceil((outcome.at - now) / SECOND_MS) });
  }
  return { queueMessages, ...failure };
}

function again({ attempts }: LogRow, now: number, detail: string): Outcome {
  const wait = RETRY_MS[attempts - 1];
  if (wait === undefined) return { status: "failed", detail };
  return { status: "scheduled", detail: `${detail}. It is tried again`, at: now + wait, isWaiting: false };
}

async function attempt({ env, db, now }: Context, log: LogRow, queueMessages: QueueMessage[]): Promise<Outcome> {
  const [[subscription], later] = await db.batch([selectSubscription(db, log.subscriptionId), selectLaterLog(db, log)]);
  if (!subscription) return { status: "skipped", detail: "The subscription was deleted" };
  if (log.executeAt < now - LATE_MS && later.length > 0 && log.attempts === 1) {
    return { status: "skipped", detail: "It was missed, and a newer period is reported instead" };
  }
  const period = await periodOf(db, log, subscription);
  if (log.shiftId !== null && now < period.end + WAIT_FOR_MACHINES_MS) {
    const open = await selectOpenRecord(db, subscription, log.shiftId, period.start);
    if (open.length > 0 || now < period.end) {
      const at = Math.max(now + LOOK_AGAIN_MS, Math.min(period.end, now + HOUR_MS));
      return { status: "scheduled", detail: "Waits for machines to close the shift", at, isWaiting: true };
    }
  }
  const recipients = await recipientsOf(db, subscription);
  if (recipients.addresses.length + subscription.webhookSubscriptionIds.length === 0) {
    return { status: "skipped", detail: `There is nobody to send it to${recipients.without}` };
  }
  let mail = await findReportMail(db, log.id);
  if (!mail) {
    const { companyId, machineIds } = subscription;
    const asked = await askFirst({ env, db }, { companyIds: [companyId], machineIds: machineIds ?? undefined });
    const report = await reportOf({ db: asked, now }, log, subscription, period);
    if (!report) return { status: "skipped", detail: "Nothing was scheduled to run" };
    const { message, ...made } = make(env, log, subscription, report);
    mail = made.mail;
    const context = { env, db, companyId: subscription.companyId, now };
    const to = { addresses: recipients.addresses, language: subscription.language };
    const what = { kind: "report" as const, params: { logId: log.id, ...message }, key: `report:${log.id}` };
    const planned = await planMessages(context, to, what);
    await db.batch([insertContent(db, { logId: log.id, content: await packMail(mail), createdAt: now }), ...planned.rows]);
    append(queueMessages, planned.queueMessages);
  }
  const called = await callWebhooks({ env, db, now }, log, subscription, mail.call);
  return afterCalls(log, now, recipients, called);
}

function afterCalls(
  log: LogRow,
  now: number,
  { addresses, without }: Recipients,
  { count, failures, refusals }: Called,
): Outcome {
  const details = [
    ...(addresses.length > 0 ? [`mailed to ${addresses.length} address${addresses.length === 1 ? "" : "es"}${without}`] : []),
    ...(count > 0 ? [`${count} webhook${count === 1 ? "" : "s"} called`] : []),
    ...failures,
    ...refusals,
  ].join("; ");
  const detail = details.charAt(0).toUpperCase() + details.slice(1);
  if (failures.length > 0) return again(log, now, detail);
  return { status: refusals.length > 0 && addresses.length + count === 0 ? "failed" : "succeeded", detail };
}

/** A report of the newest period as HTML, for a preview; a page that says so if there is none. */
export async function previewReport({ env, db, now }: Context, subscription: SubscriptionOfCompany): Promise<string> {
  const newest = await newestPeriod(db, subscription, now);
  if (!newest) return renderNothing(subscription);
  const { shift, ...period } = newest;
  const report = await gather({ db, actor: actorOf(subscription) }, scopeOf(subscription, shift, period), now);
  return report === null ? renderNothing(subscription) : renderHtml(wordsOf(report, configOf(env).PUBLIC_URL));
}

/** The newest period that a subscription would report at `now`; null: no shift has ended yet. */
export async function newestPeriod(db: CompanyDb, subscription: SubscriptionOfCompany, now: number) {
  const { kind, timezone, weekdays } = subscription;
  if (kind !== "shift") return { ...newestPeriodOf(timezone, { kind, weekdays }, now), shift: null };
  const [newest] = await selectNewestShift(db, subscription, now);
  if (!newest) return null;
  const { shiftId: id, name, start, end } = newest;
  return { start, end, shift: { id, name } };
}

/** The title of a period in the log: its days. */
export function titleOf(kind: "daily" | "weekly", { start, end }: Interval, timezone: string): string {
  const first = localDate(timezone, start);
  return kind === "daily" ? first : `${first} - ${localDate(timezone, end - 1)}`;
}

/** The period of a log. That of a shift ends when the last machine's shift ends. */
async function periodOf(db: CompanyDb, log: LogRow, subscription: SubscriptionOfCompany): Promise<Interval> {
  const [start, end] = [log.periodStart ?? log.executeAt, log.periodEnd ?? log.executeAt];
  if (log.shiftId === null) return { start, end };
  const [found] = await selectShiftEnd(db, subscription, log.shiftId, start);
  return { start, end: Math.max(end, found?.end ?? end) };
}

async function reportOf(
  { db, now }: Omit<Context, "env">,
  log: LogRow,
  subscription: SubscriptionOfCompany,
  period: Interval,
): Promise<Report | null> {
  const [shift] = log.shiftId === null ? [] : await selectShiftNames(db, [log.shiftId]);
  return await gather({ db, actor: actorOf(subscription) }, scopeOf(subscription, shift ?? null, period), now);
}

/** The actor of a report: it may read what everyone in the company may read, and nothing of other companies. */
function actorOf({ companyId }: SubscriptionOfCompany): UserActor {
  return { kind: "user", userId: 0, userName: null, companyId, role: "readonly" };
}

function scopeOf(subscription: SubscriptionOfCompany, shift: ReportScope["shift"], period: Interval): ReportScope {
  const { companyId, companyName, name, kind, language, timezone, machineIds, lineIds } = subscription;
  return { companyId, companyName, name, kind, language, timezone, machineIds, lineIds, shift, period };
}

function make(env: Env, log: LogRow, { id: subscriptionId, language }: SubscriptionOfCompany, report: Report) {
  const { PUBLIC_URL } = configOf(env);
  const words = wordsOf(report, PUBLIC_URL);
  const { subject, summary, path } = words;
  const mail: ReportMail = {
    subject,
    text: renderText(words),
    html: renderHtml(words),
    attachments: renderCsv(report, words.files),
    call: callBodyOf(log, report, PUBLIC_URL === "" ? null : PUBLIC_URL + path),
  };
  return { mail, message: { title: subject, summary, path, leave: { subscriptionId, language } } };
}

/** The distinct addresses of a subscription, and a text about those who do not get it: personas without an address, and readers who have left. */
interface Recipients {
  addresses: string[];
  without: string;
}

async function recipientsOf(db: CompanyDb, subscription: SubscriptionOfCompany): Promise<Recipients> {
  const { companyId, personaIds, addresses, leftAddresses } = subscription;
  const found = personaIds.length === 0 ? [] : await selectEmails(db, companyId, personaIds);
  const reached = found.filter(({ isActive, email }) => isActive && email.isActive && email.value !== "");
  const all = [...addresses, ...reached.map(({ email }) => email.value)];
  const distinct = new Map(all.map((address) => [address.toLowerCase(), address]));
  const staying = [...distinct.values()].filter((address) => !hasLeft(leftAddresses, address));
  const missing = personaIds.length - reached.length;
  const left = distinct.size - staying.length;
  const without = [
    missing === 0 ? "" : `; ${missing} persona${missing === 1 ? " has" : "s have"} no active e-mail contact`,
    left === 0 ? "" : `; ${left} reader${left === 1 ? " has" : "s have"} left`,
  ].join("");
  return { addresses: staying, without };
}
