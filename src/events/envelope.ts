import type { EventType } from "../db/values.ts";
import { isoOf } from "../oee/time.ts";
import type { StoredEvent } from "./event.ts";

/** An event as it is published by `GET /v1/events` and by webhooks. docs/events.md describes the data of each type. */
export interface Envelope {
  /** The same for each delivery. */
  id: string;
  type: EventType;
  /** When it happened, ISO 8601. */
  timestamp: string;
  data: Record<string, unknown>;
  /** The page of the board for it; null: the service does not know its own address. */
  url: string | null;
}

/**
 * The envelope of an event.
 * @param publicUrl the address of the service, without a trailing slash; empty: unknown
 */
export function envelopeOf(
  { id, type, at, machineId, data }: Omit<StoredEvent, "companyId" | "seq">,
  publicUrl: string,
): Envelope {
  return { id, type, timestamp: isoOf(at), data, url: publicUrl === "" ? null : publicUrl + pageOf(type, machineId, data) };
}

/** The page of the board that shows the event: of its incident, of orders, or of the machine. */
function pageOf(type: EventType, machineId: number | null, { incidentId }: StoredEvent["data"]): string {
  if (typeof incidentId === "string") return `/desk/incidents/${encodeURIComponent(incidentId)}`;
  if (type.startsWith("work_order.")) return "/desk/orders";
  return machineId === null ? "/desk" : `/floor/${machineId}`;
}
