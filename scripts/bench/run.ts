import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { HOUR_MS } from "../../src/oee/time.ts";
import { signIns } from "./bench-company.ts";
import { Caller } from "./caller.ts";
import { measureEngine } from "./engine.ts";
import { countingWrapper, measureFlushes, measureObject } from "./flushes.ts";
import { SHIFT_MS, small } from "./generated-plant.ts";
import { type Fed, Feeder, feedCrowd, feedLate, feedOne } from "./ingest.ts";
import { type BenchRequest, inTurns, median, multipleOf, send } from "./load.ts";
import { measureManyFlushes } from "./many-flushes.ts";
import { asker } from "./office.ts";
import { type BenchRead, deepPage, everyStop, firstPage, longSummary, objectReads, reads, reports } from "./operations.ts";
import { openPlant, type Plant } from "./plant-folder.ts";
import { build, type Server, serve } from "./server.ts";
import type { Size } from "./size.ts";
import { type Finding, findingsOf, isMet, type Line, ratioOf, tableOf } from "./table.ts";
import { measureWrites } from "./writes.ts";

const READ = { atLeast: 0.7 };
const STOP_REPORT = { atLeast: 0.68 };
const MEDIAN_READ = { atLeast: 0.78 };
const SUMS = { atMost: 1.5 };
const FAN_OUT = { atMost: 1.2 };
const SAME = { atMost: 1.2 };

/**
 * Measures everything in a folder, prints it, and returns whether all bounds are met.
 * @param only measures only reads with this in their name; empty: everything
 * @throws if no read has it in its name
 */
export async function runBench(folder: string, size: Size, only: string): Promise<boolean> {
  const built = join(folder, "built");
  tell("Building the Worker");
  await build(built);
  tell(`Making the ${size.name} plant`);
  const plant = await openPlant(join(folder, size.name), size.shape, size.crowdSize);
  const wanted = readsNamed(plant, size, only);
  const lines: Line[] = [];
  const findings: Finding[] = [];
  const server = await serve(built, plant.stateFolder);
  try {
    const caller = new Caller(server, await login(server), size.profile);
    const feeder = new Feeder(server, plant.benchCompany);
    if (only === "") findings.push(...measureEngine());
    const measured = await measureReads(caller, feeder, plant, wanted, size);
    lines.push(...measured.lines);
    findings.push(...measured.findings);
    if (only === "") {
      tell("Writes");
      lines.push(...(await measureWrites(caller, plant, size.profile)));
      if (size.name === "large") findings.push(...(await compareSizes(folder, built, caller, size)));
      for (const feed of [feedOne, feedCrowd]) {
        tell("Feeding machines");
        const fed = await feed(caller, feeder, plant.benchCompany, size);
        lines.push(...fed.lines);
        findings.push(...fed.findings);
      }
      findings.push(...(await feedLate(feeder, plant.benchCompany, size.lateEvents)));
    }
  } finally {
    await server.dispose();
  }
  if (only === "") findings.push(...(await flushFindings(built, plant)));
  console.log(`${tableOf(lines)}\n\n${findingsOf(findings)}`);
  return findings.every(isMet);
}

/** Reads by the bounds that apply to them. */
interface Wanted {
  ofDatabase: BenchRead[];
  reports: BenchRead[];
  sums: BenchRead[];
  fanOuts: BenchRead[];
  ofObjects: BenchRead[];
}

function readsNamed(plant: Plant, { machinesAPage }: Size, part: string): Wanted {
  const named = (askings: readonly BenchRead[]) => askings.filter(({ name }) => name.includes(part));
  const { ofMany, others } = objectReads(plant, machinesAPage);
  const wanted = {
    ofDatabase: named(reads(plant)),
    reports: named(reports(plant)),
    sums: named([longSummary(plant)]),
    fanOuts: named(ofMany),
    ofObjects: named(others),
  };
  if (Object.values(wanted).flat().length === 0) throw new Error(`No read has "${part}" in its name.`);
  return wanted;
}

async function measureReads(caller: Caller, feeder: Feeder, plant: Plant, wanted: Wanted, size: Size): Promise<Fed> {
  if (wanted.fanOuts.length + wanted.ofObjects.length > 0) {
    await signEveryoneIn(feeder, plant);
    await everyoneIsKnown(caller, plant);
  }
  const single = await compareAll(caller, [...wanted.ofDatabase, ...wanted.reports, ...wanted.ofObjects]);
  const sums = await compareAll(caller, wanted.sums);
  const fanOuts = await compareAll(caller, wanted.fanOuts);
  const findings = [
    ...shareFindings(single, size),
    ...sums.map((line) => multipleFinding(line, "the same sums in plain SQL", SUMS, size)),
    ...fanOuts.map((line) => multipleFinding(line, "the bare fan-out", FAN_OUT, size)),
  ];
  return { lines: [...single, ...sums, ...fanOuts], findings };
}

async function login({ andon }: Server): Promise<string> {
  const headers = { "content-type": "application/json" };
  const answer = await send({ url: new URL("/identity/login", andon), method: "POST", headers, body: JSON.stringify(asker) });
  return (JSON.parse(answer) as { data: { jwt: { token: string } } }).data.jwt.token;
}

async function signEveryoneIn(feeder: Feeder, { benchCompany }: Plant): Promise<void> {
  const now = Date.now();
  // An operator who signs in before the shift begins is signed out at its beginning.
  const since = Math.max(now - HOUR_MS, Math.floor(now / SHIFT_MS) * SHIFT_MS);
  for (const { machineIds } of benchCompany.crowd) await send(feeder.andon(signIns(machineIds, since)));
}

/** Waits until the objects of the crowd have sent their operators to D1. */
async function everyoneIsKnown(caller: Caller, plant: Plant): Promise<void> {
  const ids = plant.benchCompany.crowd.flatMap(({ machineIds }) => machineIds);
  const [page] = objectReads(plant, ids.length).ofMany;
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await sleep(100)) {
    const { totalItems } = await caller.ask<{ totalItems: number }>({ ...page, path: page.path.replace(/limit=\d+/, "limit=1") });
    if (totalItems === ids.length) return;
  }
  throw new Error("The bench company's operators did not get into the database within a minute.");
}

async function compareAll(caller: Caller, askings: readonly BenchRead[]): Promise<Line[]> {
  const lines: Line[] = [];
  for (const asking of askings) {
    tell(asking.name);
    lines.push(await caller.compare(asking));
  }
  return lines;
}

/** The median of all reads, each read that is too far behind the bare Worker, and always the one that is farthest behind. */
function shareFindings(lines: readonly Line[], { name: run }: Size): Finding[] {
  if (lines.length === 0) return [];
  const finding = (what: string, value: number, limit: typeof READ): Finding => {
    const name = `${what}, throughput at p50 as a share of the bare Worker's`;
    return { name, value, unit: "", ...(run === "large" && { limit }) };
  };
  const ofEach = lines
    .map((line) => finding(line.name, ratioOf(line) ?? 0, line.name.includes("stop report") ? STOP_REPORT : READ))
    .sort((a, b) => a.value - b.value);
  const ofAll = finding("the median of all reads", median(ofEach.map(({ value }) => value)), MEDIAN_READ);
  return [ofAll, ...ofEach.filter((one, i) => i === 0 || !isMet(one))];
}

function multipleFinding({ name, andon, bare }: Line, of: string, limit: typeof SUMS, { name: run }: Size): Finding {
  const value = bare ? multipleOf(andon, bare) : Number.NaN;
  return { name: `${name}, p50 as a multiple of ${of}`, value, unit: "", ...(run === "large" && { limit }) };
}

/** A far page compared with the first one, and a plant of 1,000,000 stops with one of 10,000. */
async function compareSizes(folder: string, built: string, caller: Caller, size: Size): Promise<Finding[]> {
  tell("A far page, and a plant of 10,000 stops");
  const few = await openPlant(join(folder, "few"), small, 100);
  const other = await serve(built, few.stateFolder);
  try {
    const ofFew = new Caller(other, await login(other), size.profile);
    const multiple = async (of: BenchRequest, against: BenchRequest) => {
      const [one, reference] = await inTurns([() => of, () => against], { ...size.profile, rounds: 2 * size.profile.rounds });
      return one && reference ? multipleOf(one, reference) : Number.NaN;
    };
    const deep = await multiple(caller.requestFor(deepPage), caller.requestFor(firstPage));
    const many = await multiple(caller.requestFor(everyStop), ofFew.requestFor(everyStop));
    return [
      { name: "page 10,000 of the stop report, p50 as a multiple of page 1", value: deep, unit: "", limit: SAME },
      { name: "stop report of 1,000,000 stops, p50 as a multiple of 10,000 stops", value: many, unit: "", limit: SAME },
    ];
  } finally {
    await other.dispose();
  }
}

async function flushFindings(built: string, plant: Plant): Promise<Finding[]> {
  tell("What a flush asks, and how an object grows");
  const server = await serve(built, plant.stateFolder, { modules: { "wrapper.js": countingWrapper } });
  try {
    const feeder = new Feeder(server, plant.benchCompany);
    const [machineId = Number.NaN] = plant.benchCompany.crowd[0]?.machineIds ?? [];
    return [
      ...(await measureFlushes(server, feeder, plant.benchCompany)),
      ...(await measureManyFlushes(server, machineId)),
      ...(await measureObject(server, feeder, plant.benchCompany)),
    ];
  } finally {
    await server.dispose();
  }
}

/** Reports progress: only the table is written to the standard output. */
function tell(what: string): void {
  console.error(`- ${what}`);
}
