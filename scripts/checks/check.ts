import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";

// `npm run check`: all of its steps, as many at a time as there are cores. It shows what failed, and fails after all steps have run.

const root = resolve(import.meta.dirname, "../..");

/** The steps, the longest first. */
const steps: { name: string; command: string }[] = [
  { name: "types of the tests", command: "tsc -p test" },
  { name: "size and start of the Worker", command: "node scripts/checks/check-upload.ts" },
  { name: "types of the service", command: "tsc -p src" },
  { name: "format and lint", command: "biome ci ." },
  { name: "types of the bindings", command: "wrangler types --include-runtime=false --strict-vars=false --check" },
  { name: "the OpenAPI document", command: "node scripts/checks/check-api.ts" },
  { name: "unused code", command: "knip --no-progress" },
  { name: "types of the board", command: "tsc -p src/board" },
  { name: "types of the end-to-end tests", command: "tsc -p test/e2e" },
  { name: "types of the tests of pages", command: "tsc -p test/browser" },
  { name: "types of the scripts", command: "tsc -p scripts" },
  { name: "types of the bridge", command: "tsc -p bridge && tsc -p test/bridge" },
  { name: "regular expressions and other patterns", command: "node scripts/checks/check-patterns.ts" },
  { name: "size of the board", command: "node scripts/checks/check-board.ts" },
  { name: "layers", command: "node scripts/checks/check-layers.ts" },
  { name: "words of public texts", command: "node scripts/checks/check-words.ts" },
  { name: "migrations and steps of storages", command: "node scripts/checks/check-migrations.ts" },
  { name: "links in the documentation", command: "node scripts/checks/check-links.ts" },
  { name: "tests named in the security pages", command: "node scripts/checks/check-security.ts" },
];

const waiting = [...steps];
let failures = 0;
await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, runSteps));
if (failures > 0) {
  console.error(`${failures} of ${steps.length} checks failed`);
  process.exitCode = 1;
}

async function runSteps(): Promise<void> {
  for (let step = waiting.shift(); step; step = waiting.shift()) {
    const startedAt = Date.now();
    const { status, output } = await run(step.command);
    const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
    if (status !== 0) failures++;
    console.log(`${status === 0 ? "passed" : "FAILED"}  ${step.name} (${step.command}), ${seconds} s`);
    if (status !== 0) console.log(output);
  }
}

/** Runs a command with the programs of node_modules, as npm does. */
function run(command: string): Promise<{ status: number | null; output: string }> {
  return new Promise((done) => {
    const child = spawn(command, { cwd: root, shell: true, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text));
    child.on("close", (status) => done({ status, output }));
  });
}
