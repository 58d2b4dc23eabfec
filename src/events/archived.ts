import { type Envelope, envelopeOf } from "./envelope.ts";
import type { StoredEvent } from "./event.ts";

// Events in the archive (core/archive/parts.ts): a line is the event as it was shown, with the names of that time, and its place among those of its
// company.

/** A line of the archive. */
export interface ArchivedEvent extends Envelope {
  seq: number;
}

/** What becomes the line of a stored event, with its names. */
export function archivedEventOf(event: StoredEvent, publicUrl: string): ArchivedEvent {
  return { seq: event.seq, ...envelopeOf(event, publicUrl) };
}

/** The event in a line. */
export function eventInLine(line: string): Omit<StoredEvent, "companyId"> {
  const { seq, id, type, timestamp, data } = JSON.parse(line) as ArchivedEvent;
  const machineId = typeof data.machineId === "number" ? data.machineId : null;
  return { seq, id, type, machineId, at: Date.parse(timestamp), data };
}
