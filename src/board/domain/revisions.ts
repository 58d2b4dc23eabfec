import { decimalsOf } from "./formats.ts";

// Describes a revision of a shift, by comparing what reports said before and after it.

type Value = number | string | boolean | null;
type Members = Record<string, Value>;

/** A number of a shift that changed, with the decimals that show the difference. */
export interface ChangedNumber<Name extends string> {
  name: Name;
  before: number | null;
  after: number | null;
  decimals: number;
}

/** The numbers that changed, of those that are named, in the order of the names. */
export function changedNumbers<Name extends string>(names: readonly Name[], before: Members, after: Members) {
  return names.flatMap((name): ChangedNumber<Name>[] => {
    if (!(name in before) && !(name in after)) return [];
    const [was, is] = [numberOr(before[name]), numberOr(after[name])];
    return [{ name, before: was, after: is, decimals: Math.min(2, Math.max(decimalsOf(was ?? 0), decimalsOf(is ?? 0))) }];
  });
}

/** What is different about a stop. `time` has what it was. */
export type StopDifference =
  | { kind: "isNew" | "isGone" | "named" | "noted" | "counted" }
  | { kind: "time"; from: string; to: string | null }
  | { kind: "cause"; before: readonly number[]; after: readonly number[] };

const flags = ["isProgrammed", "isIncludedInStops", "isIncludedInAvailability"] as const;

/** The differences of a stop that was there before (null: it is new) and is after it (null: it is gone). */
export function differencesOf(before: Members | null, after: Members | null): StopDifference[] {
  if (!before) return [{ kind: "isNew" }];
  if (!after) return [{ kind: "isGone" }];
  const found: StopDifference[] = [];
  const isOther = (member: string) => before[member] !== after[member];
  if (isOther("startTime") || isOther("endTime")) {
    found.push({ kind: "time", from: String(before.startTime), to: textOr(before.endTime) });
  }
  const [was, is] = [causesOf(before), causesOf(after)];
  const isOtherCause = was.join() !== is.join();
  if (isOtherCause) found.push({ kind: "cause", before: was, after: is });
  // Without a name of its own, a stop has the name of its cause.
  if (isOther("name") && !isOtherCause) found.push({ kind: "named" });
  if (isOther("description")) found.push({ kind: "noted" });
  if (flags.some(isOther)) found.push({ kind: "counted" });
  return found;
}

/** When a stop was, as it is now, or as it was last. */
export function timesOfStop(before: Members | null, after: Members | null): { from: string; to: string | null } {
  const stop = after ?? before ?? {};
  return { from: String(stop.startTime), to: textOr(stop.endTime) };
}

function causesOf(stop: Members): number[] {
  return [stop.generalCauseId, stop.specificCauseId, stop.componentId].filter((id): id is number => typeof id === "number");
}

const numberOr = (value: Value | undefined) => (typeof value === "number" ? value : null);
const textOr = (value: Value | undefined) => (typeof value === "string" ? value : null);
