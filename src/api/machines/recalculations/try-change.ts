import type { CompanyDb } from "../../../db/client.ts";
import { endRecalculation } from "../../../db/recalculating.ts";
import { DAY_MS, SECOND_MS } from "../../../oee/time.ts";
import { type KeptTrial, tryAt } from "../../../resource/dry-run.ts";
import { type DryRunRow, failOpenMachines, findOpenMachines, takeDryRun, updateMachine } from "./queries.ts";

/** When machines are asked again that do something else now. */
const AGAIN_MS = 30 * SECOND_MS;
/** How long machines may be out of reach or busy before they have failed. */
const MOST_MS = DAY_MS;
/** How many machines are taken at once: their set-up is read in one trip. */
const AT_ONCE = 20;

/** Continues a dry run that was taken, with its next machines, until it is over. */
export async function continueDryRun(env: Env, db: CompanyDb, due: DryRunRow, isOver: () => boolean): Promise<void> {
  const { id, companyId } = due;
  const { change, token } = JSON.parse(due.trial ?? "null") as KeptTrial;
  const machines = await findOpenMachines(db, id, AT_ONCE);
  const left = await tryAt(env, {
    ...{ companyId, machines, change, token, isOver },
    noteResult: async ({ machineId, ...result }) => {
      const done = { state: "done", reachedAt: null, changedRecords: result.count, result: JSON.stringify(result) } as const;
      await updateMachine(db, id, machineId, { ...done, updatedAt: Date.now() });
    },
    noteProgress: async (machineId, reachedAt) => {
      await updateMachine(db, id, machineId, { state: "replaying", reachedAt, updatedAt: Date.now() });
    },
  }).catch(() => machines);
  const now = Date.now();
  // What is not left has its result, or there is no such machine any more.
  for (const machineId of machines.filter((one) => !left.includes(one)))
    await updateMachine(db, id, machineId, { state: "failed", updatedAt: now });
  for (const machineId of left) await updateMachine(db, id, machineId, { updatedAt: now });
  if (now - due.createdAt > MOST_MS) await failOpenMachines(db, id, now);
  const isOpen = (await findOpenMachines(db, id, 1)).length > 0;
  if (!isOpen) await endRecalculation(db, id, now);
  await takeDryRun(db, due, isOpen ? (left.length > 0 && !isOver() ? now + AGAIN_MS : now) : null);
}
