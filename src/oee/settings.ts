import type { CalendarDay } from "./calendar-day.ts";
import type { ProductionDay } from "./production-day.ts";
import type { ShiftDefinition } from "./shift-definition.ts";

/** The settings that a machine's numbers depend on, in force from `since` until the next entry of its history. */
export interface Settings {
  since: number;
  timezone: string;
  signal: "counts" | "states";
  stopAfterMs: number;
  /** Null: silence is never no data. */
  noDataAfterMs: number | null;
  /** How long the machine's counts are collected before they are sent. Absent: each is sent when it is made. */
  reportingMs?: number;
  commissionedAt: number;
  decommissionedAt: number | null;
  /** The machine's own standard; null when it has none. */
  standardCycleMs: number | null;
  /** Standards by SKU on this machine: (SKU, machine), else (SKU). A function looks one up where there are many. */
  skuStandardsMs: Readonly<Record<string, number>> | ((skuId: string) => number | undefined);
  shifts: ShiftDefinition[];
  /** Operators planned on the machine, for times when nobody is signed in. Only what is planned for the time of these settings applies. */
  plan: readonly PlannedOperator[];
  /** Whether operators are signed out at the end of a shift. */
  signOutAtShiftEnd: boolean;
  /** The machine's line; null: none. Absent in settings that versions stored which did not know it. */
  lineId?: number | null;
  /** Cost of an hour of the machine's time. Absent: not known. */
  hourlyRate?: number;
  /** Absent: the calendar day. */
  productionDay?: ProductionDay;
  /** The times in which the machine was deleted, in order: those of the last settings of a history hold for all of it. Absent: none. */
  deletedTimes?: readonly (readonly [start: number, end: number])[];
  /** Days with shifts of their own, in the first settings of a history: they are known by their date, and do not begin to hold. */
  calendarDays?: readonly CalendarDay[];
}

export interface PlannedOperator {
  operatorId: number;
  shiftId: number;
  since: number;
  until: number;
}

/** Ascending by `since`, never empty. The first entry has no beginning. */
export type SettingsHistory = [Settings, ...Settings[]];

/** The settings in force at an instant. */
export function settingsAt(history: SettingsHistory, at: number): Settings {
  for (let i = history.length - 1; i > 0; i--) {
    const settings = history[i];
    if (settings && settings.since <= at) return settings;
  }
  return history[0];
}

/** Standard cycle of a SKU on the machine in ms: (SKU, machine), else (SKU), else the machine's own, else null. */
export function standardCycleMs(settings: Settings, skuId: string | null): number | null {
  return (skuId === null ? undefined : standardOf(settings.skuStandardsMs, skuId)) ?? settings.standardCycleMs;
}

function standardOf(standardsMs: Settings["skuStandardsMs"], skuId: string): number | undefined {
  if (typeof standardsMs === "function") return standardsMs(skuId);
  // A SKU may have any name, even "constructor".
  return Object.hasOwn(standardsMs, skuId) ? standardsMs[skuId] : undefined;
}
