import { spawnSync } from "node:child_process";
import { resolve } from "node:path";

// `npm run inner-loop`: how long those who change the code wait, beside a bare start of Node in the same run. `npm run inner-loop -- test` measures
// the lines whose name contains that.

const root = resolve(import.meta.dirname, "../..");
const node = process.execPath;

/** What is measured: the command, how often (the median counts), and the bound in seconds. */
const lines: { name: string; command: [string, ...string[]]; times: number; boundS: number | null }[] = [
  { name: "a bare start of Node", command: [node, "-e", "0"], times: 5, boundS: null },
  { name: "one pure test", command: ["npx", "vitest", "run", "test/oee/metrics.test.ts"], times: 3, boundS: 1.5 },
  { name: "one file of API tests", command: ["npx", "vitest", "run", "test/api/stops/get-stop.test.ts"], times: 3, boundS: 10 },
  { name: "npm run check", command: ["npm", "run", "check"], times: 1, boundS: 45 },
  { name: "npm test", command: ["npm", "test"], times: 1, boundS: 180 },
];

const wanted = process.argv[2] ?? "";
const measured = lines.filter(({ name, boundS }) => boundS === null || name.includes(wanted));
let bareS = 0;
for (const { name, command, times, boundS } of measured) {
  const seconds = median(Array.from({ length: times }, () => secondsOf(command)));
  if (boundS === null) bareS = seconds;
  const verdict = boundS === null ? "" : `, at most ${boundS} s: ${seconds <= boundS ? "met" : "MISSED"}`;
  console.log(`${name}: ${seconds.toFixed(2)} s, ${Math.round(seconds / bareS)} x a bare start${verdict}`);
}

function secondsOf([program, ...args]: [string, ...string[]]): number {
  const startedAt = performance.now();
  const { status } = spawnSync(program, args, { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
  if (status !== 0) {
    console.error(`${[program, ...args].join(" ")} failed`);
    process.exit(1);
  }
  return (performance.now() - startedAt) / 1000;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
