import type { EventResult } from "../../objects/machine-protocol.ts";
import type { FoldedEvent, MachineEvent } from "../../oee/events.ts";
import { type MachineLedger, startLedger } from "../../oee/machine.ts";
import { type CountedReading, readingOf } from "../../oee/readings.ts";
import { type SettingsHistory, settingsAt } from "../../oee/settings.ts";
import { certainTo, coverableFrom, kindAt } from "../../oee/signal.ts";
import { HOUR_MS, isoOf } from "../../oee/time.ts";
import { openPart, refusalOfPast } from "../ledger/books-door.ts";
import { markDirty, markUrgent, noteWhy } from "../ledger/progress.ts";
import { noteRewound, requestRecalculation, type Touched } from "../ledger/recalculation.ts";
import { lateEvents, ofImport, type Why } from "../ledger/why.ts";
import { lastFlush } from "../publish/outbox.ts";
import type { Configuration } from "../settings/configuration.ts";
import type { Head } from "../storage/ledger-rows.ts";
import type { MachineStorage } from "../storage/machine-storage.ts";
import { checkpointFor, forgottenTo, journalLedger, recalculableFrom } from "../storage/retention.ts";
import { dayOf } from "../storage/stored-days.ts";
import { advanceInto } from "./advance.ts";
import { MOST_HELD } from "./held-counts.ts";
import { hold, holdClosed, implausibleOf } from "./hold.ts";
import { positionOf, startOf, timeOf } from "./ledger-position.ts";
import { noteArrival } from "./live-since.ts";
import { asHeld, isRepeated, type StoredEvent, storedFrom, type TakenEvent } from "./stored-event.ts";

/** A late event costs the replay of all events after it, and of at most one such interval before it. */
const CHECKPOINT_EVERY_MS = HOUR_MS;
/** The most events that are folded again in one transaction. */
const MOST_AT_ONCE = 20_000;
/** The most archived days that are rewritten in one transaction. */
const MOST_DAYS_AT_ONCE = 20;

const conflict = {
  code: "conflict",
  message: "id: another event has it. Each event needs an id of its own.",
} satisfies EventResult;

const tooManyHeld = {
  code: "too_many_held",
  message: `The machine holds ${MOST_HELD} events already: an admin has to accept or drop some of them.`,
} satisfies EventResult;

/**
 * Stores the events that are new and acceptable, and brings the ledger up to `now`. Counts that the machine cannot have made are held: a
 * sample takes their place. Events of a time whose books are closed are held as well, and nothing takes their place. Runs inside a transaction. Returns
 * one result per event, in their order.
 * @param readings receives what new readings count, by position
 */
export function acceptEvents(
  storage: MachineStorage,
  configuration: Configuration,
  events: readonly TakenEvent[],
  now: number,
  readings = new Map<string, CountedReading>(),
): EventResult[] {
  const { history } = configuration;
  const newest = storage.events.newestPos();
  const find = storage.events.find(events);
  const refuse = refusals(storage, history);
  const refused = events.map((incoming) => refuse(incoming));
  const closed = ofClosedBooks(storage, events, refused, find);
  const isTaken = (incoming: TakenEvent, i: number) => refused[i] === null && !closed.has(incoming);
  const implausible = implausibleOf(storage, configuration, events.filter(isTaken), find);
  for (const [i, incoming] of events.entries()) if (implausible.tooMany.has(incoming)) refused[i] = tooManyHeld;
  const stored = events.filter(isTaken);
  const added = storage.events.add(
    stored.map((incoming) => (implausible.held.has(incoming) ? asHeld(incoming) : incoming)),
    now,
    find,
  );
  const context = { storage, identity: configuration.identity, now };
  hold(context, implausible, added);
  const heldClosed = holdClosed(context, closed);
  const firstById = firstOfIds(stored, added, now);
  const all = [...added].map(([pos, event]) => ({ pos, event })).sort((a, b) => (a.pos < b.pos ? -1 : 1));
  const head = storage.head();
  const far = farBack(storage, all, head);
  const why = whyOf(events);
  if (far.length > 0) requestRecalculation(storage, touchedBy(far), now, undefined, why);
  const inOrder = all.slice(far.length);
  const first = inOrder[0]?.pos ?? null;
  if (first !== null && newest === (head?.pos ?? null) && (newest === null || first > newest)) {
    // By far the most common case: the new events come after all folded ones, and need not be read again.
    fold(storage, configuration, inOrder, now, { readings });
  } else {
    const isLate = first !== null && head !== null && first < head.pos;
    if (isLate) {
      rewind(storage, history, first);
      noteWhy(storage, why);
    }
    // The rows in D1 may be wrong now.
    if (isLate && timeOf(first) < lastFlush(storage).flushedAt) markUrgent(storage);
    const isNew = (pos: string) => added.has(pos) || head === null || pos > head.pos;
    fold(storage, configuration, storage.events.after(storage.head()?.pos ?? "", now), now, { isNew, readings });
  }
  if (newest === null && first !== null) markUrgent(storage);
  const last = inOrder.at(-1);
  if (last) {
    const { noDataAfterMs } = settingsAt(history, now);
    noteArrival(storage, { newestAt: last.event.at, isFirst: newest === null, noDataAfterMs, now });
  }
  return events.map((incoming, i) => {
    const refusal = refused[i];
    if (refusal) return refusal;
    if (closed.has(incoming)) return heldClosed.delete(positionOf(incoming)) ? "accepted" : "duplicate";
    // Of two equal events in one batch, the first is accepted and the second is a duplicate.
    if (added.delete(positionOf(incoming))) return "accepted";
    return repeated(incoming, find(incoming) ?? firstById.get(incoming.id ?? ""));
  });
}

/**
 * New events of a time whose books are closed. What is stored already is a repeat, as ever. Those of an import are refused: whoever imports a file is told
 * which of its lines they are.
 * @param refused receives why events are refused
 */
function ofClosedBooks(
  storage: MachineStorage,
  events: readonly TakenEvent[],
  refused: (EventResult | null)[],
  find: (incoming: TakenEvent) => StoredEvent | undefined,
): ReadonlySet<TakenEvent> {
  const closed = new Set<TakenEvent>();
  const { count } = storage.held.totals();
  for (const [i, incoming] of events.entries()) {
    if (refused[i] || find(incoming)) continue;
    const refusal = refusalOfPast(storage, incoming.event.at);
    if (!refusal) continue;
    if (incoming.imported) refused[i] = { code: "too_late", message: `at: ${refusal.message}`, closedTo: refusal.closedTo };
    else if (count + closed.size >= MOST_HELD) refused[i] = tooManyHeld;
    else closed.add(incoming);
  }
  return closed;
}

function whyOf(events: readonly TakenEvent[]): Why {
  return events.some(({ imported }) => imported) ? ofImport : lateEvents;
}

/** Divides events into parts, in their order, each of which changes few of the archived days before an instant. */
export function ofFewDays<E extends TakenEvent>(events: readonly E[], archivedTo: number): E[][] {
  const parts: E[][] = [];
  let days = new Set<number>();
  for (const one of events) {
    const day = one.event.at < archivedTo ? dayOf(startOf(one.event.at)) : null;
    if (day !== null) days.add(day);
    const part = parts.at(-1);
    if (part && days.size <= MOST_DAYS_AT_ONCE) part.push(one);
    else {
      parts.push([one]);
      days = new Set(day === null ? [] : [day]);
    }
  }
  return parts;
}

/** The first of new events in order, from which too much would have to be folded again at once. */
function farBack<E extends { pos: string }>(storage: MachineStorage, inOrder: readonly E[], head: Head | null): E[] {
  const [first] = inOrder;
  if (!first || !head || first.pos > head.pos) return [];
  const near = nearFrom(storage);
  return inOrder.filter(({ pos }) => pos < near);
}

/** The position from which the events can be folded again in one transaction. */
function nearFrom(storage: MachineStorage): string {
  const [journal, few] = [startOf(forgottenTo(storage)), storage.events.lastOf(MOST_AT_ONCE)];
  return journal > few ? journal : few;
}

function touchedBy(inOrder: readonly { event: { at: number } }[]): Touched {
  return { from: inOrder[0]?.event.at ?? 0, until: inOrder.at(-1)?.event.at ?? 0 };
}

/** The first event with each id that a batch added. */
function firstOfIds(
  stored: readonly TakenEvent[],
  added: ReadonlyMap<string, MachineEvent>,
  now: number,
): Map<string, StoredEvent> {
  const first = new Map<string, StoredEvent>();
  for (const incoming of stored) {
    const { id } = incoming;
    if (id !== null && added.has(positionOf(incoming)) && !first.has(id)) first.set(id, storedFrom(incoming, now));
  }
  return first;
}

/** Folds the stored events up to `now` that are not in the ledger yet. Runs inside a transaction. */
export function advanceTo(storage: MachineStorage, configuration: Configuration, now: number): Head {
  return fold(storage, configuration, storage.events.after(storage.head()?.pos ?? "", now), now);
}

/**
 * @param events in order: all stored ones after the head up to `now`, and possibly later ones
 * @param isNew whether the event at a position was not in the ledger before
 * @param readings receives what new readings count, by position
 */
function fold(
  storage: MachineStorage,
  { history, calendar }: Configuration,
  events: Iterable<{ pos: string; event: FoldedEvent }>,
  now: number,
  { isNew = () => true, readings }: { isNew?: (pos: string) => boolean; readings?: Map<string, CountedReading> } = {},
): Head {
  const head = storage.head() ?? { pos: "", ledger: startLedger(history) };
  let { pos } = head;
  let ledger: MachineLedger | null = null;
  let at = 0;
  let checkpointAt = storage.ledger.newestCheckpointAt();
  let dirtyFrom = certainTo(head.ledger.signal);
  let isUrgent = false;
  let advance: ReturnType<typeof advanceInto> | null = null;
  for (const next of events) {
    if (next.event.at > now) break;
    ledger ??= structuredClone(head.ledger) as MachineLedger;
    checkpointAt = keepDayStart(storage, { pos, ledger }, next.pos, checkpointAt);
    pos = next.pos;
    at = next.event.at;
    dirtyFrom = Math.min(dirtyFrom, at);
    advance ??= advanceInto(storage.ledger, ledger, history, calendar);
    const before = isNew(pos) ? stateAt(ledger, at) : null;
    if (before !== null) noteReading(readings, next, ledger, history);
    if (mayCover(next.event, history)) dirtyFrom = Math.min(dirtyFrom, coverableFrom(ledger.signal));
    advance(next);
    if (before !== null && before !== stateAt(ledger, at)) isUrgent = true;
    if (checkpointAt === null || at - checkpointAt >= CHECKPOINT_EVERY_MS) {
      storage.ledger.addCheckpoint({ pos, ledger }, at);
      checkpointAt = at;
    }
  }
  if (!ledger) return head;
  const advanced = { pos, ledger };
  storage.saveHead(advanced);
  markDirty(storage, dirtyFrom);
  if (isUrgent) markUrgent(storage);
  return advanced;
}

/** Keeps the ledger before the first event of a UTC day, from which that day can be replayed. Returns the time of the newest checkpoint. */
function keepDayStart(storage: MachineStorage, before: Head, next: string, checkpointAt: number | null): number | null {
  if (before.pos === "" || dayOf(before.pos) === dayOf(next)) return checkpointAt;
  storage.ledger.addCheckpoint(before, timeOf(before.pos));
  return timeOf(before.pos);
}

function noteReading(
  readings: Map<string, CountedReading> | undefined,
  { pos, event }: { pos: string; event: FoldedEvent },
  ledger: MachineLedger,
  history: SettingsHistory,
): void {
  if (event.kind === "reading") readings?.set(pos, readingOf(ledger, event, history));
}

/** Whether an event can change the time before the newest sample. */
function mayCover(event: FoldedEvent, history: SettingsHistory): boolean {
  if (event.kind !== "count" && event.kind !== "reading" && event.kind !== "sample") return false;
  return event.since !== undefined || settingsAt(history, event.at).reportingMs !== undefined;
}

/** The state that makes an event urgent when it changes: the status, the run, whether anything was made in it, and the operators. */
function stateAt({ signal, run, signedIn }: MachineLedger, at: number): string {
  const isBegun = run !== null && run.made.total + run.made.cycles + run.made.defects > 0;
  return `${kindAt(signal, at)} ${run?.start} ${isBegun} ${Object.keys(signedIn)}`;
}

/**
 * Folds the events of a time again, as far as its books are open, because their meaning has changed: at once if they are few, and otherwise in a
 * recalculation.
 */
export function foldAgain(storage: MachineStorage, configuration: Configuration, touched: Touched, now: number, why: Why): void {
  const open = openPart(storage, touched);
  if (startOf(open.from) < nearFrom(storage)) requestRecalculation(storage, open, now, undefined, why);
  else {
    replayFrom(storage, configuration, open.from, now);
    noteWhy(storage, why);
  }
}

/** Folds the events since an instant again, and marks the rows of shifts that end after it as stale. */
export function replayFrom(storage: MachineStorage, configuration: Configuration, from: number, now: number): void {
  if (storage.head()) rewind(storage, configuration.history, startOf(from));
  advanceTo(storage, configuration, now);
  markDirty(storage, from);
}

function rewind(storage: MachineStorage, history: SettingsHistory, first: string): void {
  // Without one, the ledger of an archived time cannot be read: then the late event counts for nothing.
  const checkpoint = checkpointFor(storage, history, first, journalLedger(storage));
  if (!checkpoint) return;
  storage.rewinds += 1;
  storage.ledger.takeBack(checkpoint.pos);
  noteRewound(storage, first);
  storage.writeSpansAgain(checkpoint.pos);
  storage.saveHead(checkpoint);
  markDirty(storage, coverableFrom(checkpoint.ledger.signal));
}

/** The result of an event that is stored already, or whose id is. */
function repeated(incoming: TakenEvent, stored: StoredEvent | undefined): EventResult {
  return !stored || isRepeated(incoming, stored) ? "duplicate" : conflict;
}

function refusals(storage: MachineStorage, history: SettingsHistory): (incoming: TakenEvent) => EventResult | null {
  const { commissionedAt } = history[0];
  return (incoming) => {
    const { at } = incoming.event;
    const { decommissionedAt } = settingsAt(history, Number.MAX_SAFE_INTEGER);
    if (at < commissionedAt) {
      return {
        code: "before_commissioning",
        message: `The machine is commissioned at ${isoOf(commissionedAt)}, after this event.`,
      };
    }
    if (decommissionedAt !== null && at >= decommissionedAt) {
      return { code: "after_decommissioning", message: `The machine was decommissioned at ${isoOf(decommissionedAt)}.` };
    }
    const completeFrom = recalculableFrom(storage);
    if (at < completeFrom) {
      const message = `The machine's events are only kept since ${isoOf(completeFrom)}: what is older cannot be computed again.`;
      return { code: "too_late", message };
    }
    if (at < forgottenTo(storage) && !storage.events.isReadable(dayOf(startOf(at))))
      return { code: "too_late", message: "The machine's other events of that day cannot be read." };
    return null;
  };
}
