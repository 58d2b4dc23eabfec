import type { Fault } from "../../../core/problem.ts";
import { type Asked, refuse, rule } from "../rules.ts";
import { freeChannels, type MachineRow } from "./queries.ts";

export const storeMachine = rule(
  () => [],
  ({ before, next }: Asked<MachineRow>) => {
    const commissionedAt = next.commissionedAt ?? next.createdAt;
    refuse(faultsOf({ ...next, commissionedAt }, before));
    return { values: { commissionedAt }, machines: before ? [before.id] : [] };
  },
);

export const removeMachine = rule(
  () => [],
  ({ db, next }: Asked<MachineRow>) => {
    const now = next.deletedAt ?? next.updatedAt;
    return {
      values: { decommissionedAt: Math.min(next.decommissionedAt ?? now, now) },
      rows: freeChannels(db, next, now),
      machines: [next.id],
    };
  },
);

function faultsOf({ commissionedAt, decommissionedAt }: MachineRow, before: MachineRow | null): Fault[] {
  if (before && before.commissionedAt !== commissionedAt) {
    return [{ pointer: "/commissionedAt", code: "fixed", message: "is fixed: the machine's ledger began then" }];
  }
  const refused = (code: string, message: string) => [{ pointer: "/decommissionedAt", code, message }];
  if (decommissionedAt !== null && decommissionedAt <= commissionedAt) {
    return refused("not_in_order", "must be after commissionedAt");
  }
  if (!before || before.decommissionedAt === decommissionedAt) return [];
  // Past and running shifts have their numbers: the ledger is neither shortened nor continued behind them.
  const now = Date.now();
  if (before.decommissionedAt !== null && before.decommissionedAt <= now) {
    return refused("fixed", "is fixed: the ledger ended then");
  }
  return decommissionedAt === null || decommissionedAt > now ? [] : refused("past", "must not be in the past");
}
