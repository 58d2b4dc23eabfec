import type { SettingsHistory } from "../oee/settings.ts";
import type { ShiftCalendar } from "../oee/shifts.ts";

/** Who the object is; its version is of the settings that it took over. */
export interface Identity {
  machineId: number;
  companyId: number;
  configVersion: number;
}

/** What a machine's object works by. */
export interface Configuration {
  identity: Identity;
  history: SettingsHistory;
  calendar: ShiftCalendar;
}
