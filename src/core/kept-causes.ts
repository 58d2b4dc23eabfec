import type { StopClassificationEdit } from "../db/values.ts";

type Causes = StopClassificationEdit["causes"];
type Flags = StopClassificationEdit["flags"];

/** What a stop has that nobody has classified. */
export const NO_CAUSES: Causes = { generalCauseId: null, specificCauseId: null, componentId: null, description: null };

/**
 * The causes and flags of a stop after a bulk classification. What was not named stays as it was, unless it contradicts what was: a specific cause of
 * another general cause goes, and a general cause gives way to the one above the specific cause.
 * @param old what the stop has; null: nothing
 */
export function causesAfter(
  old: (Causes & { flags?: Flags }) | null,
  { causes, flags, kept }: StopClassificationEdit,
): { causes: Causes; flags: Flags; isCauseKept?: true } {
  if (!kept) return { causes, flags };
  const had = { ...NO_CAUSES, ...old };
  const next = { ...causes, ...Object.fromEntries(kept.members.map((member) => [member, had[member]])) };
  const [keepsGeneral, keepsSpecific] = [kept.members.includes("generalCauseId"), kept.members.includes("specificCauseId")];
  if (keepsGeneral && keepsSpecific) return { causes: next, flags: had.flags ?? {}, isCauseKept: true };
  const { specificCauseId } = had;
  if (keepsSpecific && specificCauseId !== null && !kept.flags[specificCauseId]) next.specificCauseId = null;
  if (keepsGeneral && causes.specificCauseId !== null && next.generalCauseId !== null) next.generalCauseId = kept.generalCauseId;
  const cause = next.specificCauseId ?? next.generalCauseId;
  return { causes: next, flags: (cause === null ? undefined : kept.flags[cause]) ?? flags };
}
