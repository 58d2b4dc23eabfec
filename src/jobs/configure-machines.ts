import { openDb } from "../db/client.ts";
import { machineObject } from "../machine/stub.ts";
import { findUnconfiguredMachines } from "./queries.ts";

const machinesPerRun = 100;
const machinesAtOnce = 10;

/**
 * Tells machines whose set-up changed to take it over, so that their shifts begin and end also when no event ever comes.
 * @throws when some could not be told, after telling the others; the next run tries those again
 */
export async function configureMachines(env: Env): Promise<void> {
  const due = await findUnconfiguredMachines(openDb(env), machinesPerRun);
  const failures: string[] = [];
  for (let i = 0; i < due.length; i += machinesAtOnce) {
    const tell = async ({ machineId, configVersion }: (typeof due)[number]) => {
      try {
        await machineObject(env, machineId).configure(configVersion);
      } catch (error) {
        failures.push(`machine ${machineId}: ${error}`);
      }
    };
    await Promise.all(due.slice(i, i + machinesAtOnce).map(tell));
  }
  if (failures.length > 0) throw new Error(`${failures.length} of ${due.length} not configured: ${failures.join("; ")}`);
}
