import { OBJECT_MS, within } from "../core/load.ts";

/**
 * What the queues carry. D1 holds what is due; a message only says where to look, so one too many does no harm and one too few is made up for
 * by the next run of the cron (src/jobs/sweep.ts).
 */
export interface Wakes {
  /** Events or conditions of a company wait to be dispatched. */
  EVENTS: { companyId: number };
  /** Deliveries of a webhook subscription are due. */
  WEBHOOKS: { subscriptionId: string };
  /** Messages of a company are due. */
  MESSAGES: { companyId: number };
  /** A run of a report subscription is due. */
  REPORTS: { logId: string };
}

export type QueueName = keyof Wakes;

/** A message to send, and after how many seconds it is to arrive. */
export type Wake = { [Name in QueueName]: { queue: Name; body: Wakes[Name]; delaySeconds?: number } }[QueueName];

/** The platform's limit for a delay. */
const MAX_DELAY_SECONDS = 12 * 3600;

/**
 * Has the events of a write dispatched, after the answer.
 * @param companyId whose they are; null: nothing was written
 */
export function tellEvents({ env, afterwards }: Teller, companyId: number | null): void {
  if (companyId !== null) afterwards(wake(env, [{ queue: "EVENTS", body: { companyId } }]));
}

interface Teller {
  env: Env;
  afterwards(work: Promise<unknown>): void;
}

/** Sends queue messages. Never fails, and gives up after a bounded time: D1 holds what is due, and the cron looks there every minute. */
export async function wake(env: Env, wakes: readonly Wake[]): Promise<void> {
  const distinct = new Map(wakes.map((one) => [JSON.stringify(one), one]));
  const sent = [...distinct.values()].map(async ({ queue, body, delaySeconds = 0 }) => {
    // The body names the queue: a dead letter does not tell where it came from.
    const send = env[queue].send({ queue, ...body }, { delaySeconds: Math.min(delaySeconds, MAX_DELAY_SECONDS) });
    await within(OBJECT_MS, "the queue", send);
  });
  await Promise.allSettled(sent);
}
