import type { DatedPiece } from "../../objects/dated-set-up.ts";
import { PLAN_AHEAD_MS, type PresentSettings, type SetUp } from "../../objects/set-up.ts";
import { differingDays } from "../../oee/calendar-day.ts";
import { minOf } from "../../oee/extremes.ts";
import { type SettingsHistory, settingsAt } from "../../oee/settings.ts";
import { MAX_SHIFT_MS, ShiftCalendar } from "../../oee/shifts.ts";
import { DAY_MS } from "../../oee/time.ts";
import { localToUtc } from "../../oee/zone.ts";
import { saveHoldFactor } from "../inputs/hold.ts";
import { foldAgain, replayFrom } from "../inputs/input-log.ts";
import { openSince } from "../ledger/books-door.ts";
import { markDirty, noteWhy } from "../ledger/progress.ts";
import type { Touched } from "../ledger/recalculation.ts";
import type { Why } from "../ledger/why.ts";
import { saveAlertSetUp } from "../publish/alert-watch.ts";
import { deleteShiftsExcept, deleteStopRows } from "../publish/projection.ts";
import type { MachineStorage } from "../storage/machine-storage.ts";
import { recalculableFrom, settingsNeededFrom } from "../storage/retention.ts";
import type { Identity } from "./configuration.ts";
import { differenceOf } from "./dated-settings.ts";
import { skusOf } from "./stored-settings.ts";

/** Operator plans are known until some time ahead. When it is less than this ahead, later plans are read. */
const PLAN_LEFT_MS = 7 * DAY_MS;

const PLAN_KEY = "plan known to";
const CHANGED_KEY = "settings changed at";

/** Who made a change of the set-up is said by its version. */
export const byVersions: Why = { reasons: ["setUp"], by: null };

/** When the settings changed last; 0: never. The machine's clock is not before it, not even where the platform's was set back. */
export function settingsChangedAt(storage: MachineStorage): number {
  return storage.value<number>(CHANGED_KEY) ?? 0;
}

/** The time whose operator plans an object reads from D1. */
export function planWindow(storage: MachineStorage, now: number): { start: number; end: number } {
  // Until the first event, the whole plan applies. Afterwards, the plan of the past is stored.
  return { start: hasPast(storage) ? now : 0, end: now + PLAN_AHEAD_MS };
}

/** Whether the set-up up to now stays as it was, unless somebody dates it: there are events, or closed books. */
function hasPast(storage: MachineStorage): boolean {
  return storage.events.newestAt() !== null || storage.floor().at > 0;
}

/** Whether plans have to be read that were too far ahead the last time. */
export function isPlanDue(storage: MachineStorage, now: number): boolean {
  return (storage.value<number>(PLAN_KEY) ?? 0) - now < PLAN_LEFT_MS;
}

/**
 * Takes over a machine's set-up from D1. Until the first event, the set-up applies from the commissioning, no matter in which order it
 * was entered. Afterwards a change applies from `now`, and earlier times keep the settings that they had. Runs inside a transaction.
 */
export function takeOver(
  storage: MachineStorage,
  { identity, settings: read, plans, calendarDays, channels, alerts, holdFactor, isDeleted, dated }: SetUp,
  now: number,
): void {
  const owner = storage.identity()?.companyId ?? identity.companyId;
  // After D1 was restored, it may assign a machine's id a second time.
  if (owner !== identity.companyId)
    throw new Error(`Machine ${identity.machineId} was another company's: its object is not free`);
  const history = storage.settings.history(settingsNeededFrom(storage));
  storage.saveIdentity(identity);
  const channelsBefore = storage.channels();
  storage.saveChannels(channels);
  saveAlertSetUp(storage, alerts);
  saveHoldFactor(storage, holdFactor);
  storage.saveValue(PLAN_KEY, plans.end);
  const changedDays = calendarDays ? differingDays(storage.settings.calendarDays(), calendarDays) : null;
  if (calendarDays && changedDays) storage.settings.saveCalendarDays(calendarDays);
  const isHeard = hasPast(storage);
  // A machine that was deleted before its first event was never in service: it is in no total.
  const settings = isDeleted && !isHeard ? { ...read, decommissionedAt: read.commissionedAt } : read;
  const begins = isHeard && history ? history[0].commissionedAt : settings.commissionedAt;
  if (settings.commissionedAt < begins) storage.settings.moveCommissioning(settings.commissionedAt);
  if (!history) storage.settings.save(settings, 0);
  else if (!isHeard) replaceSettings(storage, identity, settings, changedDays !== null, now);
  else addSettings(storage, identity, history, settings, now);
  if (history && isHeard && changedDays) followDays(storage, identity, history, changedDays, now);
  if (dated) followDated(storage, identity, { dated, commissionedAt: settings.commissionedAt, isHeard, now });
  if (settings.commissionedAt < begins) beginEarlier(storage, identity, { from: settings.commissionedAt, until: begins }, now);
  if (isHeard) interpretAgain(storage, identity, storage.channels().firstDifference(channelsBefore), now);
}

/** Takes over what somebody dated, and computes again what follows the first difference. */
function followDated(
  storage: MachineStorage,
  identity: Identity,
  {
    dated,
    commissionedAt,
    isHeard,
    now,
  }: { dated: readonly DatedPiece[]; commissionedAt: number; isHeard: boolean; now: number },
): void {
  const keptFrom = recalculableFrom(storage);
  const wanted = dated.flatMap((piece) => {
    // What holds when the machine is commissioned held always: no shift of other settings is running then.
    const since = Math.max(piece.since <= commissionedAt ? 0 : piece.since, keptFrom);
    return piece.until !== null && piece.until <= since ? [] : [{ ...piece, since }];
  });
  const change = storage.settings.datedChange(wanted, now);
  if (!change) return;
  const before = storage.settings.history(0);
  storage.settings.saveDated(change);
  const history = storage.settings.history(0);
  const touched = before && history && differenceOf(before, history, skusOf(change), now);
  if (!history || !touched) return;
  const calendar = new ShiftCalendar(history);
  if (!isHeard) {
    makeAgain(storage, identity, history, now);
    return;
  }
  storage.saveValue(CHANGED_KEY, now);
  const from = Math.max(touched.from, commissionedAt, keptFrom);
  foldAgain(storage, { identity, history, calendar }, { from, until: Math.max(from, touched.until) }, now, byVersions);
}

/** Makes the shifts of a time in which the machine was not in service before, and what follows from it. */
function beginEarlier(storage: MachineStorage, identity: Identity, added: Touched, now: number): void {
  const history = storage.settings.history(0);
  if (history) foldAgain(storage, { identity, history, calendar: new ShiftCalendar(history) }, added, now, byVersions);
}

/** Counts again what was sent since the channels differ: pulses may arrive before the object knows of a change. */
function interpretAgain(storage: MachineStorage, identity: Identity, since: number | null, now: number): void {
  if (since === null || since > (storage.events.newestAt() ?? 0)) return;
  const history = storage.settings.history(settingsNeededFrom(storage));
  if (!history) return;
  const calendar = new ShiftCalendar(history);
  const touched = { from: Math.max(since, recalculableFrom(storage)), until: storage.events.newestAt() ?? now };
  foldAgain(storage, { identity, history, calendar }, touched, now, byVersions);
}

/** Replaces the settings of a machine without events: if they or calendar days differ, everything is computed again from the new ones. */
function replaceSettings(
  storage: MachineStorage,
  identity: Identity,
  settings: PresentSettings,
  hasOtherDays: boolean,
  now: number,
): void {
  if (!storage.settings.save(settings, 0) && !hasOtherDays) return;
  makeAgain(storage, identity, storage.settings.history(0) ?? [{ since: 0, ...settings }], now);
}

/** Makes all rows of a machine without events anew. */
function makeAgain(storage: MachineStorage, identity: Identity, history: SettingsHistory, now: number): void {
  const context = { storage, identity, now };
  deleteShiftsExcept(context, new ShiftCalendar(history), history);
  for (const stop of storage.stops({ start: 0, end: Number.MAX_SAFE_INTEGER })) deleteStopRows(context, stop.seq);
  markDirty(storage, history[0].commissionedAt);
  noteWhy(storage, byVersions);
}

/** Adds settings from an instant on. If they bring a shift that has begun already, it includes the counts since its start. */
function addSettings(
  storage: MachineStorage,
  identity: Identity,
  before: SettingsHistory,
  settings: PresentSettings,
  since: number,
): void {
  if (!storage.settings.save(settings, since)) return;
  storage.saveValue(CHANGED_KEY, since);
  const whole = storage.settings.history(settingsNeededFrom(storage)) ?? before;
  const calendar = new ShiftCalendar(whole);
  const running = calendar.at(since);
  if (!running || running.start >= since || new ShiftCalendar(before).at(since)) return;
  replayFrom(storage, { identity, history: whole, calendar }, openSince(storage, running.start), since);
}

/** Computes the shifts of calendar days again that have other shifts now, if they have begun. */
function followDays(
  storage: MachineStorage,
  identity: Identity,
  before: SettingsHistory,
  { first, last }: { first: number; last: number },
  now: number,
): void {
  const history = storage.settings.history(settingsNeededFrom(storage)) ?? before;
  const [old, calendar] = [new ShiftCalendar(before), new ShiftCalendar(history)];
  const dayStart = localToUtc(settingsAt(history, first * DAY_MS).timezone, first, 0);
  // The shift before may have ended where one of these days began.
  const touched = [old, calendar].flatMap((one) => one.between(dayStart - 1, dayStart + 1).map(({ start }) => start));
  const [{ commissionedAt }] = history;
  const from = openSince(storage, Math.max(minOf([dayStart, ...touched]), recalculableFrom(storage), commissionedAt));
  if (from > now) return;
  // A shift of the last day may end on the next one, and take time of a shift there.
  const end = localToUtc(settingsAt(history, last * DAY_MS).timezone, last + 1, 0) + 2 * MAX_SHIFT_MS;
  const context = { storage, identity, now };
  deleteShiftsExcept(context, calendar, history, { start: from, end });
  for (const stop of storage.stops({ start: from, end: Math.min(end, now) })) {
    deleteStopRows(context, stop.seq, calendar.between(stop.start, stop.end ?? now + 1));
  }
  const newest = storage.events.newestAt() ?? 0;
  if (newest < from) markDirty(storage, from);
  else foldAgain(storage, { identity, history, calendar }, { from, until: Math.min(end, newest) }, now, byVersions);
}
