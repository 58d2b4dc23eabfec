import { spawn } from "node:child_process";
import { once } from "node:events";
import { stripVTControlCharacters } from "node:util";

// Checks that `npm test` has no time for: its random tests run longer here, and the long tests are included.

/** More runs of the random tests of `npm test`. */
const numbers = {
  MODEL_COMMANDS: "20000",
  PUT_RIGHT_HISTORIES: "40",
  PUT_RIGHT_KILLED: "10",
  FAULT_SEEDS: "12",
  INPUT_RUNS: "4",
  ENGINE_RUNS: "400",
  EDIT_RUNS: "12",
  HISTORY_RUNS: "24",
  TRANSFER_ROWS: "1000000",
  REPORT_PLANTS: "15",
  PLANT_FILES: "25",
  FAILING_MACHINES: "200",
  CRASH_ROUNDS: "20",
  IMPORT_LINES: "50000",
  BRIDGE_KILLS: "10",
  README_DEMO: "1",
};
const randomTests = [
  "test/e2e/crash",
  "test/e2e/import",
  "test/e2e/readme",
  "test/e2e/guides",
  "test/e2e/admin",
  "test/e2e/backup",
  "test/e2e/restore",
  "test/e2e/serve",
  "test/e2e/bridge",
  "test/bridge/debian",
  "test/e2e/proxies",
  "test/e2e/start",
  "test/e2e/dead-letters",
  "test/e2e/migrate",
  "test/machine/model-",
  "test/faults",
  "test/jobs/many-at-once",
  "test/table/budgets",
  "test/table/input",
  "test/table/operator-names",
  "test/table/unknown",
  "test/api/reports/deep-pages",
  "test/http/transfer",
  "test/oee/",
];

const ofAreas = [
  "test/api/ingest/count-sensors/hundreds-at-once",
  "test/api/ingest/sensor-history",
  "test/api/ingest/readings",
  "test/api/live/interleaved",
  "test/api/plant/plant-file/random-plants",
  "test/api/stops/edit-properties",
  "test/api/reports/summary/reports-agree",
];

const steps: { name: string; command: string[]; env?: NodeJS.ProcessEnv }[] = [
  { name: "random tests", command: ["npx", "vitest", "run", ...randomTests, ...ofAreas], env: numbers },
  {
    name: "pages in all languages and sizes",
    command: ["npx", "vitest", "run", "--project", "browser"],
    env: { ALL_LOOKS: "1", LONG_TESTS: "1" },
  },
  {
    name: "deliveries",
    command: ["npx", "vitest", "run", "--project", "e2e", "test/e2e/deliveries.test.ts", "--silent=false"],
    env: { DELIVERIES_EVENTS: "200", DELIVERIES_SUBSCRIPTIONS: "5", DELIVERIES_KILLS: "3" },
  },
  // The packages of OPC UA are installed here alone: there are more of them than of all the rest.
  { name: "packages of OPC UA", command: ["npm", "ci", "--prefix", "bridge/opcua"] },
  { name: "types of OPC UA", command: ["npx", "tsc", "-p", "bridge/opcua"] },
  { name: "OPC UA", command: ["npx", "vitest", "run", "test/bridge/opcua"] },
  { name: "upgrade from the last release", command: ["npm", "run", "test:upgrade"] },
  // All tests in workerd, those too that `npm test` leaves out.
  { name: "indexes", command: ["npm", "run", "indexes"] },
  { name: "cost", command: ["npm", "run", "bench", "--", "--cost", "--short"] },
  { name: "live", command: ["npm", "run", "live"] },
  { name: "overload", command: ["npm", "run", "overload"], env: { OVERLOAD_SECONDS: "20" } },
];

/** What is repeated at the end of a step that failed, in lines. */
const mostRepeated = 80;

/** Runs a step, and prints its output as it comes. Returns whether it passed, and its output without colours. */
async function run({ command, env }: (typeof steps)[number]): Promise<{ passed: boolean; output: string }> {
  const [program = "", ...args] = command;
  const child = spawn(program, args, { stdio: ["inherit", "pipe", "pipe"], env: { ...process.env, ...env } });
  let output = "";
  for (const [from, to] of [
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ] as const) {
    from.pipe(to, { end: false });
    from.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  const [status] = await once(child, "close");
  return { passed: status === 0, output: stripVTControlCharacters(output) };
}

/** The part of a failed step's output that says what failed: Vitest's summary of failed tests, otherwise the end. */
function failureIn(output: string): string {
  const summary = output.lastIndexOf(" Failed Tests ");
  const lines = output.slice(Math.max(summary, 0)).split("\n");
  return (summary < 0 ? lines.slice(-mostRepeated) : lines.slice(0, mostRepeated)).join("\n");
}

// All of them, also after one has failed: a run of half an hour should say everything that is wrong.
const failed: { name: string; output: string }[] = [];
for (const step of steps) {
  const startedAt = Date.now();
  const { passed, output } = await run(step);
  const seconds = Math.round((Date.now() - startedAt) / 1000);
  console.log(`verify: ${step.name} ${passed ? "passed" : "FAILED"} in ${seconds} s`);
  if (!passed) failed.push({ name: step.name, output });
}
if (failed.length > 0) {
  // Again at the end, where it is found without scrolling through half an hour of output, of which a CI may keep the end alone.
  for (const { name, output } of failed) console.log(`verify: what failed in ${name}\n${failureIn(output)}`);
  console.log(`verify: FAILED: ${failed.map(({ name }) => name).join(", ")}`);
  process.exit(1);
}
