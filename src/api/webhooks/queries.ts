import { and, desc, eq, getTableColumns, gt, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { WebhookCall } from "../../channels/call-webhook.ts";
import { kindNumber } from "../../db/audit-columns.ts";
import type { CompanyDb } from "../../db/client.ts";
import { byIndex, ifGiven, inList } from "../../db/conditions.ts";
import { isUnchanged } from "../../db/expect.ts";
import {
  audit,
  events,
  machines,
  users,
  webhookAttempts,
  webhookDeliveries,
  webhookSecrets,
  webhookSubscriptions,
} from "../../db/schema.ts";
import { type DeliveryStatus, deliveryStatusNumbers, eventTypeNumbers } from "../../db/values.ts";
import { dispatchedSeqOf } from "../../events/queries.ts";
import type { EventRow } from "../../events/stored.ts";
import { HOUR_MS, MINUTE_MS } from "../../oee/time.ts";
import type { SetUpTable } from "../../resource/queries.ts";

export type SecretRow = typeof webhookSecrets.$inferSelect;
export type SubscriptionRow = typeof webhookSubscriptions.$inferSelect;

/** The statement that reads a company's sealed secret: none or one row. */
export function selectSecret(db: CompanyDb, companyId: number | SQL) {
  return db.select().from(webhookSecrets).where(eq(webhookSecrets.companyId, companyId));
}

/** The statement that counts the pings of a subscription within the last hour, by their audit entries. */
export function selectRecentPings(db: CompanyDb, id: string, now: number) {
  const { companyId, kind, objectId, action, at } = audit;
  return db
    .select({ count: sql<number>`count(*)`.as("pings") })
    .from(byIndex(audit, "audit_object"))
    .where(
      and(
        sql`${companyId} = ${companyOfSubscription(id)}`,
        eq(kind, kindNumber("webhook-subscription")),
        eq(objectId, id),
        gt(at, now - HOUR_MS),
        eq(action, "webhook-subscription.ping"),
      ),
    );
}

/** Condition: a subscription had fewer pings than this within the last hour. */
export function hasFewerPings(db: CompanyDb, id: string, now: number, most: number): SQL {
  return sql`(${selectRecentPings(db, id, now)}) < ${most}`;
}

/** Condition: the company has no secret. */
export function hasNoSecret(companyId: number): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM ${webhookSecrets} WHERE ${webhookSecrets.companyId} = ${companyId})`;
}

/** Condition: the company has this secret. */
export function isSecret({ companyId, sealedSecret }: SecretRow): SQL {
  const isIt = and(eq(webhookSecrets.companyId, companyId), eq(webhookSecrets.sealedSecret, sealedSecret));
  return sql`EXISTS (SELECT 1 FROM ${webhookSecrets} WHERE ${isIt})`;
}

/** The statement that stores a company's secret. */
export function insertSecret(db: CompanyDb, secret: SecretRow) {
  return db.insert(webhookSecrets).values(secret);
}

/** The statement that replaces a company's secret. */
export function updateSecret(db: CompanyDb, { companyId, ...secret }: SecretRow) {
  return db.update(webhookSecrets).set(secret).where(eq(webhookSecrets.companyId, companyId));
}

/** True for subscriptions that receive calls. */
const isCalled = and(
  eq(webhookSubscriptions.isActive, true),
  isNull(webhookSubscriptions.endedAt),
  isNull(webhookSubscriptions.deletedAt),
);

const typeNumbers = sql`${JSON.stringify(eventTypeNumbers)}`;

/** True for an event and a subscription of its company that wants it. */
const isWanted = and(
  eq(webhookSubscriptions.companyId, events.companyId),
  or(
    isNull(webhookSubscriptions.events),
    sql`EXISTS (SELECT 1 FROM json_each(${webhookSubscriptions.events}) AS type WHERE ${typeNumbers}->>('$."' || type.value || '"') = ${events.type})`,
  ),
  or(
    and(isNull(webhookSubscriptions.machineIds), isNull(webhookSubscriptions.lineIds)),
    sql`EXISTS (SELECT 1 FROM json_each(${webhookSubscriptions.machineIds}) AS machine WHERE machine.value = ${events.machineId})`,
    sql`EXISTS (SELECT 1 FROM json_each(${webhookSubscriptions.lineIds}) AS line
      JOIN ${machines} ON ${machines.lineId} = line.value WHERE ${machines.id} = ${events.machineId})`,
  ),
);

/** The statement that reads those of a company's subscriptions that receive calls. */
export function selectCalled(db: CompanyDb, companyId: number) {
  return db
    .select({ id: webhookSubscriptions.id })
    .from(webhookSubscriptions)
    .where(and(eq(webhookSubscriptions.companyId, companyId), isCalled));
}

/** The statement that reads those of these subscriptions of a company that receive calls. */
export function selectCalledOf(db: CompanyDb, companyId: number, ids: readonly string[]) {
  const { id } = webhookSubscriptions;
  return db
    .select()
    .from(webhookSubscriptions)
    .where(and(inList(id, ids), sql`+${webhookSubscriptions.companyId} = ${companyId}`, isCalled));
}

/** The statement that stores a delivery for each subscription and event that it wants. Existing deliveries do not change. */
export function insertDeliveries(db: CompanyDb, companyId: number, seqs: readonly number[], now: number) {
  return db
    .insert(webhookDeliveries)
    .select(newDeliveries(and(eq(events.companyId, companyId), inList(events.seq, seqs), isCalled), now))
    .onConflictDoNothing();
}

/** The statement that queues events of a subscription for redelivery, oldest first. */
export function replayDeliveries(db: CompanyDb, subscriptionId: string, which: SQL | undefined, now: number) {
  return db
    .insert(webhookDeliveries)
    .select(newDeliveries(and(eq(webhookSubscriptions.id, subscriptionId), which), now))
    .onConflictDoUpdate({
      target: [webhookDeliveries.companyId, webhookDeliveries.subscriptionNr, webhookDeliveries.eventSeq],
      set: {
        status: PENDING,
        attempts: 0,
        nextAttemptAt: now,
        updatedAt: now,
        calledMs: null,
        durationMs: null,
        answerStatus: null,
      },
    });
}

/** A condition for subscriptions. */
export type WhichSubscriptions = SQL | undefined;

/** The statement that makes all waiting deliveries of subscriptions due. */
export function makeDue(db: CompanyDb, which: WhichSubscriptions, now: number) {
  const { companyId, subscriptionNr, eventSeq, status, nextAttemptAt } = webhookDeliveries;
  const waiting = sql`SELECT ${webhookSubscriptions.companyId}, ${webhookSubscriptions.nr}, waiting.event_seq FROM ${webhookSubscriptions}
    CROSS JOIN ${webhookDeliveries} AS waiting INDEXED BY webhook_deliveries_pending
      ON waiting.company_id = ${webhookSubscriptions.companyId} AND waiting.subscription_nr = ${webhookSubscriptions.nr}
    WHERE ${which} AND waiting.status = ${PENDING}`;
  return db
    .update(webhookDeliveries)
    .set({ nextAttemptAt: now, updatedAt: now })
    .where(
      and(
        sql`(${companyId}, ${subscriptionNr}, ${eventSeq}) IN (${waiting})`,
        sql`+${status} = ${PENDING}`,
        sql`+${nextAttemptAt} > ${now}`,
      ),
    );
}

/** The condition for a subscription. */
export function isSubscription(id: string): WhichSubscriptions {
  return eq(webhookSubscriptions.id, id);
}

/** The condition for those of a company's subscriptions whose calls its secret signs. */
export function hasSecretOf(companyId: number): WhichSubscriptions {
  return and(eq(webhookSubscriptions.companyId, companyId), isNull(webhookSubscriptions.sealedSecret));
}

/** The statement that reads those of some subscriptions that receive calls. */
export function selectCalledAmong(db: CompanyDb, which: WhichSubscriptions) {
  return db.select({ id: webhookSubscriptions.id }).from(webhookSubscriptions).where(and(which, isCalled));
}

/** The statement that counts, up to `limit`, the events that `replayDeliveries` queues. */
export function countReplayed(db: CompanyDb, subscriptionId: SQL | string, which: SQL | undefined, limit: number) {
  const found = sql`SELECT 1 FROM ${events} JOIN ${webhookSubscriptions} ON ${isWanted}
    WHERE ${webhookSubscriptions.id} = ${subscriptionId} AND ${which} LIMIT ${limit}`;
  return db.select({ count: sql<number>`count(*)`.as("count") }).from(sql`(${found})`);
}

/** The condition for dispatched events since a time. Other events are about to be delivered anyway. */
export function isSince(subscriptionId: string, since: number): SQL | undefined {
  const companyId = companyOfSubscription(subscriptionId);
  // Events are ordered by `seq`; the clocks of their writers may differ by moments, but not by a minute.
  const before = sql`(SELECT early.seq FROM ${events} AS early WHERE early.company_id = ${companyId} AND early.created_at < ${since - MINUTE_MS}
    ORDER BY early.seq DESC LIMIT 1)`;
  return and(
    sql`${events.seq} > coalesce(${before}, 0)`,
    sql`${events.seq} <= ${dispatchedSeqOf(companyId)}`,
    sql`${events.createdAt} >= ${since}`,
  );
}

function newDeliveries(which: SQL | undefined, now: number): SQL {
  return sql`SELECT ${events.companyId}, ${webhookSubscriptions.nr}, ${events.seq}, coalesce(${events.machineId}, 0), ${PENDING}, 0, ${now}, ${now},
    NULL, NULL, NULL FROM ${events} JOIN ${webhookSubscriptions} ON ${isWanted} WHERE ${which}`;
}

/** The company and the number by which deliveries name a subscription. */
const companyOfSubscription = (id: string) => sql`(SELECT s.company_id FROM ${webhookSubscriptions} AS s WHERE s.id = ${id})`;
const nrOf = (id: string) => sql`(SELECT s.nr FROM ${webhookSubscriptions} AS s WHERE s.id = ${id})`;
const isTo = (id: string) =>
  sql`${webhookDeliveries.companyId} = ${companyOfSubscription(id)} AND ${webhookDeliveries.subscriptionNr} = ${nrOf(id)}`;

/** The number is in the text, because the partial indexes are found by it. */
const PENDING = sql.raw(String(deliveryStatusNumbers.pending));
const isOf = (subscriptionId: string) => sql`${isTo(subscriptionId)} AND status = ${PENDING}`;
/** SQLite would find the pending deliveries among all those of the subscription, by the key. */
const pendingDeliveries = byIndex(webhookDeliveries, "webhook_deliveries_pending");
const dueDeliveries = byIndex(webhookDeliveries, "webhook_deliveries_due");

// In the UPDATEs, the plus before the status, the lists of keys and the CROSS JOIN make SQLite find deliveries by their keys. Without
// them it would read all pending deliveries of the subscription, once for each that is changed.

/**
 * The statement that claims the deliveries of a subscription that are due at `now`: for each machine the first `perMachine` pending ones, if the
 * first of them is due, and of all these the `limit` oldest. No one else can claim them until `lease`. Returns them unordered.
 */
export function claimDeliveries(
  db: CompanyDb,
  subscriptionId: string,
  { now, lease, limit, perMachine }: { now: number; lease: number; limit: number; perMachine: number },
) {
  const d = webhookDeliveries;
  const pending = isOf(subscriptionId);
  const ofMachine = sql`SELECT event_seq FROM ${d} WHERE ${pending} AND machine_id = machine.id ORDER BY event_seq`;
  const firstDueAt = sql`SELECT next_attempt_at FROM ${pendingDeliveries} WHERE ${pending} AND machine_id = machine.id ORDER BY event_seq LIMIT 1`;
  const due = sql`WITH RECURSIVE machine(id) AS (
      SELECT min(machine_id) FROM ${d} WHERE ${pending}
      UNION ALL
      SELECT (SELECT min(machine_id) FROM ${d} WHERE ${pending} AND machine_id > machine.id) FROM machine WHERE machine.id IS NOT NULL
    )
    SELECT first.event_seq FROM machine CROSS JOIN ${d} AS first ON first.company_id = ${companyOfSubscription(subscriptionId)}
      AND first.subscription_nr = ${nrOf(subscriptionId)} AND first.event_seq IN (${ofMachine} LIMIT ${perMachine})
    WHERE (${firstDueAt}) <= ${now} ORDER BY first.event_seq LIMIT ${limit}`;
  const isActive = sql`EXISTS (SELECT 1 FROM ${webhookSubscriptions} WHERE ${webhookSubscriptions.id} = ${subscriptionId} AND ${isCalled})`;
  return db
    .update(d)
    .set({ nextAttemptAt: lease, updatedAt: now })
    .where(and(isTo(subscriptionId), sql`+${d.status} = ${PENDING}`, sql`${d.eventSeq} IN (${due})`, isActive))
    .returning({ eventSeq: d.eventSeq, machineId: d.machineId, attempts: d.attempts });
}

/** The statement that reads the events of claimed deliveries. */
export function selectClaimedEvents(db: CompanyDb, subscriptionId: string, lease: number) {
  const claimed = sql`SELECT event_seq FROM ${dueDeliveries} WHERE ${isOf(subscriptionId)} AND next_attempt_at = ${lease}`;
  const companyId = companyOfSubscription(subscriptionId);
  return db.select().from(events).where(sql`${events.companyId} = ${companyId} AND ${events.seq} IN (${claimed})`);
}

/** The statement that reads a subscription. */
export function selectSubscription(db: CompanyDb, subscriptionId: string) {
  return db.select().from(webhookSubscriptions).where(eq(webhookSubscriptions.id, subscriptionId));
}

/** The statement that reads the secret of a subscription's company. */
export function selectSecretOf(db: CompanyDb, subscriptionId: string) {
  return selectSecret(db, companyOfSubscription(subscriptionId));
}

/** A call that was made for a delivery. */
export interface AttemptRow extends WebhookCall {
  eventSeq: number;
  at: number;
}

/** The state of a claimed delivery after its call. */
export interface Outcome {
  eventSeq: number;
  status: DeliveryStatus;
  attempts: number;
  nextAttemptAt: number | null;
}

/** The statements that store the results of a round: the status of deliveries, except those that have ended meanwhile, and the calls. */
export function storeResults(
  db: CompanyDb,
  subscriptionId: string,
  outcomes: readonly Outcome[],
  attempts: readonly AttemptRow[],
  now: number,
) {
  const failed = attempts.filter(({ error }) => error !== null);
  return [
    updateDeliveries(db, subscriptionId, outcomes, attempts, now),
    ...(failed.length > 0 ? [insertAttempts(db, subscriptionId, failed)] : []),
  ];
}

/** The statement that stores failed calls of a subscription. */
function insertAttempts(db: CompanyDb, subscriptionId: string, attempts: readonly AttemptRow[]) {
  const rows = attempts.map(({ eventSeq, at, durationMs, status, answer, error }) => [
    eventSeq,
    at,
    durationMs,
    status,
    answer,
    error,
  ]);
  return db
    .insert(webhookAttempts)
    .select(sql`SELECT ${companyOfSubscription(subscriptionId)}, ${nrOf(subscriptionId)}, value->>0, value->>1, value->>2, value->>3, value->>4,
    value->>5 FROM json_each(${JSON.stringify(rows)}) WHERE true`)
    .onConflictDoNothing();
}

function updateDeliveries(
  db: CompanyDb,
  subscriptionId: string,
  outcomes: readonly Outcome[],
  attempts: readonly AttemptRow[],
  now: number,
) {
  const called = new Map(attempts.map((one) => [one.eventSeq, one]));
  const rows = outcomes.map(({ eventSeq, status, attempts, nextAttemptAt }) => {
    const call = called.get(eventSeq);
    const success = call && call.error === null ? [now - call.at, call.durationMs, call.status] : [];
    return [eventSeq, deliveryStatusNumbers[status], attempts, nextAttemptAt, ...success];
  });
  const d = webhookDeliveries;
  const seqs = outcomes.map(({ eventSeq }) => eventSeq);
  return db
    .update(d)
    .set({
      status: sql`outcome.value->>1`,
      attempts: sql`outcome.value->>2`,
      nextAttemptAt: sql`outcome.value->>3`,
      updatedAt: now,
      calledMs: sql`outcome.value->>4`,
      durationMs: sql`outcome.value->>5`,
      answerStatus: sql`outcome.value->>6`,
    })
    .from(sql`json_each(${JSON.stringify(rows)}) AS outcome`)
    .where(
      and(isTo(subscriptionId), inList(d.eventSeq, seqs), sql`${d.eventSeq} = outcome.value->>0`, sql`+${d.status} = ${PENDING}`),
    );
}

/** The statement that records the time since which every call of a subscription has failed; null: the last call succeeded. */
export function noteFailing(db: CompanyDb, subscriptionId: string, failingSince: number | null) {
  const isNews = failingSince === null ? isNotNull(webhookSubscriptions.failingSince) : isNull(webhookSubscriptions.failingSince);
  return db
    .update(webhookSubscriptions)
    .set({ failingSince })
    .where(and(eq(webhookSubscriptions.id, subscriptionId), isNews));
}

/** The statement that ends a subscription that receives calls. */
export function endSubscription(db: CompanyDb, subscriptionId: string, endedBecause: "gone" | "failing", now: number) {
  return db
    .update(webhookSubscriptions)
    .set({ endedAt: now, endedBecause, updatedAt: sql`max(${now}, ${webhookSubscriptions.updatedAt} + 1)` })
    .where(and(eq(webhookSubscriptions.id, subscriptionId), isCalled));
}

/** The statement that cancels the pending deliveries of a subscription. */
export function cancelDeliveries(db: CompanyDb, subscriptionId: string, now: number) {
  const d = webhookDeliveries;
  const pending = sql`SELECT event_seq FROM ${pendingDeliveries} WHERE ${isOf(subscriptionId)}`;
  return db
    .update(d)
    .set({ status: deliveryStatusNumbers.cancelled, nextAttemptAt: null, updatedAt: now })
    .where(and(isTo(subscriptionId), sql`${d.eventSeq} IN (${pending})`, sql`+${d.status} = ${PENDING}`));
}

/** The e-mail addresses of a company's admins. */
export async function listAdmins(db: CompanyDb, companyId: number): Promise<string[]> {
  const isAdmin = and(inList(users.role, ["admin", "superadmin"]), eq(users.isActive, true), isNull(users.deletedAt));
  const rows = await db
    .select({ email: users.email })
    .from(users)
    .where(and(eq(users.companyId, companyId), isAdmin));
  return rows.map(({ email }) => email);
}

/** The statement that reads the subscriptions with deliveries that were due by `until`. Some of these may still have to wait. */
export function selectOverdue(db: CompanyDb, until: number) {
  const overdue = sql`SELECT company_id, subscription_nr FROM ${dueDeliveries} WHERE status = ${PENDING} AND next_attempt_at <= ${until}`;
  return db
    .select({ subscriptionId: webhookSubscriptions.id })
    .from(webhookSubscriptions)
    .where(and(isCalled, sql`(+${webhookSubscriptions.companyId}, ${webhookSubscriptions.nr}) IN (${overdue})`));
}

/** The statement that reads a subscription of the company (undefined: of any): none or one row. */
export function selectOwn(db: CompanyDb, id: string, companyId: number | undefined) {
  return db
    .select()
    .from(webhookSubscriptions)
    .where(
      and(
        eq(webhookSubscriptions.id, id),
        ifGiven(webhookSubscriptions.companyId, companyId),
        isNull(webhookSubscriptions.deletedAt),
      ),
    );
}

/** Condition: the subscription is unchanged since it was read. */
export function isUnchangedSubscription(row: SubscriptionRow): SQL {
  return isUnchanged(webhookSubscriptions, row);
}

/** The statement that replaces the secret of a subscription. */
export function updateOwnSecret(
  db: CompanyDb,
  id: string,
  secret: Pick<SubscriptionRow, "sealedSecret" | "previousSealedSecret" | "previousUntil" | "updatedAt">,
) {
  return db.update(webhookSubscriptions).set(secret).where(eq(webhookSubscriptions.id, id));
}

export interface DeliveryPage {
  subscriptionId: string;
  status?: DeliveryStatus | undefined;
  /** The seq of the last event of the previous page. */
  cursor?: [number] | undefined;
  limit: number;
}

const eventColumn = (column: SQLiteColumn) => sql<never>`${column}`.mapWith(column).as(`of_event_${column.name}`);

/** The columns of an event, by names of their own. */
const eventColumns = Object.fromEntries(
  Object.entries(getTableColumns(events)).map(([member, column]) => [member, eventColumn(column)]),
) as unknown as { [member in keyof EventRow]: SQL.Aliased<EventRow[member]> };

/** The deliveries of a subscription with their events and failed calls, newest events first. Reads one more than the limit. */
export function selectDeliveries(db: CompanyDb, { subscriptionId, status, cursor, limit }: DeliveryPage) {
  const [a, d] = [webhookAttempts, webhookDeliveries];
  const failed = sql`(SELECT json_group_array(json_array(call.at, call.duration_ms, call.status, call.answer, call.error) ORDER BY call.at)
    FROM ${a} AS call WHERE call.company_id = ${d.companyId} AND call.subscription_nr = ${d.subscriptionNr} AND call.event_seq = ${d.eventSeq})`;
  return db
    .select({
      ...getTableColumns(d),
      event: eventColumns,
      failed: failed
        .mapWith((text: string): [number, number, number | null, string, string][] => JSON.parse(text))
        .as("failed_calls"),
    })
    .from(d)
    .innerJoin(events, and(eq(events.companyId, d.companyId), eq(events.seq, d.eventSeq)))
    .where(
      and(
        isTo(subscriptionId),
        status && eq(d.status, deliveryStatusNumbers[status]),
        cursor && sql`${d.eventSeq} < ${cursor[0]}`,
      ),
    )
    .orderBy(desc(d.eventSeq))
    .limit(limit + 1);
}

const { id, companyId, updatedAt, deletedAt } = webhookSubscriptions;

export const webhookSubscriptionTable: SetUpTable = {
  ...{ table: webhookSubscriptions, id, companyId, updatedAt, deletedAt },
  columns: () => getTableColumns(webhookSubscriptions),
};
