import { advanceClosings } from "../api/books/advance-closing.ts";
import { closeOldBooks } from "../api/books/close-old-books.ts";
import { runImport } from "../api/ingest/imports/run-import.ts";
import { beginVersions } from "../api/plant/begin-versions.ts";
import type { Job, JobName } from "../events/queues.ts";
import { classifyStopsOf } from "./classify-stops.ts";
import { configureDue, configureNamed } from "./configure-machines.ts";
import { forgetOfCompany } from "./retention/forget-of-company.ts";
import { forgetOld } from "./retention/forget-old.ts";
import { forgetShared } from "./retention/forget-shared.ts";
import { rotateKey } from "./rotate-key.ts";
import { scheduleDueReports } from "./schedule-due-reports.ts";
import { sweep } from "./sweep.ts";
import { tellDirectory } from "./tell-directory.ts";
import { tryChangesOf } from "./try-changes.ts";
import { callRoll, wakeOverdueMachines } from "./wake-machines.ts";
import { watchDatabaseSize } from "./watch-database-size.ts";
import { watchGateways, watchGatewaysOf } from "./watch-gateways.ts";
import { publishLateOrdersOf, watchOrders, watchOrdersOf } from "./watch-orders.ts";

/** All jobs. Those of a cron come again by themselves, so a job that fails is not repeated. */
const jobs: Readonly<Record<JobName, (env: Env, job: Job) => Promise<void>>> = {
  // Of a company: what somebody asked for, and takes longer than a request. The released version would sweep all of it: that does no harm.
  sweep: async (env, { at, companyIds }) => {
    if (!companyIds) return await sweep(env, at);
    for (const companyId of companyIds) {
      const ofStopsAndImports = [classifyStopsOf(env, companyId), runImport(env, companyId)];
      await Promise.all([
        ...ofStopsAndImports,
        tryChangesOf(env, companyId),
        closeOldBooks(env, companyId).then(() => advanceClosings(env, companyId)),
      ]);
    }
  },
  configure: async (env, { at, companyIds: [companyId] = [], machineIds }) => {
    if (companyId === undefined || !machineIds) return await followSetUp(env, at);
    await configureNamed(env, companyId, machineIds, at);
  },
  reports: (env, { at }) => scheduleDueReports(env, at),
  orders: async (env, { at }) => {
    try {
      await watchOrders(env, at);
    } finally {
      await watchGateways(env, at);
    }
  },
  lateOrders: (env, { at, companyIds = [] }) => publishLateOrdersOf(env, companyIds, at),
  orderRules: (env, { at, companyIds = [], about }) =>
    (about === "gateways" ? watchGatewaysOf : watchOrdersOf)(env, companyIds, at),
  forget: async (env, { at, companyIds }) => {
    if (!companyIds) return await forgetOld(env, at);
    for (const companyId of companyIds) await forgetOfCompany(env, companyId, at);
  },
  forgetShared: (env, { at }) => forgetShared(env, at),
  wakeOverdue: (env, { at }) => wakeOverdueMachines(env, at),
  rollCall: (env, { at }) => callRoll(env, at),
  databaseSize: (env, { at }) => watchDatabaseSize(env, at),
  rotateKey: (env, { at }) => rotateKey(env, at),
  directory: (env, { at }) => tellDirectory(env, at),
};

/** Begins the versions of the set-up that are due, and passes what changed to machines, even if some could not begin. */
async function followSetUp(env: Env, now: number): Promise<void> {
  try {
    await beginVersions(env, now);
  } finally {
    await configureDue(env);
  }
}

/**
 * Does a job. Throws if it fails.
 * @public for tests
 */
export async function runJob(env: Env, job: Job): Promise<void> {
  await jobs[job.job](env, job);
}

/** Does a job. If it fails, that is logged. */
export async function tryJob(env: Env, job: Job): Promise<void> {
  try {
    await runJob(env, job);
  } catch (error) {
    console.error(JSON.stringify({ event: "job_failed", ...job, error: String(error) }));
  }
}
