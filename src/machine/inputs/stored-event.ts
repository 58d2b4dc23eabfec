import type { IncomingEvent, SentPulses } from "../../objects/machine-protocol.ts";
import { type FoldedEvent, kindOrder, type MachineEvent } from "../../oee/events.ts";
import { idOf, positionOf } from "./ledger-position.ts";

/** An event that a machine takes, as what it means. */
export interface TakenEvent extends IncomingEvent {
  /** What a channel sent that it comes from; absent: it comes from none. */
  source?: {
    sent: SentPulses;
    /** The channel has fed the machine without a break since then (epoch ms; 0: always). */
    fedSince: number;
  };
  /** The import that it came with; absent: it was sent by itself. */
  imported?: Imported;
}

/** The number of an import, and when it was made (epoch ms): then its events arrived. */
interface Imported {
  importId: number;
  receivedAt: number;
}

/** An event as it is kept: pulses as they were sent. Older versions kept what they counted, as a count or a reading. */
export type InputEvent = MachineEvent | SentPulses;

/** An event at its place in the input log. */
export interface StoredEvent<Event = InputEvent> {
  readonly pos: string;
  readonly event: Event;
  /** The hash of its content, where an id is its identity. Events that were stored before November 2026 have none. */
  readonly content?: number;
  /** When it arrived (epoch ms). Events that version 0.1.0 stored have none. */
  readonly receivedAt?: number;
  /** The number of the import that it came with; absent: it was sent by itself. */
  readonly importId?: number;
}

/** An event as it is stored. */
export function storedFrom(incoming: TakenEvent, receivedAt: number): StoredEvent {
  const { id, content, event, source, imported } = incoming;
  return {
    pos: positionOf(incoming),
    event: source?.sent ?? event,
    ...(id !== null && { content: hashOf(content) }),
    ...(imported ? { receivedAt: imported.receivedAt, importId: imported.importId } : { receivedAt }),
  };
}

/** The same event, held: a sample with the same position, which shows that data flows, and adds nothing. */
export function asHeld({ id, content, event, source, imported }: TakenEvent): TakenEvent {
  const { at, since } = event as { at: number; since?: number };
  const meant = { kind: "sample" as const, at, ...(since !== undefined && { since }) };
  const sample: TakenEvent = { id, content, event: meant, ...(imported && { imported }) };
  return source ? { ...sample, source: { ...source, sent: { ...source.sent, isHeld: true } } } : sample;
}

export function isSentPulses(event: InputEvent): event is SentPulses {
  return event.kind === "pulses" || event.kind === "total";
}

/**
 * An event of version 0.1.0 as it was sent, as far as that is known: of readings always, of counts only where the content is the identity. The
 * others stay what they counted then. Events of this version are returned as they are.
 */
export function asSent(stored: StoredEvent): StoredEvent {
  const { pos, event, receivedAt } = stored;
  if (receivedAt !== undefined) return stored;
  if (event.kind === "reading") {
    const [nodeId = 0, channel = 0] = event.counter.split(":").map(Number);
    return { ...stored, event: { kind: "total", ...timesOf(event), nodeId, channel, value: event.value } };
  }
  if (event.kind !== "count" || idOf(pos) !== null) return stored;
  const [, nodeId, channel, value] = /=count (\d+) (\d+) (\d+)(?: since \d+)?$/.exec(pos) ?? [];
  if (value === undefined) return stored;
  const place = { nodeId: Number(nodeId), channel: Number(channel), value: Number(value) };
  return { ...stored, event: { kind: "pulses", ...timesOf(event), ...place } };
}

function timesOf({ at, since }: { at: number; since?: number }) {
  return since === undefined ? { at } : { at, since };
}

/** Whether an event repeats a stored one: the same time, kind and content. */
export function isRepeated(incoming: IncomingEvent, stored: StoredEvent): boolean {
  if (positionOf(incoming) !== stored.pos) return false;
  if (incoming.id === null) return true;
  if (stored.content !== undefined) return stored.content === hashOf(incoming.content);
  return JSON.stringify(incoming.event) === JSON.stringify(stored.event);
}

/** The hashes of the ids of events. */
export function idsOf(events: readonly Pick<StoredEvent, "pos">[]): Uint32Array<ArrayBuffer> {
  return Uint32Array.from(events.flatMap(({ pos }) => idOf(pos) ?? []).map(hashOf));
}

/** False for an event that a later version stored, which was rolled back: it is kept, and means nothing to this version. */
export function isOfKnownKind({ kind }: FoldedEvent): boolean {
  return Object.hasOwn(kindOrder, kind);
}

export function isStored(value: unknown): value is StoredEvent {
  const { pos, event } = Object(value) as { pos?: unknown; event?: { at?: unknown; kind?: unknown } };
  return typeof pos === "string" && typeof event?.at === "number" && typeof event.kind === "string";
}

/** FNV-1a. Stored, so never change it. */
export function hashOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** Stored events and added ones, in order. Where both have a position, the added one takes the place: the stored one was withdrawn. */
export function merged(stored: readonly StoredEvent[], added: readonly StoredEvent[]): StoredEvent[] {
  const taken = new Set(added.map(({ pos }) => pos));
  return inOrder([...stored.filter(({ pos }) => !taken.has(pos)), ...added]);
}

function inOrder<Event>(events: StoredEvent<Event>[]): StoredEvent<Event>[] {
  return events.sort((a, b) => (a.pos < b.pos ? -1 : 1));
}
