import type { Row } from "../../client/live-protocol.ts";
import { kindOf } from "./machine-kind.ts";
import { isOverrun, lacksCause } from "./urgency.ts";

// Which machines need somebody now, for the first page of whoever is signed in.

/** Why a machine needs somebody. */
type NeedKind = "call" | "cause" | "noData" | "overrun";

export interface Need<T extends Row = Row> {
  kind: NeedKind;
  row: T;
  /** Since when, epoch ms; null: it is not known. */
  since: number | null;
}

const ranks: readonly NeedKind[] = ["call", "cause", "noData", "overrun"];

/**
 * The machines that need somebody: calls for help, then stops without a cause, machines that send nothing, and breaks that are over. Of each the oldest
 * first. A machine is named once, by what is most urgent.
 * @param now epoch ms
 */
export function needsOf<T extends Row>(rows: readonly T[], now: number): Need<T>[] {
  return rows
    .flatMap((row): Need<T>[] => {
      const kind = kindOfNeed(row, now);
      if (kind === null) return [];
      const since = Date.parse((kind === "call" ? row.helpCall?.since : kind === "overrun" ? row.plannedUntil : row.since) ?? "");
      return [{ kind, row, since: Number.isNaN(since) ? null : since }];
    })
    .sort((a, b) => ranks.indexOf(a.kind) - ranks.indexOf(b.kind) || (a.since ?? 0) - (b.since ?? 0));
}

function kindOfNeed(row: Row, now: number): NeedKind | null {
  if (row.helpCall) return "call";
  if (lacksCause(row)) return "cause";
  if (isOverrun(row, now)) return "overrun";
  return kindOf(row) === "noData" ? "noData" : null;
}
