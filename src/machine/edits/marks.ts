import type { Causes, StopFlags, StopMark } from "../../objects/machine-protocol.ts";

/** A stop of which nothing is said. */
export const NO_MARK: StopMark = {
  name: null,
  isProgrammed: null,
  isIncludedInStops: null,
  isIncludedInAvailability: null,
  classification: null,
};

/** The mark of a stop of which these members are said; null: nothing is. */
export function markOf(said: Partial<StopMark>): StopMark | null {
  const mark = { ...NO_MARK, ...said };
  return Object.values(mark).some((value) => value !== null) ? mark : null;
}

/** What a stop counts as: what a person said, else as its cause says; null: as the signals say. */
export function flagsOf(mark: StopMark | null): { [flag in keyof StopFlags]: boolean | null } {
  const ofCause = mark?.classification?.flags ?? {};
  return {
    isProgrammed: mark?.isProgrammed ?? ofCause.isProgrammed ?? null,
    isIncludedInStops: mark?.isIncludedInStops ?? ofCause.isIncludedInStops ?? null,
    isIncludedInAvailability: mark?.isIncludedInAvailability ?? ofCause.isIncludedInAvailability ?? null,
  };
}

/** Whether a stop has a general or specific cause. */
export function hasCause(causes: Pick<Causes, "generalCauseId" | "specificCauseId"> | null): boolean {
  return (causes?.generalCauseId ?? causes?.specificCauseId ?? null) !== null;
}
