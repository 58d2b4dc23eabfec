import type { SettingsHistory } from "../../oee/settings.ts";
import type { ShiftCalendar } from "../../oee/shifts.ts";

/** Which machine the object is, and the version of the settings that it has taken over. */
export interface Identity {
  machineId: number;
  companyId: number;
  configVersion: number;
}

/** The settings that a machine's object follows. */
export interface Configuration {
  identity: Identity;
  history: SettingsHistory;
  calendar: ShiftCalendar;
}
