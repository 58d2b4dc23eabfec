import { chunksOf, OBJECT_MS, within } from "../limits/load.ts";

/** The jobs that crons begin, or that one of these jobs begins for some companies, or a write for some machines. */
export type JobName =
  | "sweep"
  | "configure"
  | "reports"
  | "orders"
  | "lateOrders"
  | "orderRules"
  | "forget"
  | "forgetShared"
  | "wakeOverdue"
  | "rollCall"
  | "databaseSize"
  | "rotateKey"
  | "directory";

/** A job to do. */
export interface Job {
  job: JobName;
  /** The time as of which it is done (epoch ms): that of its cron. */
  at: number;
  /** For these companies only. */
  companyIds?: number[];
  /** For these machines of the company only. */
  machineIds?: number[];
  /** Of `orderRules`: it is about gateways instead of orders. The released version looks at the orders then, which does no harm. */
  about?: "gateways";
}

/**
 * The messages of the queues. D1 holds the work that is due; a message only says where to look, so an extra message does no harm, and the next run of
 * the cron (src/jobs/sweep.ts) makes up for a missing one.
 */
export interface QueueMessages {
  /** Events or conditions of a company are waiting to be dispatched. */
  EVENTS: { companyId: number };
  /** Deliveries of a webhook subscription are due. */
  WEBHOOKS: { subscriptionId: string };
  /** Messages of a company are due. */
  MESSAGES: { companyId: number };
  /** A run of a report subscription is due. */
  REPORTS: { logId: string };
  /** A job is due. Each has an invocation of its own, because the platform limits the work of an invocation. */
  JOBS: Job;
}

export type QueueName = keyof QueueMessages;

/** A queue message to send, and the delay in seconds after which it arrives. */
export type QueueMessage = { [Name in QueueName]: { queue: Name; body: QueueMessages[Name]; delaySeconds?: number } }[QueueName];

/** The platform's maximum delay. */
const MAX_DELAY_SECONDS = 12 * 3600;

/**
 * Has the events of a write dispatched after the response.
 * @param companyId the company of the events; null: nothing was written
 */
export function dispatchAfterwards({ env, afterwards }: Notifier, companyId: number | null): void {
  if (companyId !== null) afterwards(sendQueueMessages(env, [{ queue: "EVENTS", body: { companyId } }]));
}

interface Notifier {
  env: Env;
  afterwards(work: Promise<unknown>): void;
}

/** Sends queue messages. Never fails, and gives up after a bounded time: D1 holds the work that is due, and the cron checks it every minute. */
export async function sendQueueMessages(env: Env, queueMessages: readonly QueueMessage[]): Promise<void> {
  await enqueue(env, queueMessages).catch(() => undefined);
}

/** The platform's maximum number of messages per call. They are far below its maximum size. */
const MESSAGES_PER_CALL = 100;

/**
 * Sends queue messages, equal ones once.
 * @throws if a queue did not take some of them within a bounded time, after sending the others
 */
export async function enqueue(env: Env, queueMessages: readonly QueueMessage[]): Promise<void> {
  const distinct = new Map(queueMessages.map((one) => [JSON.stringify(one), one]));
  const sent = [...Map.groupBy(distinct.values(), ({ queue }) => queue)].flatMap(([queue, messages]) =>
    chunksOf(messages, MESSAGES_PER_CALL).map(async (some) => {
      const requests = some.map(({ body, delaySeconds = 0 }) => ({
        // The body names the queue, because a dead letter does not say where it came from.
        body: { queue, ...body },
        delaySeconds: Math.min(delaySeconds, MAX_DELAY_SECONDS),
      }));
      await within(OBJECT_MS, "the queue", env[queue].sendBatch(requests));
    }),
  );
  const failed = (await Promise.allSettled(sent)).find((one) => one.status === "rejected");
  if (failed) throw failed.reason;
}
