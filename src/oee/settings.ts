import type { ShiftDefinition } from "./shift-definition.ts";

/** What a machine's numbers depend on, in force from `since` until the next entry of its history. */
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
  /** Who is planned on the machine, for times when nobody signed in. */
  plan: PlannedOperator[];
  /** Whether operators who are signed in at the end of a shift are signed out then. */
  signOutAtShiftEnd: boolean;
}

export interface PlannedOperator {
  operatorId: number;
  shiftId: number;
  since: number;
  until: number;
}

/** Ascending by `since`; the first entry holds since ever. Never empty. */
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
  // A company may name a SKU as it likes, "constructor" too.
  const ofSku = skuId !== null && Object.hasOwn(settings.skuStandardsMs, skuId) ? settings.skuStandardsMs[skuId] : undefined;
  return ofSku ?? settings.standardCycleMs;
}
