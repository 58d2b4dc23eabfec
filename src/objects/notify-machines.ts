import { type SQL, sql } from "drizzle-orm";
import type { Caller } from "../core/caller.ts";
import type { ObjectUsage } from "../core/object-usage.ts";
import { ShortCache } from "../core/short-cache.ts";
import type { CompanyDb } from "../db/client.ts";
import { machines } from "../db/schema.ts";
import { sendQueueMessages } from "../events/queues.ts";
import { chunksOf, eachOf } from "../limits/load.ts";
import { append } from "../oee/extremes.ts";
import { callMachine } from "./machines.ts";
import { readChangedSetUps } from "./set-up.ts";

/** Returns the statement that raises the set-up version of machines, for the write that changes the set-up. See `configureAfterwards` for its result. */
export function raiseVersions(db: CompanyDb, which: SQL | undefined) {
  return db
    .update(machines)
    .set({ configVersion: sql`${machines.configVersion} + 1` })
    .where(which)
    .returning({ companyId: machines.companyId, machineId: machines.id });
}

/** A machine whose set-up version was raised. */
interface ChangedMachine {
  companyId: number;
  machineId: number;
}

/** The company and the machines whose versions a write raised, from the results of its statements. No other statement of the write may return rows. */
export function raisedBy(results: readonly unknown[]): { companyId: number | null; machineIds: number[] } {
  const changed: ChangedMachine[] = results.filter((rows) => Array.isArray(rows)).flat();
  return { companyId: changed[0]?.companyId ?? null, machineIds: changed.map(({ machineId }) => machineId) };
}

/** A change of up to this many machines calls their objects right after the response; a larger one sends queue messages. */
const MOST_CALLED = 10;
/** The most machines in a message: their common set-up is read once for all of them. */
export const MACHINES_PER_MESSAGE = 100;
/** The calls that are under way at once: a set-up may be large. */
const CALLS_AT_ONCE = 16;
/** The pause from one round of a company's changes to the next: so long, and so much longer for each machine of the first. */
const PAUSE_MS = 100;
const PAUSE_PER_MACHINE_MS = 10;
const MAX_PAUSE_MS = 10_000;

/** Machines that are notified together, and when (epoch ms). */
interface Round {
  startsAt: number;
  machineIds: Set<number>;
}

/** Company, and whether its changes are large -> the last round that began, or is to begin. */
const rounds = new ShortCache<Round>(MAX_PAUSE_MS, 10_000);

/**
 * Makes the machines whose versions a write raised take over their new set-up after the response. Changes that follow closely on another wait for
 * the next round, so that an import does not call all machines for each of its rows. The cron (src/jobs/configure-machines.ts) makes up for what fails.
 * @param results those of the write's statements
 */
export function configureAfterwards({ env, afterwards }: Pick<Caller, "env" | "afterwards">, results: readonly unknown[]): void {
  const { companyId, machineIds } = raisedBy(results);
  if (companyId === null) return;
  // A person who changes one machine does not wait for a change of all machines.
  const key = `${companyId} ${machineIds.length > MOST_CALLED}`;
  const now = Date.now();
  const last = rounds.get(key)?.value;
  if (last && now < last.startsAt) {
    for (const machineId of machineIds) last.machineIds.add(machineId);
    return;
  }
  const pause = last ? Math.min(PAUSE_MS + PAUSE_PER_MACHINE_MS * last.machineIds.size, MAX_PAUSE_MS) : 0;
  const round = { startsAt: Math.max(now, (last?.startsAt ?? now) + pause), machineIds: new Set(machineIds) };
  rounds.set(key, round, round.startsAt);
  afterwards(
    (async () => {
      if (round.startsAt > now) await scheduler.wait(round.startsAt - now);
      await notify(env, companyId, [...round.machineIds]);
    })(),
  );
}

/** Has a job continue after the response what somebody asked for, and takes longer than a request. */
export function continueAfterwards({ env, afterwards }: Pick<Caller, "env" | "afterwards">, companyId: number): void {
  afterwards(sendQueueMessages(env, [{ queue: "JOBS", body: { job: "sweep", at: Date.now(), companyIds: [companyId] } }]));
}

/** Never fails. */
async function notify(env: Env, companyId: number, machineIds: readonly number[]): Promise<void> {
  if (machineIds.length <= MOST_CALLED) return void (await configureMachines(env, companyId, machineIds));
  const at = Date.now();
  await sendQueueMessages(
    env,
    chunksOf(machineIds, MACHINES_PER_MESSAGE).map((some) => ({
      ...{ queue: "JOBS" as const, body: { job: "configure" as const, at, companyIds: [companyId], machineIds: some } },
    })),
  );
}

/**
 * Makes machines of a company take over their newest set-up, unless they have confirmed it, and passes it to them. Never fails, and returns one line
 * per failure.
 */
export async function configureMachines(
  env: Env,
  companyId: number,
  machineIds: readonly number[],
  usage?: ObjectUsage,
): Promise<string[]> {
  const failures: string[] = [];
  for (const some of chunksOf(machineIds, MACHINES_PER_MESSAGE)) {
    try {
      await eachOf(await readChangedSetUps(env, companyId, some), CALLS_AT_ONCE, async ({ machineId, configVersion, setUp }) => {
        try {
          await callMachine(env, machineId, (object) => object.configure(configVersion, setUp()), usage);
        } catch (error) {
          failures.push(`machine ${machineId}: ${error}`);
        }
      });
    } catch (error) {
      append(
        failures,
        some.map((machineId) => `machine ${machineId}: ${error}`),
      );
    }
  }
  return failures;
}
