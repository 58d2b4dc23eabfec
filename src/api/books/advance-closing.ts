import { type CompanyDb, companyDb } from "../../db/client.ts";
import type { ClosingMachineState } from "../../db/values.ts";
import { sendQueueMessages } from "../../events/queues.ts";
import { eachOf, OBJECTS_AT_ONCE } from "../../limits/load.ts";
import { callMachine } from "../../objects/machines.ts";
import { MINUTE_MS, SECOND_MS } from "../../oee/time.ts";
import {
  type ClosingRow,
  endClosing,
  failClosing,
  findDue,
  findMachinesLeft,
  leaseClosing,
  saveClosing,
  saveMachines,
} from "./queries.ts";

/** The most machines that a step calls. */
const MACHINES_PER_STEP = 100;
/** The most steps of a run; another run does the rest. */
const MOST_STEPS = 10;
/** How long a step may take before another one may do the same. */
const LEASE_MS = MINUTE_MS;
/** How long it waits before it calls machines again that were not ready. */
const PAUSE_MS = 5 * SECOND_MS;
/** A closing that has taken so long fails. */
const MOST_MS = 10 * MINUTE_MS;

/**
 * Closes or reopens the books of a company, some machines at a time. If machines are not ready, a queue message continues later; if that is lost, the
 * cron does. Each step may be repeated.
 */
export async function advanceClosings(
  env: Env,
  companyId: number,
  { db = companyDb(env, "first-primary"), steps = MOST_STEPS }: { db?: CompanyDb; steps?: number } = {},
): Promise<void> {
  for (let done = 0; done < steps; done++) {
    const now = Date.now();
    const due = await findDue(db, companyId, now);
    if (!due) return;
    const leased = { ...due, nextAt: now + LEASE_MS };
    // If somebody else has taken it, that one goes on.
    if (!(await leaseClosing(db, due, leased.nextAt))) return;
    const isPaused = due.state === "closing" ? await close(env, db, leased) : await reopen(env, db, leased);
    if (isPaused) break;
  }
  const body = { job: "sweep" as const, at: Date.now(), companyIds: [companyId] };
  await sendQueueMessages(env, [{ queue: "JOBS", body, delaySeconds: PAUSE_MS / SECOND_MS }]);
}

/** Has machines close their books. Returns whether it has to wait for some. */
async function close(env: Env, db: CompanyDb, closing: ClosingRow): Promise<boolean> {
  const { id, companyId, toAt, createdAt } = closing;
  const { left, isSetUpDue } = await findMachinesLeft(db, closing, "waiting", MACHINES_PER_STEP);
  if (left.length === 0) {
    await endClosing(db, closing, Date.now());
    return false;
  }
  const results = new Map<number, string | null>();
  const ask = async ({ machineId, configVersion }: (typeof left)[number]) => {
    const closed = await callMachine(env, machineId, (machine) =>
      machine.closeBooks({ closingId: id, to: toAt }, companyId, configVersion),
    );
    // One that its object does not know has no numbers.
    results.set(machineId, closed === null || closed.isClosed ? null : closed.waitsFor);
  };
  if (!isSetUpDue) await eachOf(left, OBJECTS_AT_ONCE, (one) => ask(one).catch(() => results.set(one.machineId, "answer")));
  const now = Date.now();
  await saveMachines(db, closing, changesOf(results, "closed", "waiting"), now);
  const waiting = [...results.values()].filter((waitsFor) => waitsFor !== null);
  const isPaused = isSetUpDue || waiting.length > 0;
  if (isPaused && now > createdAt + MOST_MS) {
    await failClosing(db, closing, failureOf(left.length, waiting, isSetUpDue), now);
    return false;
  }
  await saveClosing(db, closing, { nextAt: isPaused ? now + PAUSE_MS : now });
  return isPaused;
}

function failureOf(left: number, waiting: readonly (string | null)[], isSetUpDue: boolean): string {
  if (isSetUpDue) return "A planned change of the set-up did not begin within 10 minutes.";
  return `${left} machines did not close their books within 10 minutes. They waited for: ${[...new Set(waiting)].join(", ")}.`;
}

/** Has machines reopen their books. Returns whether it has to wait for some. */
async function reopen(env: Env, db: CompanyDb, closing: ClosingRow): Promise<boolean> {
  const { id, companyId, fromAt, state } = closing;
  const { left } = await findMachinesLeft(db, closing, "reopening", MACHINES_PER_STEP);
  if (left.length === 0) {
    await saveClosing(db, closing, { nextAt: null });
    return false;
  }
  const results = new Map<number, string | null>();
  const change = { closingId: id, to: fromAt, isFailed: state === "failed" };
  await eachOf(left, OBJECTS_AT_ONCE, async ({ machineId }) => {
    await callMachine(env, machineId, (machine) => machine.reopenBooks(change, companyId)).then(
      () => results.set(machineId, null),
      () => results.set(machineId, "answer"),
    );
  });
  const now = Date.now();
  await saveMachines(db, closing, changesOf(results, "open", "reopening"), now);
  const isPaused = [...results.values()].some((waitsFor) => waitsFor !== null);
  await saveClosing(db, closing, { nextAt: isPaused ? now + PAUSE_MS : now });
  return isPaused;
}

/** The states of machines, together where they are the same. */
function changesOf(results: ReadonlyMap<number, string | null>, done: ClosingMachineState, left: ClosingMachineState) {
  const groups = Map.groupBy(results, ([, waitsFor]) => waitsFor);
  return [...groups].map(([waitsFor, some]) => {
    return { machineIds: some.map(([machineId]) => machineId), state: waitsFor === null ? done : left, waitsFor };
  });
}
