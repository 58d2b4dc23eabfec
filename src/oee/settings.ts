import type { ShiftDefinition } from "./shift-definition.ts";

/** The settings that a machine's numbers depend on, in force from `since` until the next entry of its history. */
export interface Settings {
  since: number;
  timezone: string;
  signal: "counts" | "states";
  stopAfterMs: number;
  /** Null: silence is never no data. */
  noDataAfterMs: number | null;
  commissionedAt: number;
  decommissionedAt: number | null;
  /** The machine's own standard; null when it has none. */
  standardCycleMs: number | null;
  /** Standards by SKU on this machine: (SKU, machine), else (SKU). */
  skuStandardsMs: Record<string, number>;
  shifts: ShiftDefinition[];
  /** Operators planned on the machine, for times when nobody is signed in. */
  plan: PlannedOperator[];
  /** Whether operators are signed out at the end of a shift. */
  signOutAtShiftEnd: boolean;
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
  // A SKU may have any name, even "constructor".
  const ofSku = skuId !== null && Object.hasOwn(settings.skuStandardsMs, skuId) ? settings.skuStandardsMs[skuId] : undefined;
  return ofSku ?? settings.standardCycleMs;
}
