import type { Row } from "../../client/live-protocol.ts";
import { endsOf, figuresAt } from "./extrapolate.ts";
import { kindOf } from "./machine-kind.ts";

/** Whether a machine is stopped and nobody has given a cause. */
export function lacksCause({ status, stop }: Pick<Row, "status" | "stop">): boolean {
  return status === "N" && stop !== null && !stop.generalCause && !stop.specificCause && !stop.component && stop.name === "Stop";
}

/** Whether a machine is still in a planned break that is over at `now` (epoch ms). */
export function isOverrun({ status, plannedUntil }: Pick<Row, "status" | "plannedUntil">, now: number): boolean {
  return (status === "P" || status === "O") && plannedUntil !== null && Date.parse(plannedUntil) <= now;
}

/** Sorts machines by urgency; equal ones in the order of the plant, stopped ones by how long they have been stopped. */
export function byUrgency<T extends Row>(rows: readonly T[], now: number): T[] {
  return rows
    .map((row, place) => ({ row, place, rank: rankOf(row, now), since: row.since === null ? 0 : Date.parse(row.since) }))
    .sort((a, b) => a.rank - b.rank || (a.rank <= lastStopped ? a.since - b.since : 0) || a.place - b.place)
    .map(({ row }) => row);
}

/** Whether all that sorting and adding up need of a row can be read: one that is broken must not take the others down. */
export function isSound(row: Row, now: number): boolean {
  try {
    figuresAt(row, now);
    endsOf(row, now);
    return Number.isFinite(rankOf(row, now));
  } catch {
    return false;
  }
}

const lastStopped = 2;

function rankOf(row: Row, now: number): number {
  if (row.helpCall) return 0;
  const kind = kindOf(row);
  if (kind === "stopped") return lacksCause(row) ? 1 : lastStopped;
  if (kind === "noData") return 3;
  if (isOverrun(row, now)) return 4;
  return { slow: 5, running: 6, planned: 7, outside: 8, off: 9 }[kind];
}
