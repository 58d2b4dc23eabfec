import { companyDb } from "../db/client.ts";
import { notifyMachines } from "../objects/notify-machines.ts";
import { append } from "../oee/extremes.ts";
import { findUnconfiguredMachines } from "./queries.ts";

const machinesPerRun = 100;
const machinesAtOnce = 10;

/**
 * Sends their changed set-up to the objects of machines, so that their shifts begin and end even without events.
 * @throws if some could not be notified, after notifying the others; the next run tries them again
 */
export async function configureMachines(env: Env): Promise<void> {
  const due = await findUnconfiguredMachines(companyDb(env), machinesPerRun);
  const failures: string[] = [];
  for (let i = 0; i < due.length; i += machinesAtOnce) {
    append(failures, await notifyMachines(env, due.slice(i, i + machinesAtOnce)));
  }
  if (failures.length > 0) throw new Error(`${failures.length} of ${due.length} not configured: ${failures.join("; ")}`);
}
