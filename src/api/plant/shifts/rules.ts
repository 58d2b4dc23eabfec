import { refusal } from "../../../core/problem.ts";
import { areOwned, idsOf, selectOwned } from "../../../resource/queries.ts";
import { type RuleContext, type RuleInput, refuse, rule, unknownIds } from "../../../resource/rules.ts";
import { machineTable } from "../machines/queries.ts";
import { areAllShifts, type ShiftRow, selectShifts } from "./queries.ts";
import { breakFaults, overlap } from "./shift-clock.ts";

export const storeShift = rule(
  (db, { sent, owner }: RuleContext<Partial<ShiftRow>>) => [
    selectOwned(db, machineTable, owner, sent.machineIds ?? []),
    selectShifts(db, owner),
  ],
  ({ before, next }: RuleInput<ShiftRow>, machines, shifts) => {
    refuse(breakFaults(next));
    // Machines that have been deleted since may stay in the list.
    const known = (before?.machineIds ?? []).map((id) => ({ id }));
    refuse(
      unknownIds(next.machineIds ?? [], [...known, ...machines], (i) => `/machineIds/${i}`, "is not a machine of this company"),
    );
    const other = shifts.find((one) => one.id !== next.id && shareMachines(one, next) && overlap(one, next));
    if (other) {
      const message = `the shift would overlap ${other.name} on the same machines`;
      throw refusal(409, [{ pointer: "/start", code: "overlap", message }]);
    }
    return {
      expect: [areOwned(machineTable, next.companyId, idsOf(machines)), areAllShifts(next.companyId, shifts)],
      machines: machinesOf(before, next),
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
