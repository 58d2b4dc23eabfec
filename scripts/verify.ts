import { spawnSync } from "node:child_process";

// What `npm test` has no time for: its random tests go much further here, and the long proofs are made.

/** More throws of the dice for the random tests of `npm test`. */
const numbers = {
  MODEL_COMMANDS: "40000",
  FAULT_SEEDS: "60",
  INPUT_RUNS: "20",
  ENGINE_RUNS: "1000",
  EDIT_RUNS: "12",
  CRASH_ROUNDS: "40",
  LONG_E2E: "1",
  README_DEMO: "1",
};
const randomTests = [
  "test/e2e/crash",
  "test/e2e/readme",
  "test/e2e/admin",
  "test/e2e/backup",
  "test/machine/model-",
  "test/faults",
  "test/table/input",
  "test/oee/",
];

const steps: { name: string; command: string[]; env?: NodeJS.ProcessEnv }[] = [
  { name: "random tests", command: ["npx", "vitest", "run", ...randomTests, "test/api/stops/edit-properties"], env: numbers },
  { name: "overload", command: ["npm", "run", "overload"], env: { OVERLOAD_SECONDS: "20" } },
  { name: "plant-faults", command: ["npm", "run", "plant-faults"] },
];

for (const { name, command, env } of steps) {
  const startedAt = Date.now();
  const [program = "", ...args] = command;
  const { status } = spawnSync(program, args, { stdio: "inherit", env: { ...process.env, ...env } });
  const seconds = Math.round((Date.now() - startedAt) / 1000);
  console.log(`verify: ${name} ${status === 0 ? "passed" : "FAILED"} in ${seconds} s`);
  if (status !== 0) process.exit(1);
}
