import type { NewEvent } from "../../events/event.ts";
import { nextEventSeq } from "../ledger/sequences.ts";
import { type ProjectionContext, putEvent } from "./projection.ts";

export type MachineEventType = Extract<
  NewEvent["type"],
  `stop.${string}` | `shift.${string}` | `machine.${string}` | `operator.${string}`
>;

/** The machine of an event. Its name and line are added when D1 stores the event. */
export function ofMachine({ identity }: ProjectionContext) {
  return { machineId: identity.machineId, machineName: null, lineId: null, lineName: null };
}

/**
 * Publishes an event.
 * @param about the id of what it is about
 */
export function putMachineEvent(
  context: ProjectionContext,
  type: MachineEventType,
  about: number,
  at: number,
  data: object,
): void {
  const { machineId, companyId } = context.identity;
  const seq = nextEventSeq(context.storage);
  putEvent(context, seq, { id: `${type}:${about}:${machineId}-${seq}`, companyId, machineId, type, at, data: { ...data } });
}
