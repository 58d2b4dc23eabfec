import type { Row } from "../../client/live-protocol.ts";
import { kindOf } from "./machine-kind.ts";

// Since when a machine has looked the way it does. `Row.since` is the start of its stop, or of its running: a machine that runs may have become
// slow later, and one that stands still may have stood longer than its stop, if somebody has split that.

/** A row with what is known from the rows before it. Times are ISO 8601. */
export type SeenRow = Row & {
  /** When it became slow; null: it is not slow, or was when it was first seen. */
  slowSince: string | null;
  /** When it stopped; null: when its stop began. */
  standsSince: string | null;
};

/**
 * Adds to a row what is known from the one before it.
 * @param before undefined: there was none
 * @param at the time of the change, ISO 8601
 * @param isNext whether nothing was missed between the two
 */
export function seenAfter(before: SeenRow | undefined, row: Row, at: string, isNext: boolean): SeenRow {
  return { ...row, slowSince: slowSince(before, row, at), standsSince: isNext ? standsSince(before, row) : null };
}

function slowSince(before: SeenRow | undefined, row: Row, at: string): string | null {
  if (!before || kindOf(row) !== "slow") return null;
  return kindOf(before) === "slow" ? before.slowSince : at;
}

function standsSince(before: SeenRow | undefined, row: Row): string | null {
  const isStanding = before?.stop && row.stop && before.status === row.status;
  if (!isStanding || before.since === null || row.since === null) return null;
  const since = before.standsSince ?? before.since;
  return Date.parse(since) < Date.parse(row.since) ? since : null;
}

/** The start of the state that a machine's clock shows, ISO 8601; null: unknown, so it has no clock. */
export function shownSince(row: SeenRow): string | null {
  if (kindOf(row) === "slow") return row.slowSince;
  return row.standsSince ?? row.since;
}
