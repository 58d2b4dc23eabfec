import { openDb } from "../db/client.ts";
import { deadLetters } from "../db/schema.ts";
import type { QueueName, Wakes } from "../events/queues.ts";
import { dispatchEvents } from "./dispatch-events.ts";

type Consumer<Body> = (env: Env, body: Body, now: number) => Promise<void>;

/** What is done for the messages of each queue; the names are those of wrangler.toml. */
const consumers: { readonly [Name in QueueName]: { queue: string; consume: Consumer<Wakes[Name]> } } = {
  EVENTS: { queue: "andon-events", consume: (env, { companyId }, now) => dispatchEvents(env, companyId, now) },
  WEBHOOKS: { queue: "andon-webhooks", consume: async () => undefined },
  MESSAGES: { queue: "andon-messages", consume: async () => undefined },
  REPORTS: { queue: "andon-reports", consume: async () => undefined },
};

export const deadLetterQueue = "andon-dead-letters";

/** A message that failed is tried again so much later, the first time. */
const RETRY_SECONDS = 5;
const MAX_RETRY_SECONDS = 600;

/** Works through messages of a queue, equal ones together. Each that fails is sent again later, and in the end as a dead letter. */
export async function consume(batch: MessageBatch, env: Env): Promise<void> {
  if (batch.queue === deadLetterQueue) return keepDeadLetters(batch, env);
  const found = Object.values(consumers).find(({ queue }) => queue === batch.queue);
  if (!found) throw new Error(`Nothing consumes the queue "${batch.queue}".`);
  const work = found.consume as Consumer<unknown>;
  const equal = Map.groupBy(batch.messages, ({ body }) => JSON.stringify(body));
  const groups = [...equal.values()].map(async (messages) => {
    try {
      await work(env, messages[0]?.body, Date.now());
      for (const message of messages) message.ack();
    } catch (error) {
      console.error(
        JSON.stringify({ event: "message_failed", queue: batch.queue, body: messages[0]?.body, error: String(error) }),
      );
      for (const message of messages) {
        message.retry({ delaySeconds: Math.min(RETRY_SECONDS * 2 ** (message.attempts - 1), MAX_RETRY_SECONDS) });
      }
    }
  });
  await Promise.all(groups);
}

async function keepDeadLetters(batch: MessageBatch, env: Env): Promise<void> {
  const rows = batch.messages.map(({ id, body }) => {
    return { id, queue: batch.queue, body: body as Record<string, unknown>, error: null, createdAt: Date.now() };
  });
  await openDb(env).insert(deadLetters).values(rows).onConflictDoNothing();
}
