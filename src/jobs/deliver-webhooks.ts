import {
  type AttemptRow,
  cancelDeliveries,
  claimDeliveries,
  endSubscription,
  listAdmins,
  noteFailing,
  type Outcome,
  type SecretRow,
  type SubscriptionRow,
  selectClaimedEvents,
  selectSecretOf,
  selectSubscription,
  storeResults,
} from "../api/webhooks/queries.ts";
import { secretsOf } from "../api/webhooks/secrets.ts";
import { callWebhook } from "../channels/call-webhook.ts";
import { planMessages } from "../channels/plan-messages.ts";
import { configOf } from "../core/config.ts";
import type { Batch } from "../core/write.ts";
import { type CompanyDb, companyDb } from "../db/client.ts";
import { envelopeOf } from "../events/envelope.ts";
import type { StoredEvent } from "../events/event.ts";
import { withNames } from "../events/names.ts";
import { type QueueMessage, sendQueueMessages } from "../events/queues.ts";
import { type EventRow, eventOf } from "../events/stored.ts";
import { eachOf } from "../limits/load.ts";
import { DAY_MS, SECOND_MS } from "../oee/time.ts";

/** The number of deliveries claimed at once: in total, and per machine, whose events are sent one after the other. */
const PER_ROUND = 100;
const PER_MACHINE = 20;
/** The platform allows an invocation to wait for six answers at once, and some are needed for the database. */
const CALLS_AT_ONCE = 4;
/** No call of a round begins later than this. */
const ROUND_MS = 8 * SECOND_MS;
/** No round of a run begins later than this. */
const RUN_MS = 10 * SECOND_MS;
/** The duration of a claim: longer than a round, whose last call may take ten seconds. Then others may claim the deliveries. */
const LEASE_MS = 30 * SECOND_MS;
/** A subscription is ended when all of its calls have failed for this long. */
const FAILING_MS = 5 * DAY_MS;

type Statement = Batch[number];

/** A claimed delivery. */
interface Due {
  eventSeq: number;
  machineId: number;
  /** The number of calls that failed before. */
  attempts: number;
  /** Undefined: the event has been deleted. */
  event: StoredEvent | undefined;
}

interface Round {
  subscription: SubscriptionRow;
  secrets: readonly string[];
  /** The deliveries of each machine, in order. */
  chains: readonly (readonly Due[])[];
}

/** The results of a round. */
interface Results {
  attempts: AttemptRow[];
  outcomes: Outcome[];
  isGone: boolean;
  hasSucceeded: boolean;
}

/** The subscriptions that this isolate is working on: since when, and whether to check again at the end. */
const running = new Map<string, { since: number; isAskedAgain: boolean }>();

/** Makes the due calls of a webhook subscription until none is due. If this isolate is working on it already, that run checks again. */
export async function deliverWebhooks(env: Env, subscriptionId: string): Promise<void> {
  const known = running.get(subscriptionId);
  // The runtime may have ended the work without notice.
  if (known && Date.now() - known.since < LEASE_MS) {
    known.isAskedAgain = true;
    return;
  }
  const own = { since: Date.now(), isAskedAgain: false };
  running.set(subscriptionId, own);
  try {
    do {
      own.isAskedAgain = false;
      await run(env, subscriptionId, own.since);
    } while (own.isAskedAgain && Date.now() - own.since < RUN_MS);
    if (own.isAskedAgain) await sendQueueMessages(env, [queueMessageOf(subscriptionId)]);
  } finally {
    if (running.get(subscriptionId) === own) running.delete(subscriptionId);
  }
}

function queueMessageOf(subscriptionId: string, delayMs = 0): QueueMessage {
  return { queue: "WEBHOOKS", body: { subscriptionId }, delaySeconds: Math.ceil(delayMs / SECOND_MS) };
}

/** Works in rounds: the trip that stores the results of one round also claims the next. Another reads the names in its events. */
async function run(env: Env, subscriptionId: string, since: number): Promise<void> {
  const db = companyDb(env, "first-primary");
  let stored: readonly Statement[] = [];
  let queueMessages: readonly QueueMessage[] = [];
  while (true) {
    const isLast = Date.now() - since > RUN_MS;
    const round = await storeAndClaim(env, db, subscriptionId, stored, isLast);
    await sendQueueMessages(env, isLast ? [...queueMessages, queueMessageOf(subscriptionId)] : queueMessages);
    if (!round) return;
    [stored, queueMessages] = await conclude(env, db, round.subscription, await carryOut(env, round));
  }
}

/** Stores the results of a round and, unless `isLast`, claims the next. Null: `isLast`, nothing is due, or the subscription is not called. */
async function storeAndClaim(
  env: Env,
  db: CompanyDb,
  subscriptionId: string,
  stored: readonly Statement[],
  isLast: boolean,
): Promise<Round | null> {
  const now = Date.now();
  // Makes leases distinct, so that of two claims in the same millisecond each finds its own events.
  const lease = now + LEASE_MS + Math.floor(Math.random() * SECOND_MS);
  const [first, ...others] = stored;
  if (isLast) {
    if (first) await db.batch([first, ...others]);
    return null;
  }
  const claim = claimDeliveries(db, subscriptionId, { now, lease, limit: PER_ROUND, perMachine: PER_MACHINE });
  const reads = [selectClaimedEvents(db, subscriptionId, lease), selectSubscription(db, subscriptionId)] as const;
  const results = await db.batch([...stored, claim, ...reads, selectSecretOf(db, subscriptionId)] as unknown as [typeof claim]);
  const [claimed, events, [subscription], [companySecret]] = results.slice(stored.length) as unknown as [
    Omit<Due, "event">[],
    EventRow[],
    SubscriptionRow[],
    SecretRow[],
  ];
  if (!subscription || claimed.length === 0) return null;
  const named = await withNames(db, events.map(eventOf));
  const bySeq = new Map(named.map((event) => [event.seq, event]));
  const due = claimed.map((one) => ({ ...one, event: bySeq.get(one.eventSeq) })).sort((a, b) => a.eventSeq - b.eventSeq);
  return {
    subscription,
    secrets: await secretsOf(env, subscription, companySecret, now),
    chains: [...Map.groupBy(due, ({ machineId }) => machineId).values()],
  };
}

/** Makes the calls of a round; those of a machine one after the other, up to the first that fails. */
async function carryOut(env: Env, { subscription, secrets, chains }: Round): Promise<Results> {
  const startedAt = Date.now();
  const results: Results = { attempts: [], outcomes: [], isGone: false, hasSucceeded: false };
  await eachOf(chains, CALLS_AT_ONCE, async (chain) => {
    let isHeldUp = false;
    for (const due of chain) {
      if (isHeldUp || results.isGone || Date.now() - startedAt > ROUND_MS) {
        results.outcomes.push({ eventSeq: due.eventSeq, status: "pending", attempts: due.attempts, nextAttemptAt: startedAt });
      } else {
        isHeldUp = (await attempt(env, subscription.url, secrets, due, results)) === "pending";
      }
    }
  });
  return results;
}

/** Makes one call, adds its result to the results, and returns the delivery's new status. */
async function attempt(
  env: Env,
  url: string,
  secrets: readonly string[],
  { eventSeq, attempts, event }: Due,
  results: Results,
): Promise<Outcome["status"]> {
  const at = Date.now();
  if (!event) {
    results.outcomes.push({ eventSeq, status: "cancelled", attempts, nextAttemptAt: null });
    return "cancelled";
  }
  const body = JSON.stringify(envelopeOf(event, configOf(env).PUBLIC_URL));
  const call = await callWebhook(env, url, secrets, { id: event.id, at, body });
  results.attempts.push({ eventSeq, at, ...call });
  const isDone = call.error === null;
  if (isDone) results.hasSucceeded = true;
  if (call.status === 410) results.isGone = true;
  const delays = configOf(env).WEBHOOK_RETRY_SECONDS;
  const delay = isDone ? undefined : retryDelayMs(delays, attempts + 1, Math.random());
  const next = isDone ? "succeeded" : delay === undefined ? "failed" : "pending";
  results.outcomes.push({
    ...{ eventSeq, status: next, attempts: attempts + 1 },
    nextAttemptAt: delay === undefined ? null : Date.now() + delay,
  });
  return next;
}

/** Returns what to store after a round, and the queue messages to send then. */
async function conclude(
  env: Env,
  db: CompanyDb,
  subscription: SubscriptionRow,
  { attempts, outcomes, isGone, hasSucceeded }: Results,
): Promise<[readonly Statement[], readonly QueueMessage[]]> {
  const now = Date.now();
  const { id, failingSince } = subscription;
  const rows: Statement[] = storeResults(db, id, outcomes, attempts, now);
  if (attempts.length > 0) rows.push(noteFailing(db, id, hasSucceeded ? null : now));
  const isFailing = attempts.length > 0 && !hasSucceeded && failingSince !== null && now - failingSince >= FAILING_MS;
  if (isGone || isFailing) {
    const ended = await end(env, db, subscription, isGone ? "gone" : "failing", now);
    return [[...rows, ...ended.rows], ended.queueMessages];
  }
  const delays = outcomes.flatMap(({ status, nextAttemptAt }) => (status === "pending" ? (nextAttemptAt ?? now) - now : []));
  return [rows, delays.filter((delay) => delay > 0).map((delay) => queueMessageOf(id, delay))];
}

/** Ends a subscription: cancels its waiting deliveries and notifies the company's admins. */
async function end(env: Env, db: CompanyDb, subscription: SubscriptionRow, because: "gone" | "failing", now: number) {
  const { id, companyId, url, description, updatedAt } = subscription;
  const params = { description, url, failingSince: because === "gone" ? null : subscription.failingSince };
  const what = { kind: "webhook_paused" as const, params, key: `webhook:${id}:${updatedAt}` };
  const planned = await planMessages({ env, db, companyId, now }, { addresses: await listAdmins(db, companyId) }, what);
  return {
    rows: [endSubscription(db, id, because, now), cancelDeliveries(db, id, now), ...planned.rows],
    queueMessages: planned.queueMessages,
  };
}

/**
 * The delay between a failed call and the next one, in ms; undefined: there is none. It varies at random by up to a tenth, so that calls that failed
 * together are not repeated together.
 * @param failed the number of calls that have failed
 * @param random a number in [0, 1)
 */
export function retryDelayMs(delaysSeconds: readonly number[], failed: number, random: number): number | undefined {
  const delay = delaysSeconds[failed - 1];
  return delay === undefined ? undefined : delay * SECOND_MS * (0.9 + 0.2 * random);
}
