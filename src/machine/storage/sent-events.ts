import type {
  KeptEvent,
  SentEventItem,
  SentEventsCursor,
  SentEventsPage,
  SentEventsQuery,
} from "../../objects/machine-protocol.ts";
import { idOf, startOf } from "../inputs/ledger-position.ts";
import type { StoredEvent } from "../inputs/stored-event.ts";
import type { MachineStorage } from "./machine-storage.ts";
import { recalculableFrom } from "./retention.ts";
import { DamagedDay, type DayPart, dayOf, keyOf } from "./stored-days.ts";

/** An item, and what continues after it. */
type Placed = SentEventItem & { cursor: SentEventsCursor };

/**
 * Returns events as they were sent, in order: first those of the days that are archived, then those of the journal. A damaged part of a day is an
 * item instead of its events. One part after the other is decoded.
 */
export function sentEvents(storage: MachineStorage, { start, end, after, limit, countTo }: SentEventsQuery): SentEventsPage {
  const [from, to] = [startOf(start), startOf(end)];
  const items: Placed[] = [];
  let isEnd = true;
  for (const item of placed(storage, from, to, after)) {
    isEnd = items.length < limit;
    if (!isEnd) break;
    items.push(item);
  }
  let count = 0;
  if (countTo > 0) for (const _ of placed(storage, from, to, null)) if (++count > countTo) break;
  return { items, isEnd, completeFrom: recalculableFrom(storage), ...(countTo > 0 && { count }) };
}

function* placed(storage: MachineStorage, from: string, to: string, after: SentEventsCursor | null): Generator<Placed> {
  const { key, pos: last } = after ?? { key: 0, pos: "" };
  for (const part of storage.days.parts(dayOf(from), dayOf(to))) {
    // Since the page before, events of the journal may have been archived.
    const isPassed = key === null ? part.lastPos <= last : keyOf(part) < key;
    if (!isPassed) yield* placedOf(storage, part, { from, to, last: key === null || keyOf(part) === key ? last : "" });
  }
  const journal = startOf(storage.events.archivedTo());
  const start = [from, journal, last].reduce((a, b) => (a > b ? a : b));
  for (const stored of storage.events.between(start, to)) {
    if (stored.pos > last) yield { event: eventOf(storage, stored), cursor: { key: null, pos: stored.pos } };
  }
}

function* placedOf(
  storage: MachineStorage,
  part: DayPart,
  { from, to, last }: { from: string; to: string; last: string },
): Generator<Placed> {
  const key = keyOf(part);
  try {
    for (const stored of storage.days.eventsOf(part)) {
      if (stored.pos < from || stored.pos >= to || stored.pos <= last) continue;
      yield { event: eventOf(storage, stored), cursor: { key, pos: stored.pos } };
    }
  } catch (error) {
    if (!(error instanceof DamagedDay)) throw error;
    const { day, part: number, events } = part;
    yield { damaged: { day, part: number, events }, cursor: { key: key + 1, pos: "" } };
  }
}

function eventOf(storage: MachineStorage, stored: StoredEvent): KeptEvent {
  const { pos, event, receivedAt, importId } = stored;
  const isWithdrawn = storage.events.isWithdrawn(stored);
  return {
    ...{ id: idOf(pos), event, isWithdrawn },
    ...(receivedAt !== undefined && { receivedAt }),
    ...(importId !== undefined && { importId }),
  };
}
