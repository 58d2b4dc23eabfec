import { companyDb } from "../../../db/client.ts";
import { eachOf } from "../../../limits/load.ts";
import { callMachine } from "../../../objects/machines.ts";
import { failMachines, type Requested } from "./queries.ts";

/** How many machines are asked at once. */
const AT_ONCE = 5;

interface Asked {
  id: number;
  companyId: number;
  machineIds: readonly number[];
  from: number;
  to: number;
}

/** Asks machines for a recalculation. Each does it once, no matter how often it is asked, and says with its flushes how far it has come. */
export async function askMachines(env: Env, { id, companyId, machineIds, from, to }: Asked): Promise<void> {
  const gone: number[] = [];
  await eachOf(machineIds, AT_ONCE, async (machineId) => {
    // The cron asks again.
    const isThere = await callMachine(env, machineId, (machine) => machine.recalculate(from, to - 1, companyId, id)).catch(
      () => true,
    );
    if (!isThere) gone.push(machineId);
  });
  if (gone.length > 0) await failMachines(companyDb(env, "first-primary"), id, gone, Date.now());
}

/** Asks machines that did not hear of a recalculation when it was requested. */
export async function askAgain(env: Env, due: readonly Requested[]): Promise<void> {
  for (const ofOne of Map.groupBy(due, ({ id }) => id).values()) {
    const [first] = ofOne;
    if (first) await askMachines(env, { ...first, machineIds: ofOne.map(({ machineId }) => machineId) });
  }
}
