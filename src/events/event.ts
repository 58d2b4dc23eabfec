import type { BatchItem } from "drizzle-orm/batch";
import type { Db } from "../db/client.ts";
import type { events } from "../db/schema.ts";
import type { Wake } from "./queues.ts";

/** An event as it is stored; the data hold ids and figures, names are added when it is stored (queries.ts). */
export type NewEvent = Pick<typeof events.$inferInsert, "id" | "companyId" | "machineId" | "type" | "at" | "data">;
export type StoredEvent = typeof events.$inferSelect;

export interface TellContext {
  env: Env;
  db: Db;
  companyId: number;
  /** Epoch ms. */
  now: number;
}

/** What follows from events: statements, which are committed together with the note that the events are dispatched, and messages for then. */
export interface Told {
  rows: readonly BatchItem<"sqlite">[];
  wakes: readonly Wake[];
}

/**
 * A consumer of a company's events, which come in order. It may get the same events twice, so its statements must do nothing the second
 * time: ids are derived from the events.
 */
export type Teller = (context: TellContext, events: readonly StoredEvent[]) => Promise<Told>;
