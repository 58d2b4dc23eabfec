import type { DatedPiece } from "../../objects/dated-set-up.ts";
import type { Settings, SettingsHistory } from "../../oee/settings.ts";
import { settingsAt } from "../../oee/settings.ts";

/** General settings that are absent where they have no value. */
const optional = ["reportingMs", "hourlyRate", "productionDay"] as const;

type General = Omit<Settings, "since" | "skuStandardsMs" | "shifts" | "plan">;

/** General settings with what was dated at an instant. */
export function withDated(general: General, dated: readonly DatedPiece[]): General {
  const merged: General & Record<string, unknown> = { ...general };
  for (const { of } of dated) if ("members" in of) Object.assign(merged, of.members);
  for (const member of optional) if (merged[member] === null) delete merged[member];
  return merged;
}

/** Shifts with what was dated at an instant, in the order of their ids. */
export function shiftsWithDated(shifts: Settings["shifts"], dated: readonly DatedPiece[]): Settings["shifts"] {
  const byId = new Map(shifts.map((shift) => [shift.id, shift]));
  for (const { of } of dated) {
    if (of.kind !== "shift") continue;
    if (of.definition) byId.set(of.id, of.definition);
    else byId.delete(of.id);
  }
  return [...byId.values()].sort((a, b) => a.id - b.id);
}

/** The time before `now` in which two histories differ; null: they do not. */
export function differenceOf(
  before: SettingsHistory,
  after: SettingsHistory,
  skuIds: readonly string[],
  now: number,
): { from: number; until: number } | null {
  const instants = [...new Set([...before, ...after].map(({ since }) => since))].filter((at) => at < now).sort((a, b) => a - b);
  const differing = instants.flatMap((at, i) =>
    areSame(settingsAt(before, at), settingsAt(after, at), skuIds)
      ? []
      : [{ from: at, until: Math.min(instants[i + 1] ?? now, now) }],
  );
  const [first] = differing;
  const last = differing.at(-1);
  return first && last ? { from: first.from, until: last.until } : null;
}

/** Whether settings are the same, apart from operator plans and the standards of other SKUs. */
export function areSame(some: Settings, others: Settings, skuIds: readonly string[]): boolean {
  return textOf(some, skuIds) === textOf(others, skuIds);
}

function textOf({ since: _, plan: __, skuStandardsMs, ...rest }: Settings, skuIds: readonly string[]): string {
  const standardOf = (skuId: string) => (typeof skuStandardsMs === "function" ? skuStandardsMs(skuId) : skuStandardsMs[skuId]);
  return JSON.stringify([Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1)), skuIds.map((id) => standardOf(id) ?? null)]);
}
