import { directoryDb } from "../db/client.ts";
import { insertDeadLetters } from "../directory/dead-letters.ts";
import type { QueueMessages, QueueName } from "../events/queues.ts";
import { STATEMENTS, withBudget } from "../limits/budget.ts";
import { deliverWebhooks } from "./deliver-webhooks.ts";
import { dispatchEvents } from "./dispatch-events.ts";
import { tryJob } from "./jobs.ts";
import { runDueReport } from "./run-report.ts";
import { sendMessages } from "./send-messages.ts";

type Consumer<Body> = (env: Env, body: Body, now: number, context: Background) => Promise<void>;

/** Lets work continue after a message is done. */
type Background = Pick<ExecutionContext, "waitUntil">;

/** The consumer of each queue; the names are those of wrangler.toml. */
const consumers: { readonly [Name in QueueName]: { queue: string; consume: Consumer<QueueMessages[Name]> } } = {
  EVENTS: { queue: "andon-events", consume: (env, { companyId }, now) => dispatchEvents(env, companyId, now) },
  WEBHOOKS: { queue: "andon-webhooks", consume: inBackground((env, body) => deliverWebhooks(env, body.subscriptionId)) },
  MESSAGES: { queue: "andon-messages", consume: inBackground((env, body) => sendMessages(env, body.companyId)) },
  REPORTS: { queue: "andon-reports", consume: (env, { logId }, now) => runDueReport(env, logId, now) },
  JOBS: { queue: "andon-jobs", consume: (env, job) => tryJob(env, job) },
};

const deadLetterQueue = "andon-dead-letters";

/**
 * A consumer that starts the work and acknowledges the message at once, so that a receiver that hangs does not hold up the messages behind it.
 * If the work fails or is cut off, D1 still has what is due, and the cron finds it there.
 */
function inBackground<Body extends object>(work: (env: Env, body: Body) => Promise<void>): Consumer<Body> {
  return async (env, body, _now, context) => {
    const done = work(env, body).catch((error) => {
      console.error(JSON.stringify({ event: "delivery_failed", ...body, error: String(error) }));
    });
    context.waitUntil(done);
  };
}

/** The pause before the first retry of a message; it doubles with each retry. */
const RETRY_SECONDS = 5;
const MAX_RETRY_SECONDS = 600;
/** As `max_retries` in wrangler.toml. */
const MAX_RETRIES = 8;

/**
 * Handles the messages of a queue one after the other; equal messages are handled once. A message that fails is retried later, and stored as a dead
 * letter after the last try. When the invocation has done enough, the others are delivered again, to another one. A message whose consumer died
 * without an answer arrives through the dead-letter queue.
 */
export async function consume(batch: MessageBatch, bindings: Env, context: Background, limit = STATEMENTS): Promise<void> {
  const { env, budget } = withBudget(bindings, limit);
  if (batch.queue === deadLetterQueue) return keepDeadLetters(env, batch.messages, null);
  const found = Object.values(consumers).find(({ queue }) => queue === batch.queue);
  if (!found) throw new Error(`Nothing consumes the queue "${batch.queue}".`);
  const work = found.consume as Consumer<unknown>;
  const equal = Map.groupBy(batch.messages, ({ body }) => JSON.stringify(body));
  for (const messages of equal.values()) {
    const [first] = messages;
    // Not those that would become dead letters.
    if (budget.isUsed && messages.every(({ attempts }) => attempts <= MAX_RETRIES)) {
      for (const message of messages) message.retry();
      continue;
    }
    try {
      await work(env, first?.body, Date.now(), context);
      for (const message of messages) message.ack();
    } catch (error) {
      console.error(JSON.stringify({ event: "message_failed", queue: batch.queue, body: first?.body, error: String(error) }));
      await giveUp(
        env,
        messages.filter(({ attempts }) => attempts > MAX_RETRIES),
        String(error),
      );
      for (const message of messages.filter(({ attempts }) => attempts <= MAX_RETRIES)) {
        message.retry({ delaySeconds: Math.min(RETRY_SECONDS * 2 ** (message.attempts - 1), MAX_RETRY_SECONDS) });
      }
    }
  }
}

/** Stores messages as dead letters. If that fails too, they go to the dead-letter queue. */
async function giveUp(env: Env, messages: readonly Message[], error: string): Promise<void> {
  try {
    await keepDeadLetters(env, messages, error);
    for (const message of messages) message.ack();
  } catch {
    for (const message of messages) message.retry();
  }
}

async function keepDeadLetters(env: Env, messages: readonly Message[], error: string | null): Promise<void> {
  const rows = messages.map(({ id, body: sent }) => {
    const { queue, ...body } = sent as { queue: string } & Record<string, unknown>;
    return { id, queue, body, error: error?.slice(0, MAX_ERROR_LENGTH) ?? null, createdAt: Date.now() };
  });
  if (rows.length > 0) await insertDeadLetters(directoryDb(env), rows);
}

const MAX_ERROR_LENGTH = 1000;
