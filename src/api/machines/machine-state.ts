import { companyOf } from "../../core/actor.ts";
import type { Caller } from "../../core/caller.ts";
import { recordId } from "../../core/record-id.ts";
import { shiftRefOf } from "../../core/refs.ts";
import { callMachine } from "../../objects/machines.ts";
import { isoOf } from "../../oee/time.ts";
import { machineOwner } from "./machine-owner.ts";
import { noMachine } from "./owner.ts";
import { findNames, findOwner } from "./queries.ts";
import { statusOf } from "./status.ts";

/** The current state of a machine, from its object, with names from D1. */
export async function getMachineState(caller: Caller, machineId: number) {
  const { env, db, actor, objects } = caller;
  const own = companyOf(actor);
  const companyId = await machineOwner(machineId, () => findOwner(db, machineId));
  const isVisible = companyId !== undefined && (own === undefined || companyId === own);
  const state = isVisible && (await callMachine(env, machineId, (machine) => machine.state(), objects));
  if (!state) throw noMachine(machineId);

  const { since, stopSeq, shift, skuId, signedIn, heardAt } = state;
  // A second trip: only the object knows which names are needed.
  const wanted = { shiftId: shift?.shiftId, skuId, operators: signedIn };
  const names = await findNames(db, { machineId, companyId }, wanted);
  if (!names) throw noMachine(machineId);
  const operators = signedIn.map((one) => ({
    id: one.operatorId,
    name: names.operators.get(one.operatorId) ?? null,
    since: isoOf(one.since),
  }));
  return {
    machineId,
    status: statusOf(state),
    since: isoOf(since),
    stopId: stopSeq === null ? null : recordId(machineId, stopSeq),
    shift: shift && shiftRefOf({ shiftId: shift.shiftId, shiftName: names.shift ?? "" }, shift, Date.now()),
    sku: skuId === null ? null : { id: skuId, name: names.sku },
    workOrderId: state.workOrderId,
    operators: operators.sort((a, b) => (a.name ?? "").localeCompare(b.name ?? "") || a.id - b.id),
    lastEventAt: isoOf(heardAt),
    isDegraded: state.isDegraded ?? false,
    heldCounts: state.heldCounts ?? 0,
    isRecalculating: state.isRecalculating ?? false,
  };
}
