import type { EventType } from "../db/values.ts";

/** An event to store. Its data contain ids and figures; the members for names are null. */
export interface NewEvent {
  id: string;
  companyId: number;
  /** Null: it concerns no single machine. */
  machineId: number | null;
  type: EventType;
  /** When it happened. */
  at: number;
  data: Record<string, unknown>;
}

/** A stored event. */
export interface StoredEvent extends NewEvent {
  /** Its place among the events of its company. */
  seq: number;
}
