import { companyDb } from "../db/client.ts";
import { budgetOf } from "../limits/budget.ts";
import { chunksOf } from "../limits/load.ts";
import { configureMachines, MACHINES_PER_MESSAGE } from "../objects/notify-machines.ts";
import { append } from "../oee/extremes.ts";
import { MINUTE_MS } from "../oee/time.ts";
import { findUnconfiguredMachines } from "./queries.ts";

/** The maximum number of machines of a run, and the time after which it calls no more of them; the next run continues. */
const machinesPerRun = 1000;
const runMs = 0.75 * MINUTE_MS;

/**
 * Sends their changed set-up to the objects of machines that were missed when it changed, so that their shifts begin and end even without events.
 * @throws if some could not be configured, after configuring the others; the next run tries them again
 */
export async function configureDue(env: Env): Promise<void> {
  const endsAt = Date.now() + runMs;
  const due = await findUnconfiguredMachines(companyDb(env), machinesPerRun);
  const failures: string[] = [];
  for (const [companyId, ofCompany] of Map.groupBy(due, (machine) => machine.companyId)) {
    const machineIds = ofCompany.map(({ machineId }) => machineId);
    for (const some of chunksOf(machineIds, MACHINES_PER_MESSAGE)) {
      if (budgetOf(env)?.isUsed || Date.now() >= endsAt) break;
      append(failures, await configureMachines(env, companyId, some));
    }
  }
  refuse(failures);
}

/**
 * Does what a message says: sends their changed set-up to the objects of machines of a company. A message that has waited longer than the cron's
 * interval is left to the cron, so that an import cannot hold up the other jobs of the queue.
 * @param sentAt epoch ms
 * @throws if some could not be configured, after configuring the others; the cron tries them again
 */
export async function configureNamed(env: Env, companyId: number, machineIds: readonly number[], sentAt: number): Promise<void> {
  if (Date.now() - sentAt > MINUTE_MS) return;
  refuse(await configureMachines(env, companyId, machineIds));
}

function refuse(failures: readonly string[]): void {
  if (failures.length > 0) throw new Error(`${failures.length} not configured: ${failures.join("; ")}`);
}
