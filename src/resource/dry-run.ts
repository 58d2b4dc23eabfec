import { z } from "@hono/zod-openapi";
import type { Caller } from "../core/caller.ts";
import { type Fault, invalid, refusal } from "../core/problem.ts";
import { takenId } from "../core/sequence.ts";
import type { CompanyDb } from "../db/client.ts";
import { eachOf } from "../limits/load.ts";
import type { DryRunResult, SummedShifts } from "../objects/machine-protocol.ts";
import { callMachine } from "../objects/machines.ts";
import { continueAfterwards } from "../objects/notify-machines.ts";
import { readWouldBeSetUps } from "../objects/set-up.ts";
import type { WouldBe } from "../objects/would-be-set-up.ts";
import { factorsOf, toHundredths, toMinutes, toPercent } from "../oee/metrics.ts";
import { DAY_MS, isoOf, SECOND_MS } from "../oee/time.ts";
import { countOpen, insertDryRun, selectMachineIds, takeRecalculationId } from "./queries.ts";

// What a change of the set-up would do. It is decided as ever, and not stored; then its machines say what their shifts would be.

/** The most days of machines that a request tries, and a job. */
const MOST_DAYS = 31;
const MOST_DAYS_OF_JOB = 20_000;
/** The most machines of a dry run. */
const MOST_MACHINES = 1000;
/** The most shifts that an answer lists. */
const MOST_SHIFTS = 1000;
/** The longest change that is kept for a job, in characters of JSON. */
const MOST_KEPT = 1_000_000;
/** The most dry runs and recalculations of a company that are under way. */
const MOST_OPEN = 20;
/** How long a request works before a job goes on. */
const REQUEST_MS = 15 * SECOND_MS;
/** How many machines are asked at once. */
const AT_ONCE = 4;
/** How often a machine is asked again if its set-up was changed meanwhile. */
const MOST_TRIES = 3;

/** A change that is tried. */
export interface Tried {
  companyId: number;
  machines: readonly number[] | "all";
  /** The time in which it holds (epoch ms); `until` null: for ever. */
  from: number;
  until: number | null;
  reason: string | null;
  change: WouldBe;
}

/** The shifts of a machine that would differ. */
interface MachineResult extends DryRunResult {
  machineId: number;
}

/**
 * Finds out what a change would do, or has a job find it out if that takes long. Nothing of the set-up and of the machines is changed.
 * @throws Problem 400 if it would take too long even for a job; 409 if too many are under way
 */
export async function tryChange(caller: Caller, tried: Tried): Promise<DryRun> {
  const { env, db, objects } = caller;
  const now = Date.now();
  const isAhead = tried.from > now || tried.machines.length === 0;
  const found = isAhead ? [] : await selectMachineIds(db, tried.companyId, tried.machines, MOST_MACHINES + 1);
  const machineIds = found.map(({ id }) => id);
  const days = machineIds.length * Math.max(1, Math.ceil((Math.min(tried.until ?? now, now) - tried.from) / DAY_MS));
  refuseTooLong(machineIds.length, days);
  const token = crypto.randomUUID();
  const job = { ...tried, machines: machineIds, token };
  if (days > MOST_DAYS) return await beginJob(caller, job);
  const results: MachineResult[] = [];
  const isOver = () => Date.now() - now > REQUEST_MS;
  const left = await tryAt(env, { ...job, isOver, objects, noteResult: async (one) => void results.push(one) });
  return left.length > 0 ? await beginJob(caller, job) : dryRunOf(null, machineIds.length, results);
}

function refuseTooLong(machines: number, days: number): void {
  if (machines <= MOST_MACHINES && days <= MOST_DAYS_OF_JOB) return;
  const message = `would be tried at ${machines > MOST_MACHINES ? `more than ${MOST_MACHINES}` : machines} machines, over ${days} machine-days: at most ${MOST_MACHINES} and ${MOST_DAYS_OF_JOB}`;
  const fault: Fault = { pointer: "/dryRun", code: "range_too_long", message };
  throw invalid([fault]);
}

/** Machines that try a change. */
export interface Trial {
  companyId: number;
  machines: readonly number[];
  change: WouldBe;
  token: string;
  /** Whether the rest is left for later. */
  isOver(): boolean;
  noteResult(result: MachineResult): Promise<void>;
  noteProgress?(machineId: number, reachedAt: number): Promise<void>;
  objects?: Caller["objects"];
}

/** Has machines try a change. Returns those that are left: they do something else now, or it is over. */
export async function tryAt(env: Env, trial: Trial): Promise<number[]> {
  const setUps = await readWouldBeSetUps(env, trial.companyId, trial.machines, trial.change);
  const left: number[] = [];
  await eachOf(setUps, AT_ONCE, async ({ machineId, setUp }) => {
    if (!(await tryMachine(env, trial, machineId, setUp))) left.push(machineId);
  });
  return left;
}

type PassedSetUp = Awaited<ReturnType<typeof readWouldBeSetUps>>[number]["setUp"];

/** Returns whether the machine has come to the end. */
async function tryMachine(env: Env, trial: Trial, machineId: number, first: PassedSetUp): Promise<boolean> {
  const { companyId, change, token, objects, isOver } = trial;
  let setUp = first;
  for (let tries = 0; tries < MOST_TRIES && !isOver(); ) {
    const passed = setUp;
    const answer = await callMachine(env, machineId, (object) => object.dryRun(token, passed, MOST_SHIFTS), objects);
    if (answer === null) return true;
    if (answer.state === "busy") return false;
    if (answer.state === "done") {
      await trial.noteResult({ machineId, ...answer });
      return true;
    }
    if (answer.state === "going") {
      if (answer.reachedAt !== null) await trial.noteProgress?.(machineId, answer.reachedAt);
      continue;
    }
    tries += 1;
    const [changed] = await readWouldBeSetUps(env, companyId, [machineId], change);
    if (!changed) return true;
    setUp = changed.setUp;
  }
  return false;
}

/** A dry run as a job keeps it. */
export interface KeptTrial {
  change: WouldBe;
  token: string;
}

async function beginJob(caller: Caller, { machines, token, ...tried }: Tried & { machines: number[]; token: string }) {
  const { db, actor } = caller;
  const kept = JSON.stringify({ change: tried.change, token } satisfies KeptTrial);
  const now = Date.now();
  const [taken, [counted]] = await db.batch([takeRecalculationId(db), countOpen(db, tried.companyId)]);
  if ((counted?.open ?? 0) >= MOST_OPEN) {
    const message = `${MOST_OPEN} dry runs and recalculations of the company are under way: wait until one has ended`;
    throw refusal(409, [{ pointer: "", code: "too_many_open", message }]);
  }
  if (kept.length > MOST_KEPT) {
    const message = "the item has so many versions that only a dry run of less time is possible";
    throw refusal(409, [{ pointer: "/dryRun", code: "too_many", message }]);
  }
  const row = {
    id: takenId(db, taken),
    companyId: tried.companyId,
    reason: tried.reason ?? "",
    fromAt: tried.from,
    toAt: Math.min(tried.until ?? now, now),
    createdAt: now,
    createdBy: actor.userId,
    isDryRun: true,
    trial: kept,
    nextAt: now,
  };
  await insertJob(db, row, machines);
  continueAfterwards(caller, tried.companyId);
  return dryRunOf(row.id, machines.length, []);
}

async function insertJob(db: CompanyDb, row: Parameters<typeof insertDryRun>[1], machines: readonly number[]): Promise<void> {
  const [first, ...others] = insertDryRun(db, row, machines);
  await db.batch([first, ...others]);
}

const timestamp = z.iso.datetime();
const members = z
  .record(z.string(), z.number().nullable())
  .nullable()
  .openapi({ description: "The members that would differ, named as in reports. Null: there is no such shift" });
const sums = z.object({
  shifts: z.int(),
  oee: z.number().openapi({ description: "Percent, as all six" }),
  netOee: z.number(),
  availability: z.number(),
  netAvailability: z.number(),
  effectiveness: z.number(),
  quality: z.number(),
  total: z.number(),
  defects: z.number(),
  availableTime: z.number().openapi({ description: "Minutes, as all five" }),
  programmedDowntime: z.number(),
  nonProgrammedDowntime: z.number(),
  otherStopsTime: z.number(),
  noDataTime: z.number(),
});

/** What a change would do. */
export const dryRunMember = z
  .object({
    recalculationId: z.int().nullable().openapi({
      description: `The job that finds it out: \`GET /v1/recalculations/{id}\` has the result, for a week. Null: it is complete`,
    }),
    machineCount: z
      .int()
      .openapi({ description: "How many machines are asked: those whose numbers of now or of the past it may change" }),
    shiftCount: z.int().openapi({ description: "How many shifts would differ" }),
    shifts: z
      .array(
        z.object({ machineId: z.int(), shiftId: z.int(), start: timestamp, end: timestamp, before: members, after: members }),
      )
      .openapi({
        description: `The shifts that would differ, the running one included; the first ${MOST_SHIFTS} of them. Where \`before\` and \`after\` are empty, only its stops, parts or operators would`,
      }),
    before: sums.openapi({ description: "Sums over the shifts that would differ, as they are" }),
    after: sums.openapi({ description: "The same with the change" }),
  })
  .openapi("DryRun");
export type DryRun = z.infer<typeof dryRunMember>;

/** The result of machines as an answer shows it. */
export function dryRunOf(recalculationId: number | null, machineCount: number, results: readonly MachineResult[]): DryRun {
  const all = results.flatMap(({ machineId, shifts }) =>
    shifts.map(({ start, end, ...shift }) => ({ machineId, ...shift, start: isoOf(start), end: isoOf(end) })),
  );
  all.sort((a, b) => (a.start === b.start ? a.machineId - b.machineId : a.start < b.start ? -1 : 1));
  return {
    recalculationId,
    machineCount,
    shiftCount: results.reduce((sum, { count }) => sum + count, 0),
    shifts: all.slice(0, MOST_SHIFTS),
    before: shownSums(results.map((one) => one.sums.before)),
    after: shownSums(results.map((one) => one.sums.after)),
  };
}

function shownSums(all: readonly SummedShifts[]): z.infer<typeof sums> {
  const of = (name: keyof SummedShifts) => all.reduce((sum, one) => sum + one[name], 0);
  const [availableMs, programmedMs, nonProgrammedMs] = [of("availableMs"), of("programmedMs"), of("nonProgrammedMs")];
  const made = { idealMs: of("idealMs"), totalUnits: of("totalUnits"), defectUnits: of("defectUnits") };
  const factors = factorsOf({ availableMs, programmedMs, nonProgrammedMs }, made);
  const { oee, netOee, availability, netAvailability, effectiveness, quality } = factors;
  const percent = { oee, netOee, availability, netAvailability, effectiveness, quality };
  return {
    shifts: of("shifts"),
    ...(Object.fromEntries(Object.entries(percent).map(([name, value]) => [name, toPercent(value)])) as typeof percent),
    total: toHundredths(made.totalUnits),
    defects: toHundredths(made.defectUnits),
    availableTime: toMinutes(availableMs),
    programmedDowntime: toMinutes(programmedMs),
    nonProgrammedDowntime: toMinutes(nonProgrammedMs),
    otherStopsTime: toMinutes(of("otherMs")),
    noDataTime: toMinutes(of("noDataMs")),
  };
}
