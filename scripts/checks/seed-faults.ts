import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { type SeededFault, seededFaults } from "./seeded-faults.ts";

// Checks that the tests notice mistakes: seeds each fault of the list in a copy of the tree, and runs the tests that must then fail.
// `npm run seeded-faults -- 'token|login'` only seeds those with a matching name.

/** The result of a test run: the failed tests, and the reason if there are none although the run did not succeed. */
interface Run {
  failed: { file: string; test: string }[];
  passed: boolean;
  output: string;
}

const root = resolve(import.meta.dirname, "../..");
const longestRunMs = 4 * 60_000;
const temporary = mkdtempSync(join(tmpdir(), "andon-faults-"));
const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) child.kill();
  rmSync(temporary, { recursive: true, force: true });
});
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

/** The extent of random tests: more than in `npm test`, where few runs may miss a fault. */
const numbers = {
  MODEL_COMMANDS: "20000",
  INPUT_RUNS: "4",
  FAULT_SEEDS: "12",
  ENGINE_RUNS: "400",
  EDIT_RUNS: "12",
  HISTORY_RUNS: "12",
  CRASH_ROUNDS: "20",
};

const startedAt = Date.now();
const wanted = new RegExp(process.argv[2] ?? "");
const faults = seededFaults.filter(({ name }) => wanted.test(name));
const complaints = faults.flatMap(staleness);
if (faults.length === 0) complaints.push(`no fault has a name like ${wanted}`);
if (complaints.length === 0) await tryAll();
for (const complaint of complaints) console.error(complaint);
process.exit(complaints.length > 0 ? 1 : 0);

/** The reasons why a fault cannot be seeded: the code has changed, and the list must follow. */
function staleness({ name, file, find }: SeededFault): string[] {
  const places = readFileSync(join(root, file), "utf8").split(find).length - 1;
  return places === 1 ? [] : [`${name}: its text stands ${places} times in ${file}`];
}

async function tryAll(): Promise<void> {
  const copies = Array.from({ length: Math.min(4, availableParallelism()) }, (_, i) => copyTree(join(temporary, String(i))));
  const tests = [...new Set(faults.flatMap((fault) => fault.tests))];
  const unbroken = await runTests(copies[0] as string, tests);
  console.log(`${tests.length} test files without a fault: ${unbroken.passed ? "green" : "RED"}, ${secondsSince(startedAt)} s\n`);
  if (!unbroken.passed) {
    complaints.push(`They fail without a fault: ${unbroken.failed.map(({ file, test }) => `${file}: ${test}`).join("; ")}`);
    complaints.push(unbroken.output);
    return;
  }
  console.log("seconds  fault (file) -> the test that notices it");
  const left = [...faults];
  const tryOnesLeft = async (copy: string) => {
    for (let fault = left.shift(); fault; fault = left.shift()) await tryFault(copy, fault);
  };
  await Promise.all(copies.map(tryOnesLeft));
  console.log(`\n${faults.length} faults, ${complaints.length} not noticed, ${secondsSince(startedAt)} s`);
}

/** Seeds a fault in a copy, and reports which test notices it. */
async function tryFault(copy: string, { name, file, find, replace, tests }: SeededFault): Promise<void> {
  const seededAt = Date.now();
  const path = join(copy, file);
  const good = readFileSync(path, "utf8");
  writeFileSync(
    path,
    good.replace(find, () => replace),
  );
  const { failed, passed, output } = await runTests(copy, tests, ["--bail", "1"]);
  writeFileSync(path, good);
  const [first] = failed;
  if (!first) complaints.push(`${name} (${file}): not noticed by ${tests.join(", ")}${passed ? "" : `\n${output}`}`);
  const noticed = first ? `${first.file}: ${first.test}` : "NONE";
  console.log(`${secondsSince(seededAt).padStart(7)}  ${name} (${file}) -> ${noticed}`);
}

/** A copy of all files that git tracks or does not ignore, with the same packages. */
function copyTree(copy: string): string {
  const known = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"];
  const deleted = new Set(listed(["ls-files", "-z", "--deleted"]));
  for (const file of listed(known).filter((one) => !deleted.has(one))) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    copyFileSync(join(root, file), join(copy, file));
  }
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  return copy;
}

function listed(args: string[]): string[] {
  return execFileSync("git", args, { cwd: root, encoding: "utf8" }).split("\0").filter(Boolean);
}

/** Runs test files of a copy. A file that cannot be loaded fails without a failing test. */
async function runTests(copy: string, names: readonly string[], options: readonly string[] = []): Promise<Run> {
  const report = join(copy, "report.json");
  rmSync(report, { force: true });
  const files = names.map((name) => `test/${name}.test.ts`);
  const caches = ["--cache=false", "--fsModuleCachePath", join(copy, ".cache")];
  const reporters = ["--silent", "--reporter", "json", "--reporter", "dot", "--outputFile.json", report];
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const child = spawn(process.execPath, [vitest, "run", ...files, ...options, ...caches, ...reporters], {
    cwd: copy,
    env: { ...numbers, ...process.env, PWD: copy, NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: longestRunMs,
  });
  running.add(child);
  let output = "";
  const note = (part: Buffer) => {
    output += part;
  };
  child.stdout.on("data", note);
  child.stderr.on("data", note);
  const code = await new Promise((done) => child.once("close", done));
  running.delete(child);
  return { failed: failedIn(copy, report), passed: code === 0, output: output.slice(-3000) };
}

function failedIn(copy: string, report: string): Run["failed"] {
  type Result = { name: string; assertionResults: { status: string; fullName: string }[] };
  if (!existsSync(report)) return [];
  const results: Result[] = JSON.parse(readFileSync(report, "utf8")).testResults;
  return results.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === "failed")
      .map(({ fullName }) => ({ file: name.slice(copy.length + 1), test: fullName.trim() })),
  );
}

function secondsSince(at: number): string {
  return ((Date.now() - at) / 1000).toFixed(0);
}
