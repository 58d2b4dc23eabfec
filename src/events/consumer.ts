import type { BatchItem } from "drizzle-orm/batch";
import type { CompanyDb } from "../db/client.ts";
import type { StoredEvent } from "./event.ts";
import type { QueueMessage } from "./queues.ts";

interface ConsumerContext {
  env: Env;
  db: CompanyDb;
  companyId: number;
  /** Epoch ms. */
  now: number;
}

/**
 * The result of a consumer: statements, which are committed in the batch that marks the events as dispatched, and queue messages to send afterwards.
 */
interface ConsumerResult {
  rows: readonly BatchItem<"sqlite">[];
  queueMessages: readonly QueueMessage[];
}

/**
 * A consumer of a company's events, which arrive in order, without names. It may get the same events twice, so its statements must do nothing the second
 * time: ids are derived from the events.
 */
export type EventConsumer = (context: ConsumerContext, events: readonly StoredEvent[]) => Promise<ConsumerResult>;
