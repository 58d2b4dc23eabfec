import type { Context } from "hono";
import { eachOf, OBJECTS_AT_ONCE } from "../../core/load.ts";
import { type Fault, Problem, unavailable } from "../../core/problem.ts";
import type { UserEnv } from "../../http/env.ts";
import type { keepAnswer } from "../../http/idempotency.ts";
import { auditBy } from "../../http/old-audit.ts";
import { askMachine, db, objectUsage } from "../../http/session.ts";
import { tellMachines } from "../../machine/tell-machines.ts";
import { type CurrentSensors, findSensors, type SensorScope, saveSensors } from "./queries.ts";
import { diffOf, faultsOf, rowsOf, type SensorEntry, statusOf } from "./sensor-change.ts";

const maxTries = 3;

/**
 * Changes count sensors, all or nothing, and tells the machines that had any: from the answer on they take no counts that were addressed
 * by what was before. Two trips, because a refusal names its entries; whoever is overtaken starts over.
 * @param entriesOf gives the change, and `keep` the statements that keep its answer, for what is there now
 * @returns what was there before; undefined: the scope names nothing that is there
 * @throws Problem that names every fault
 */
export async function changeSensors(
  c: Context<UserEnv>,
  scope: SensorScope,
  entriesOf: (current: CurrentSensors) => SensorEntry[],
  wanted: SensorEntry["configs"],
  keep: (current: CurrentSensors) => ReturnType<typeof keepAnswer>,
): Promise<CurrentSensors | undefined> {
  for (let tries = 0; tries < maxTries; tries++) {
    const current = await findSensors(db(c), scope, wanted);
    if (!current) return undefined;
    const entries = entriesOf(current);
    const faults = faultsOf(entries, current);
    if (faults.length > 0) throw refusal(statusOf(faults), faults);
    const diff = diffOf(entries, current);
    const heardAt = await heardAtOf(c, diff.asked);
    const now = Date.now();
    const changed = await saveSensors(db(c), current, diff.machines, rowsOf(diff, heardAt, now), auditBy(c), keep(current), now);
    if (!changed) continue;
    await tellMachines(c.env, changed, objectUsage(c));
    return current;
  }
  throw unavailable("Others are changing the count sensors of this company. Try again.", 1);
}

/** What the machines' own objects know: D1 hears of an event later. */
async function heardAtOf(c: Context<UserEnv>, machineIds: readonly number[]): Promise<Map<number, number | null>> {
  const heardAt = new Map<number, number | null>();
  await eachOf(machineIds, OBJECTS_AT_ONCE, async (machineId) => {
    heardAt.set(machineId, await askMachine(c, machineId, (machine) => machine.heardAt()));
  });
  return heardAt;
}

/** The problem of faults. */
export function refusal(status: 400 | 404 | 409, errors: readonly Fault[]): Problem {
  const [first] = errors;
  const detail = errors.length === 1 ? `${first?.pointer}: ${first?.message}` : `${errors.length} faults, see errors.`;
  return new Problem(status, detail, { errors });
}
