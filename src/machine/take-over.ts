import type { Settings, SettingsHistory } from "../oee/settings.ts";
import { ShiftCalendar } from "../oee/shifts.ts";
import { saveAlertSetUp } from "./alert-watch.ts";
import { saveChannels } from "./channels.ts";
import type { Identity } from "./configuration.ts";
import { replayFrom } from "./journal.ts";
import { deleteShiftsExcept, deleteStopRows } from "./projection.ts";
import type { SetUp } from "./read-settings.ts";
import { markDirty } from "./settled.ts";
import type { MachineStorage } from "./storage.ts";

/**
 * Takes over a machine's set-up from D1. Until the first event, the set-up applies from the commissioning, no matter in which order it
 * was entered. Afterwards a change applies from `now`, and earlier times keep the settings that they had. Runs inside a transaction.
 */
export function takeOver(storage: MachineStorage, { identity, settings: read, channels, alerts }: SetUp, now: number): void {
  const owner = storage.identity()?.companyId ?? identity.companyId;
  // After D1 was restored, it may assign a machine's id a second time.
  if (owner !== identity.companyId)
    throw new Error(`Machine ${identity.machineId} was another company's: its object is not free`);
  const history = storage.settings();
  storage.saveIdentity(identity);
  saveChannels(storage, channels);
  saveAlertSetUp(storage, alerts);
  const latest = history?.at(-1);
  if (latest && JSON.stringify({ ...latest, since: 0 }) === JSON.stringify({ since: 0, ...read })) return;
  if (!history) {
    storage.saveSettings({ since: 0, ...read });
  } else if (storage.events.newestAt() === null) {
    replaceSettings(storage, identity, { since: 0, ...read }, now);
  } else {
    addSettings(storage, identity, history, { since: now, ...read });
  }
}

/** Replaces the settings of a machine without events: everything is computed again from the new ones. */
function replaceSettings(storage: MachineStorage, identity: Identity, settings: Settings, now: number): void {
  const context = { storage, identity, now };
  storage.deleteSettings();
  storage.saveSettings(settings);
  deleteShiftsExcept(context, new ShiftCalendar([settings]), settings.commissionedAt);
  for (const stop of storage.stops({ start: 0, end: Number.MAX_SAFE_INTEGER })) deleteStopRows(context, stop.seq);
  markDirty(storage, settings.commissionedAt);
}

/** Adds settings from an instant on. If they bring a shift that has begun already, it includes the counts since its start. */
function addSettings(storage: MachineStorage, identity: Identity, history: SettingsHistory, settings: Settings): void {
  const { since } = settings;
  storage.saveSettings(settings);
  const whole: SettingsHistory = [...history, settings];
  const calendar = new ShiftCalendar(whole);
  const running = calendar.at(since);
  if (!running || running.start >= since || new ShiftCalendar(history).at(since)) return;
  replayFrom(storage, { identity, history: whole, calendar }, running.start, since);
}
