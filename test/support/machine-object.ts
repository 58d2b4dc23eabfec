import type { MachineState } from "../../src/machine/machine-object.ts";
import { machineObject as stubOf } from "../../src/objects/machines.ts";

/** The object of a machine with the type of its class, for `runInDurableObject`. */
export function machineObject(env: Env, machineId: number): DurableObjectStub<MachineState> {
  return stubOf(env, machineId) as unknown as DurableObjectStub<MachineState>;
}
