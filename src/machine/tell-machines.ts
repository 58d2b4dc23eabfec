import { callMachine, type ObjectUsage } from "./stub.ts";

/** Tells machines to take over their set-up of this version or a newer one. Gives what went wrong, a line per machine. */
export async function tellMachines(
  env: Env,
  machines: readonly { machineId: number; configVersion: number }[],
  usage?: ObjectUsage,
): Promise<string[]> {
  const tell = async ({ machineId, configVersion }: (typeof machines)[number]) => {
    try {
      await callMachine(env, machineId, (object) => object.configure(configVersion), usage);
      return [];
    } catch (error) {
      return [`machine ${machineId}: ${error}`];
    }
  };
  return (await Promise.all(machines.map(tell))).flat();
}
