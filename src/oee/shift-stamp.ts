import { productionDayOf } from "./production-day.ts";
import { type SettingsHistory, settingsAt } from "./settings.ts";
import type { Interval } from "./time.ts";

/** What held when a shift began, and stays with its rows. */
export interface ShiftStamp {
  /** The machine's line; 0: none. */
  lineId?: number | null;
  /** The local day for which the whole shift counts, in days since 1970-01-01; null: each of its hours counts for its calendar day. */
  day?: number | null;
}

/** The stamp of a shift's rows; empty if the settings are of a version that did not know the line. */
export function stampOf(history: SettingsHistory, shift: Interval): ShiftStamp {
  const { lineId, productionDay = "calendarDay", timezone } = settingsAt(history, shift.start);
  if (lineId === undefined) return {};
  return { lineId: lineId ?? 0, day: productionDayOf(productionDay, timezone, shift) };
}
