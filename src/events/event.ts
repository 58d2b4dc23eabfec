import type { BatchItem } from "drizzle-orm/batch";
import type { Db } from "../db/client.ts";
import type { events } from "../db/schema.ts";
import type { QueueMessage } from "./queues.ts";

/** An event to store. Its data contain ids and figures; names are added when it is stored (queries.ts). */
export type NewEvent = Pick<typeof events.$inferInsert, "id" | "companyId" | "machineId" | "type" | "at" | "data">;
export type StoredEvent = typeof events.$inferSelect;

interface ConsumerContext {
  env: Env;
  db: Db;
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
 * A consumer of a company's events, which arrive in order. It may get the same events twice, so its statements must do nothing the second time: ids
 * are derived from the events.
 */
export type EventConsumer = (context: ConsumerContext, events: readonly StoredEvent[]) => Promise<ConsumerResult>;
