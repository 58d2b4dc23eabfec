import { companyDb } from "../db/client.ts";
import { chunksOf, OBJECT_MS, within } from "../limits/load.ts";
import { callMachines } from "../objects/machines.ts";
import { healthObject } from "../objects/watchdog.ts";
import { MINUTE_MS } from "../oee/time.ts";
import { findMachinesOfPart, findOverdueMachines } from "./queries.ts";

/** How long after the end of a shift its rows in D1 may still say that it is running. */
const OVERDUE_MS = 15 * MINUTE_MS;
/** The maximum number of machines of a run; the next run continues. */
const machinesPerRun = 1000;
const machinesAtOnce = 100;

/** The interval of the cron, and the number of parts of the roll call: each run calls one of them, so every machine is called once a day. */
const RUNS_EVERY_MS = 10 * MINUTE_MS;
export const PARTS = 144;

/**
 * Wakes the objects of machines whose shift has ended, although D1 shows it as running at `now` (epoch ms): their alarm is missing or fails. `/health`
 * shows how many there are.
 */
export async function wakeOverdueMachines(env: Env, now: number): Promise<void> {
  const overdue = await findOverdueMachines(companyDb(env, "first-primary"), now - OVERDUE_MS, machinesPerRun);
  await wake(env, overdue);
  await within(OBJECT_MS, "the health object", healthObject(env).noteSilent(overdue.length));
}

/** Calls the objects of a part of all machines, which makes them set a missing alarm. `/health` shows how many did not answer. */
export async function callRoll(env: Env, now: number): Promise<void> {
  const part = Math.floor(now / RUNS_EVERY_MS) % PARTS;
  const called = await findMachinesOfPart(companyDb(env), part, PARTS);
  const answered = await wake(env, called);
  await within(OBJECT_MS, "the health object", healthObject(env).noteRollCall(part, called.length - answered));
}

/** Returns the number of machines that answered. */
async function wake(env: Env, machines: readonly { machineId: number }[]): Promise<number> {
  const machineIds = machines.map(({ machineId }) => machineId);
  let answered = 0;
  for (const some of chunksOf(machineIds, machinesAtOnce)) {
    // Version 0: the set-up is not read again.
    const called = callMachines(env, some, OBJECT_MS, (machine) => machine.configure(0));
    // Those that are out of reach do not answer, like all others that fail.
    answered += await called.then(
      (answers) => answers.size,
      () => 0,
    );
  }
  return answered;
}
