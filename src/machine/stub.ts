import type { MachineState } from "./machine-state.ts";

/** The object of a machine: one per machine, named by its id. */
export function machineObject(env: Env, machineId: number): DurableObjectStub<MachineState> {
  return (env.MACHINES as DurableObjectNamespace<MachineState>).getByName(String(machineId));
}
