import { refusal } from "../../../core/problem.ts";
import { minOf } from "../../../oee/extremes.ts";
import { isoOf } from "../../../oee/time.ts";
import { versionAt } from "../../../oee/versions.ts";
import { rowAt, type StoredVersion, type Timeline, timelinesOf } from "../../../resource/item-versions.ts";
import { areOwned, idsOf, selectOwned } from "../../../resource/queries.ts";
import { type RuleContext, type RuleInput, refuse, rule, unknownIds } from "../../../resource/rules.ts";
import { machineTable } from "../machines/queries.ts";
import { areAllPlanned, areAllShifts, type ShiftRow, selectPlannedShifts, selectShifts, shiftVersions } from "./queries.ts";
import { breakFaults, overlap } from "./shift-clock.ts";

export const storeShift = rule(
  (db, { sent, owner, from }: RuleContext<Partial<ShiftRow>>) => [
    selectOwned(db, machineTable, owner, sent.machineIds ?? []),
    selectShifts(db, owner),
    selectPlannedShifts(db, owner, from),
  ],
  ({ before, next, at, until, isAccepted }: RuleInput<ShiftRow>, machines, shifts, planned) => {
    refuse(breakFaults(next));
    // Machines that have been deleted since may stay in the list.
    const known = [...(before?.machineIds ?? []), ...((isAccepted && next.machineIds) || [])].map((id) => ({ id }));
    refuse(
      unknownIds(next.machineIds ?? [], [...known, ...machines], (i) => `/machineIds/${i}`, "is not a machine of this company"),
    );
    refuseOverlaps(next, shifts, planned, { at, until });
    return {
      expect: [
        areOwned(machineTable, next.companyId, idsOf(machines)),
        areAllShifts(next.companyId, shifts),
        areAllPlanned(next.companyId, planned),
      ],
      machines: machinesOf(before, next),
    };
  },
);

/** A shift and what held of it when. */
interface TimedShift {
  row: ShiftRow;
  times: Timeline<ShiftRow>[];
}

/** Refuses a shift that would overlap with another one, now or when a version of one of them begins or ends that is known now. */
function refuseOverlaps(
  next: ShiftRow,
  shifts: readonly ShiftRow[],
  planned: readonly StoredVersion[],
  { at, until }: { at?: number | undefined; until?: number | null | undefined },
): void {
  const now = Date.now();
  const ofShift = Map.groupBy(planned, ({ entity }) => entity);
  const timelines = shifts.map((row) => ({ row, times: timelinesOf(shiftVersions, row, ofShift.get(String(row.id)) ?? []) }));
  const startsOf = (id: number) =>
    timelines
      .filter(({ row }) => row.id === id)
      .flatMap(({ times }) => times.flatMap(({ pieces }) => pieces.map(({ since }) => since)));
  const from = at ?? now;
  // A change from now on holds until the shift's next version.
  const later = startsOf(next.id).filter((since) => since > now);
  const end = at === undefined ? minOf([Number.POSITIVE_INFINITY, ...later]) : (until ?? Number.POSITIVE_INFINITY);
  for (const other of timelines) {
    if (other.row.id === next.id) continue;
    const changes = other.times
      .flatMap(({ pieces }) => pieces.map(({ since }) => since))
      .filter((since) => since > from && since < end);
    for (const instant of [from, ...changes]) refuseOverlap(next, other, instant, now);
  }
}

/** Refuses a shift that would overlap with another one at an instant. */
function refuseOverlap(next: ShiftRow, { row, times }: TimedShift, instant: number, now: number): void {
  const isThere = row.createdAt <= instant || times.some(({ pieces }) => versionAt(pieces, instant)?.isExplicit);
  // The row is what holds now: also if a release without versions changed it.
  const other = instant === now ? row : rowAt(times, row, instant);
  if (!isThere || !shareMachines(other, next) || !overlap(other, next)) return;
  const when = instant === now ? "" : `, from ${isoOf(instant)} on`;
  const message = `the shift would overlap ${other.name} on the same machines${when}`;
  throw refusal(409, [{ pointer: "/start", code: "overlap", message }]);
}

export const restoreShift = rule(
  (db, { owner }: RuleContext<object>) => [selectShifts(db, owner), selectPlannedShifts(db, owner)],
  ({ next }: RuleInput<ShiftRow>, shifts, planned) => {
    refuseOverlaps(next, shifts, planned, {});
    return {
      expect: [areAllShifts(next.companyId, shifts), areAllPlanned(next.companyId, planned)],
      machines: machinesOf(next),
    };
  },
);

export const removeShift = rule(
  () => [],
  ({ next }: RuleInput<ShiftRow>) => ({ machines: machinesOf(next) }),
);

function machinesOf(...shifts: (ShiftRow | null)[]): number[] | "all" {
  const lists = shifts.flatMap((shift) => (shift ? [shift.machineIds] : []));
  return lists.includes(null) ? "all" : lists.flatMap((ids) => ids ?? []);
}

/** True if two shifts have a machine in common. Null means all machines. */
function shareMachines({ machineIds: some }: ShiftRow, { machineIds: others }: ShiftRow): boolean {
  return some === null || others === null || some.some((id) => others.includes(id));
}
