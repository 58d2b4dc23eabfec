import { recordId } from "../../core/record-id.ts";
import type { LedgerView } from "../../oee/machine.ts";
import { factorsOf, toMinutes, toPercent } from "../../oee/metrics.ts";
import type { ShiftCalendar, ShiftOccurrence } from "../../oee/shifts.ts";
import { silentSince } from "../../oee/signal.ts";
import { HOUR_MS, isoOf } from "../../oee/time.ts";
import type { Piece } from "../../oee/timeline.ts";
import { flagsOf } from "../edits/marks.ts";
import type { LedgerReader } from "../ledger/ledger-reader.ts";
import { lateEvents } from "../ledger/why.ts";
import type { MachineStorage, PublishedPresence, PublishedStop, StoredStop } from "../storage/machine-storage.ts";
import { type MachineEventType, ofMachine, putMachineEvent } from "./machine-event.ts";
import type { ProjectionContext, RecordChange } from "./projection.ts";
import type { RecordRow } from "./published-rows.ts";

// The events that a machine publishes: docs/events.md. The state as last published is kept beside the present one and compared with it when
// the rows of the projection are computed, in the same transaction. An event is a row that is sent once, in the order of its number.

/** Anything that ended longer ago than this when it is found is history and not published, so that loading old data floods nobody. */
const HISTORY_MS = 48 * HOUR_MS;

/** Publishes what is new about a stop since the last time: that it was opened, closed, classified or changed. */
export function publishStop(context: ProjectionContext, stop: StoredStop, piece: Piece, calendar: ShiftCalendar): void {
  if (!piece.stop) return;
  const { storage } = context;
  const old = stop.published;
  const now = factsOf(stop, piece.stop);
  const isNew = old === null;
  const changed = isNew ? causes.filter((cause) => now[cause] !== null) : differing(old, now);
  if (!isNew && changed.length === 0) {
    // A stop from before events existed has only some members stored: add the others, without an event.
    if (Object.keys(old).length < Object.keys(now).length) storage.savePublished(stop.seq, now);
    return;
  }
  if (isNew && !isHeardOf(context)) return;
  storage.savePublished(stop.seq, now);
  // What subscribers know of the last days is put right, also where it is history now.
  if (!isNews(context, now.until) && (old?.until === undefined || !isNews(context, old.until))) return;
  const publish = (type: MachineEventType, at: number, more: object = {}) => {
    putMachineEvent(context, type, stopId(context, stop), at, { ...stopData(context, stop, now, calendar), ...more });
  };
  const isClosing = now.until !== null && (isNew || old.until === null);
  const isClassified = changed.some(isCause);
  const others = changed.filter((member) => !(isClosing && member === "until") && !isCause(member));
  const changes = (members: readonly Member[]) => ({ changes: changesOf(old ?? {}, now, members) });
  if (isNew) publish("stop.opened", now.since);
  if (isClosing) publish("stop.closed", now.until ?? context.now);
  // A cause sets the flags of the stop, so their changes go into the same event.
  if (isClassified) publish("stop.classified", context.now, changes([...changed.filter(isCause), ...others]));
  else if (others.length > 0) publish("stop.changed", context.now, { ...changes(others), isRemoved: false });
}

/** Publishes that a stop that was published before does not exist any more, or is part of another one. */
export function publishRemovedStop(context: ProjectionContext, stop: StoredStop, calendar: ShiftCalendar): void {
  const { published } = stop;
  if (published === null || !isNews(context, published.until)) return;
  const data = { ...stopData(context, stop, published, calendar), changes: {}, isRemoved: true };
  putMachineEvent(context, "stop.changed", stopId(context, stop), context.now, data);
}

/** Publishes that a shift was closed, or that the numbers of a closed shift have changed. */
export function publishShift(context: ProjectionContext, occurrence: ShiftOccurrence, change: RecordChange | null): void {
  if (!change || change.row.openBucket !== null || !isHeardOf(context)) return;
  const { old, row, createdAt } = change;
  const isRevision = old !== null && old.openBucket === null;
  // Numbers that were reported in time are news whenever they change. A shift that was history when it was found stays history.
  const wasReported = isRevision && createdAt <= occurrence.end + HISTORY_MS;
  if (!wasReported && !isNews(context, occurrence.end)) return;
  const { id, shiftId, startAt, asOf } = row;
  const numbers = numbersOf(row);
  const data = {
    ...ofMachine(context),
    ...{ recordId: id, shiftId, shiftName: null, since: isoOf(startAt), until: isoOf(asOf) },
    ...numbers,
  };
  if (!isRevision) {
    putMachineEvent(context, "shift.closed", id, asOf, data);
    return;
  }
  const before = numbersOf(old);
  const changed = (Object.keys(numbers) as (keyof typeof numbers)[]).filter((member) => numbers[member] !== before[member]);
  if (changed.length === 0) return;
  const changes = Object.fromEntries(changed.map((member) => [member, { from: before[member], to: numbers[member] }]));
  const { reasons } = context.why ?? lateEvents;
  putMachineEvent(context, "shift.revised", id, context.now, { ...data, changes, reasons: [...reasons] });
}

/** A stored key: it keeps its name, because two versions of the service may share the storage. */
const SIGNAL_KEY = "told signal";

/** Publishes when no data came for longer than the machine's limit, and when data came again. Nothing is published before its first event. */
export function publishSignal(context: ProjectionContext, { signal }: LedgerView, reader: LedgerReader): void {
  const { storage, now, identity } = context;
  const known = storage.value<{ noDataSince: number | null }>(SIGNAL_KEY);
  const noDataSince = isHeardOf(context) && reader.until === now ? silentSince(signal, now) : null;
  if (known?.noDataSince === noDataSince) return;
  storage.saveValue(SIGNAL_KEY, { noDataSince });
  // The first time, only the present state is known.
  if (!known || (noDataSince === null) === (known.noDataSince === null)) return;
  const since = noDataSince ?? known.noDataSince ?? now;
  const data = { ...ofMachine(context), since: isoOf(since) };
  if (noDataSince !== null) {
    putMachineEvent(context, "machine.no_data", identity.machineId, since, data);
    return;
  }
  // A machine that was taken out of service stays silent.
  const until = storage.events.firstSampleAfter(since, now);
  if (until !== null)
    putMachineEvent(context, "machine.signal_back", identity.machineId, until, { ...data, until: isoOf(until) });
}

/** Publishes the sign-ins and sign-outs of presences that end after an instant, and publishes them again if late events move them. */
export function publishPresences(
  context: ProjectionContext,
  ledger: LedgerView,
  calendar: ShiftCalendar,
  changedFrom: number,
): void {
  const { storage, now } = context;
  // A presence that ends exactly at the instant may have been open before it.
  const from = changedFrom - 1;
  const left = storage.publishedPresences(from);
  const news: PresenceNews[] = [];
  for (const presence of presencesSince(storage, ledger, calendar, from, now)) {
    const old = takeSame(left, presence);
    const isMoved = old?.start !== presence.start;
    if (!isMoved && old.end === presence.end) continue;
    if (old && isMoved) storage.deletePublishedPresence(old);
    storage.savePublishedPresence(presence);
    const isReopened = presence.end === null && old?.end !== null;
    if (isMoved || isReopened) news.push({ type: "operator.signed_in", at: presence.start, presence });
    if (presence.end !== null && old?.end !== presence.end) {
      news.push({ type: "operator.signed_out", at: presence.end, presence, isRemoved: false });
    }
  }
  for (const presence of left) {
    storage.deletePublishedPresence(presence);
    news.push({ type: "operator.signed_out", at: now, presence, isRemoved: true });
  }
  news.sort((a, b) => a.at - b.at);
  for (const one of news) if (isNews(context, one.presence.end)) publishPresence(context, one);
}

type PresenceNews = { at: number; presence: PublishedPresence } & (
  | { type: "operator.signed_in" }
  | { type: "operator.signed_out"; isRemoved: boolean }
);

function publishPresence(context: ProjectionContext, { type, at, presence, ...more }: PresenceNews): void {
  const { operatorId, start, end } = presence;
  const data = { ...ofMachine(context), operatorId, operatorName: null, since: isoOf(start) };
  const ended = type === "operator.signed_out" ? { until: isoOf(end), ...more } : {};
  putMachineEvent(context, type, operatorId, at, { ...data, ...ended });
}

/** All presences that end after an instant, by their start. */
function presencesSince(
  storage: MachineStorage,
  ledger: LedgerView,
  calendar: ShiftCalendar,
  from: number,
  now: number,
): PublishedPresence[] {
  const open = Object.entries(ledger.signedIn).map(([id, start]): PublishedPresence => {
    const end = calendar.signOutAt(start);
    return { operatorId: Number(id), start, end: end <= now ? end : null };
  });
  const closed: PublishedPresence[] = storage.ledger.presences({ start: from, end: Number.MAX_SAFE_INTEGER });
  return [...closed, ...open.filter(({ end }) => end === null || end > from)].sort((a, b) => a.start - b.start);
}

/** Removes and returns the presence of the list that is the same one: it starts at the same time, or overlaps it. Null: none is. */
function takeSame(left: PublishedPresence[], { operatorId, start, end }: PublishedPresence): PublishedPresence | null {
  const isOwn = (old: PublishedPresence) => old.operatorId === operatorId;
  const last = Number.MAX_SAFE_INTEGER;
  const overlaps = (old: PublishedPresence) => old.start < (end ?? last) && start < (old.end ?? last);
  const same = left.find((old) => isOwn(old) && old.start === start) ?? left.find((old) => isOwn(old) && overlaps(old));
  if (same) left.splice(left.indexOf(same), 1);
  return same ?? null;
}

/** Whether the machine has started, or a person edits. Before that, its set-up is still being entered and everything is recomputed. */
function isHeardOf({ storage, isEdit = false }: ProjectionContext): boolean {
  return isEdit || storage.events.newestAt() !== null;
}

function isNews({ now, isEdit = false }: ProjectionContext, until: number | null | undefined): boolean {
  return isEdit || (until ?? now) > now - HISTORY_MS;
}

const causes = ["generalCauseId", "specificCauseId", "componentId", "description"] as const;
type Member = keyof PublishedStop;

function isCause(member: Member): boolean {
  return causes.some((cause) => cause === member);
}

function factsOf({ start, end, mark }: StoredStop, stop: NonNullable<Piece["stop"]>): PublishedStop {
  const { isManual, isProgrammed, isIncludedInAvailability, breakName } = stop;
  const { generalCauseId = null, specificCauseId = null, componentId = null, description = null } = mark?.classification ?? {};
  return {
    since: start,
    until: end,
    ...{ isManual, isProgrammed, isIncludedInStops: flagsOf(mark).isIncludedInStops ?? true, isIncludedInAvailability },
    ...{ name: mark?.name ?? null, breakName, generalCauseId, specificCauseId, componentId, description },
  };
}

/** The published members that have different values now. */
function differing(old: Partial<PublishedStop>, now: PublishedStop): Member[] {
  return (Object.keys(now) as Member[]).filter((member) => member in old && old[member] !== now[member]);
}

function changesOf(old: Partial<PublishedStop>, now: PublishedStop, members: readonly Member[]) {
  const isTime = (member: Member) => member === "since" || member === "until";
  const shown = (stop: Partial<PublishedStop>, member: Member) =>
    isTime(member) ? isoOf((stop[member] as number | null | undefined) ?? null) : (stop[member] ?? null);
  return Object.fromEntries(members.map((member) => [member, { from: shown(old, member), to: shown(now, member) }]));
}

function stopData(context: ProjectionContext, stop: StoredStop, published: Partial<PublishedStop>, calendar: ShiftCalendar) {
  const { since = stop.start, until = stop.end, ...facts } = { ...plainStop, ...published };
  const names = { generalCauseName: null, specificCauseName: null, componentName: null };
  return {
    ...ofMachine(context),
    stopId: stopId(context, stop),
    ...{ shiftId: calendar.between(since, until ?? since + 1)[0]?.shiftId ?? null, shiftName: null },
    ...{ since: isoOf(since), until: isoOf(until) },
    ...facts,
    ...names,
  };
}

/** Defaults for members that were never published: stops from before events existed have only some of them. */
const plainStop = {
  ...{
    isManual: false,
    isProgrammed: false,
    isIncludedInStops: true,
    isIncludedInAvailability: true,
    name: null,
    breakName: null,
  },
  ...{ generalCauseId: null, specificCauseId: null, componentId: null, description: null },
};

function stopId({ identity }: ProjectionContext, { seq }: StoredStop): number {
  return recordId(identity.machineId, seq);
}

/** The numbers of a closed shift that its events contain. */
function numbersOf(row: RecordRow) {
  const { availability, effectiveness, quality, oee } = factorsOf(row, row);
  return {
    availableMinutes: toMinutes(row.availableMs),
    noDataMinutes: toMinutes(row.noDataMs),
    programmedMinutes: toMinutes(row.programmedMs),
    nonProgrammedMinutes: toMinutes(row.nonProgrammedMs),
    otherMinutes: toMinutes(row.otherMs),
    cycles: row.cycles,
    total: row.totalUnits,
    defects: row.defectUnits,
    availability: toPercent(availability),
    effectiveness: toPercent(effectiveness),
    quality: toPercent(quality),
    oee: toPercent(oee),
  };
}
