import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "../server.ts";
import { countBounds, dollarBounds } from "./bounds.ts";
import type { MachineKind, Scenario } from "./day.ts";
import { pricesAsOf } from "./prices.ts";
import { simulate } from "./simulate.ts";
import { type Bill, billOf, billOfCrons, type Counts, statementsOf, type Tally } from "./tally.ts";

const DAY_HOURS = 24;
/** One of three shifts, so that a day is three times this. */
const SHIFT_HOURS = 8;
/** From the start of a shift, including a break and a settled change of shifts. */
const SHORT_HOURS = 2.5;
/** A gateway's twenty machines run for a short time: more shifts change than in a day, which makes them a little too expensive. */
const GATEWAY = { machines: 20, hours: SHORT_HOURS };

const kinds: MachineKind[] = ["10-s counts", "10-s counts, an operator", "60-s counts", "states only", "idle", "an outage"];

const wholeDay: Scenario[] = [{ machines: 1, hours: SHIFT_HOURS }, GATEWAY].flatMap((size) =>
  kinds.flatMap((kind) => [false, true].map((isWatched) => ({ kind, isWatched, ...size }))),
);

/** The scenarios that CI checks. */
const shortened: Scenario[] = [
  { kind: "10-s counts", machines: 1, isWatched: false, hours: SHORT_HOURS },
  { kind: "10-s counts", machines: 1, isWatched: true, hours: SHORT_HOURS },
  { kind: "60-s counts", machines: 1, isWatched: false, hours: SHORT_HOURS },
  { kind: "idle", machines: 1, isWatched: false, hours: SHORT_HOURS },
];

export interface CostRun {
  scenario: Scenario;
  tally: Tally;
  bill: Bill;
}

/**
 * Plays the scenarios, prints a machine's cost, and returns whether all bounds are met: on dollars in a whole run, on counts in a short one.
 * @param only runs scenarios with this in their name; empty: all
 */
export async function runCost(folder: string, isShort: boolean, only: string): Promise<boolean> {
  mkdirSync(folder, { recursive: true });
  await build(join(folder, "built"));
  const wanted = (isShort ? shortened : wholeDay).filter((scenario) => nameOf(scenario).includes(only));
  if (wanted.length === 0) throw new Error(`No scenario has "${only}" in its name.`);
  const runs: CostRun[] = [];
  for (const scenario of wanted) {
    console.error(`- ${nameOf(scenario)}`);
    const tally = await simulate(folder, scenario);
    runs.push({ scenario, tally, bill: billOf(tally, scenario.hours, scenario.machines, scenario.isWatched) });
    writeFileSync(join(folder, "cost.json"), JSON.stringify(runs, null, 1));
  }
  console.log(`${countTable(runs)}\n\n${shareTable(runs)}\n\n${costliest(runs[0])}`);
  const [first] = runs;
  if (first) {
    const crons = billOfCrons(first.tally, first.scenario.hours);
    console.log(
      `\nThe crons of a service and its summaries in the log cost $${crons.toFixed(2)} a month, however many machines it has. Prices of ${pricesAsOf}.`,
    );
  }
  const missed = isShort ? missedCounts(runs) : missedDollars(runs);
  for (const one of missed) console.log(`MISSED: ${one}`);
  return missed.length === 0;
}

/** The name of a scenario in tables and bounds. */
export function nameOf({ kind, machines, isWatched }: Scenario): string {
  return `${kind}${machines > 1 ? `, one of ${machines}` : ""}${isWatched ? ", watched" : ""}`;
}

function missedDollars(runs: readonly CostRun[]): string[] {
  return runs.flatMap(({ scenario, bill: { dollars } }) => {
    const bound = dollarBounds[nameOf(scenario)];
    if (bound === undefined || dollars <= bound) return [];
    return [`${nameOf(scenario)}: $${dollars.toFixed(3)} a month, at most $${bound.toFixed(2)}`];
  });
}

function missedCounts(runs: readonly CostRun[]): string[] {
  return runs.flatMap(({ scenario, bill: { counts } }) =>
    Object.entries(countBounds[nameOf(scenario)] ?? {}).flatMap(([name, bound]) => {
      const value = counts[name as keyof Counts] * (scenario.hours / DAY_HOURS);
      return value <= bound ? [] : [`${nameOf(scenario)}: ${name} ${Math.round(value)}, at most ${bound}`];
    }),
  );
}

const columns: [string, (counts: Counts) => number][] = [
  ["Worker requests", (of) => of.workerRequests],
  ["machine calls", (of) => of.machineCalls],
  ["alarms", (of) => of.machineAlarms],
  ["hub calls", (of) => of.hubCalls],
  ["rows read in objects", (of) => of.objectRowsRead],
  ["rows written", (of) => of.objectRowsWritten],
  ["of these alarms set", (of) => of.alarmsSet],
  ["trips to D1", (of) => of.d1Trips],
  ["rows read in D1", (of) => of.d1RowsRead],
  ["rows written in D1", (of) => of.d1RowsWritten],
  ["queue messages", (of) => of.queueMessages],
  ["log lines", (of) => of.logLines],
  ["R2", (of) => of.r2Operations],
  ["active s", (of) => of.activeMs / 1000],
];

/** Counts of one machine and day. */
function countTable(runs: readonly CostRun[]): string {
  const head = `| a machine and day | USD a month | ${columns.map(([name]) => name).join(" | ")} |`;
  const rule = `|---|${"---:|".repeat(columns.length + 1)}`;
  const rows = runs.map(({ scenario, bill: { counts, dollars } }) => {
    const figures = columns.map(([, of]) => figure(of(counts)));
    return `| ${nameOf(scenario)} | ${dollars.toFixed(3)} | ${figures.join(" | ")} |`;
  });
  return [head, rule, ...rows].join("\n");
}

/** The dollars by purpose. */
function shareTable(runs: readonly CostRun[]): string {
  const names = Object.keys(runs[0]?.bill.shares ?? {});
  const head = `| USD a month | ${names.join(" | ")} |`;
  const rows = runs.map(
    ({ scenario, bill: { shares } }) =>
      `| ${nameOf(scenario)} | ${names.map((name) => (shares[name] ?? 0).toFixed(3)).join(" | ")} |`,
  );
  return [head, `|---|${"---:|".repeat(names.length)}`, ...rows].join("\n");
}

const TOLD_STATEMENTS = 15;

/** The most expensive statements of a scenario. */
function costliest(run: CostRun | undefined): string {
  if (!run) return "";
  const { scenario, tally } = run;
  const perDay = DAY_HOURS / scenario.hours / scenario.machines;
  const rows = statementsOf(tally)
    .slice(0, TOLD_STATEMENTS)
    .map(({ text, runs, rowsRead, rowsWritten }) => {
      const figures = [runs, rowsRead, rowsWritten].map((value) => figure(value * perDay));
      return `| ${text.slice(0, 100).replaceAll("|", "\\|")} | ${figures.join(" | ")} |`;
    });
  return [`| ${nameOf(scenario)}, a day | runs | rows read | rows written |`, "|---|---:|---:|---:|", ...rows].join("\n");
}

/** Rounded to a whole number from 10 on. */
function figure(value: number): string {
  return value >= 10 || value === 0 ? value.toFixed(0) : value.toPrecision(2);
}
