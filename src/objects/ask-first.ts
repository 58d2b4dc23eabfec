import type { ObjectUsage } from "../core/object-usage.ts";
import { type Looked, selectRunning } from "../core/queries.ts";
import { ShortCache } from "../core/short-cache.ts";
import { type CompanyDb, companyDb } from "../db/client.ts";
import { callMachines } from "./machines.ts";

// Counts that change nothing but numbers wait in a machine's object for up to five minutes, because mostly nobody looks. A request that reads
// them queries the machines first, so D1 is then at most 15 seconds behind.

/** The maximum age of the rows of running shifts and orders after the machines were queried. */
const FRESH_MS = 15_000;
/** The pause before a machine that did not answer is queried again. */
const RETRY_MS = 5000;
/** The maximum number of machines to wait for, and for how long; and how many more are queried after the answer. */
const MOST_AWAITED = 200;
const AWAIT_MS = 3000;
const MOST_AFTERWARDS = 800;
const AFTERWARDS_MS = 15_000;

/** The parts of a request that are needed to query machines. */
interface Asker {
  env: Env;
  db: CompanyDb;
  objects?: ObjectUsage;
  /** If undefined, the caller waits for the answers. */
  afterwards?(work: Promise<unknown>): void;
}

/** Machine id, or a scope as JSON -> the time as of which D1 is up to date (`readAt`). */
const machinesAsked = new ShortCache<true>(FRESH_MS, 20_000);
const scopesAsked = new ShortCache<true>(FRESH_MS, 1000);

/**
 * Makes the machines with a running shift or order bring D1 up to date, unless they did so less than 15 s ago. A machine that does not answer
 * in time is left out: its numbers are as old as its last flush.
 * @returns the session to read in, which sees the rows that the machines wrote
 */
export async function askFirst({ env, db, objects, afterwards }: Asker, looked: Looked): Promise<CompanyDb> {
  const scope = scopeOf(looked);
  if (scopesAsked.get(scope) || scopesAsked.get(scopeOf({ companyIds: looked.companyIds }))) return db;
  const now = Date.now();
  // The `readAt` of a machine that did not answer, so that it is queried again after RETRY_MS.
  const unanswered = now - FRESH_MS + RETRY_MS;
  const running = new Set((await selectRunning(db, looked)).map(({ machineId }) => machineId));
  const stale = [...running].filter((machineId) => !machinesAsked.get(String(machineId)));
  const ask = async (machineIds: readonly number[], ms: number) => {
    const answers = await callMachines(env, machineIds, ms, (machine) => machine.publish(), objects);
    for (const machineId of machineIds) {
      machinesAsked.set(String(machineId), true, Math.min(now, answers.get(machineId) ?? unanswered));
    }
  };
  await ask(stale.slice(0, MOST_AWAITED), AWAIT_MS);
  const others = stale.slice(MOST_AWAITED, MOST_AWAITED + MOST_AFTERWARDS);
  if (others.length > 0) {
    const asked = ask(others, AFTERWARDS_MS);
    if (afterwards) afterwards(asked);
    else await asked;
  }
  const asOf = [...running].map((machineId) => machinesAsked.get(String(machineId))?.readAt ?? unanswered);
  const oldest = asOf.reduce((least, one) => Math.min(least, one), now);
  scopesAsked.set(scope, true, oldest);
  return stale.length > 0 ? companyDb(env, "first-primary", db.usage) : db;
}

function scopeOf({ companyIds, machineIds, workOrderId }: Looked): string {
  return JSON.stringify([companyIds, machineIds, workOrderId]);
}
