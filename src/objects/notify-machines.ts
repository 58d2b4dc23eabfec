import { type SQL, sql } from "drizzle-orm";
import type { ObjectUsage } from "../core/object-usage.ts";
import type { CompanyDb } from "../db/client.ts";
import { machines } from "../db/schema.ts";
import { eachOf, OBJECTS_AT_ONCE } from "../limits/load.ts";
import { callMachine } from "./machines.ts";

/** Returns the statement that raises the set-up version of machines, for the write that changes the set-up. See `raisedBy` for its result. */
export function raiseVersions(db: CompanyDb, which: SQL | undefined) {
  return db
    .update(machines)
    .set({ configVersion: sql`${machines.configVersion} + 1` })
    .where(which)
    .returning({ companyId: machines.companyId, machineId: machines.id, configVersion: machines.configVersion });
}

/** A machine and the new version of its set-up. */
export interface ChangedMachine {
  companyId: number;
  machineId: number;
  configVersion: number;
}

/** The machines whose versions a write raised, from the results of its statements. No other statement of the write may return rows. */
export function raisedBy(results: readonly unknown[]): ChangedMachine[] {
  return results.filter((rows) => Array.isArray(rows)).flat();
}

/** An announcement notifies this many machines at once, with pauses, and at most `MAX_ANNOUNCED` in all. The sweep notifies the others. */
const AT_ONCE = 1;
const PAUSE_MS = 20;
const MAX_ANNOUNCED = 200;
/** An announcement that began this long ago has ended, one way or the other. */
const ENDED_MS = 30_000;

/** Company -> the announcement under way: machines still to be notified, with their versions. */
const underWay = new Map<number, { waiting: Map<number, number>; since: number }>();

/**
 * Notifies a company's machines of their new set-up after the response, a few at a time. Changes that come while an announcement is under
 * way join it, each machine with its newest version only. Never fails: the next sweep notifies machines that were missed.
 */
export async function announce(env: Env, changed: readonly ChangedMachine[]): Promise<void> {
  const [{ companyId } = { companyId: 0 }] = changed;
  if (companyId === 0) return;
  const now = Date.now();
  const known = underWay.get(companyId);
  const isUnderWay = known !== undefined && now - known.since < ENDED_MS;
  const waiting = isUnderWay ? known.waiting : new Map<number, number>();
  for (const { machineId, configVersion } of changed) {
    if (waiting.has(machineId) || waiting.size < MAX_ANNOUNCED) {
      waiting.set(machineId, Math.max(configVersion, waiting.get(machineId) ?? 0));
    }
  }
  if (isUnderWay) return;
  const own = { waiting, since: now };
  underWay.set(companyId, own);
  for (let notified = 0; waiting.size > 0 && notified < MAX_ANNOUNCED && Date.now() - now < ENDED_MS; notified += AT_ONCE) {
    if (notified > 0) await scheduler.wait(PAUSE_MS);
    const next = [...waiting].slice(0, AT_ONCE);
    for (const [machineId] of next) waiting.delete(machineId);
    await notifyMachines(
      env,
      next.map(([machineId, configVersion]) => ({ machineId, configVersion })),
    );
  }
  if (underWay.get(companyId) === own) underWay.delete(companyId);
}

/** Makes machines take over their set-up of this version or a newer one, many at once. Returns one line per failure. */
export async function notifyMachines(
  env: Env,
  changed: readonly Omit<ChangedMachine, "companyId">[],
  usage?: ObjectUsage,
): Promise<string[]> {
  const failures: string[] = [];
  await eachOf(changed, OBJECTS_AT_ONCE, async ({ machineId, configVersion }) => {
    try {
      await callMachine(env, machineId, (object) => object.configure(configVersion), usage);
    } catch (error) {
      failures.push(`machine ${machineId}: ${error}`);
    }
  });
  return failures;
}
