import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { stopAll } from "../service.ts";
import { runCost } from "./cost/run.ts";
import { runManyMachines } from "./many-machines.ts";
import { runBench } from "./run.ts";
import { runServeBench } from "./serve.ts";
import { largeRun, smallRun } from "./size.ts";
import { runVolume } from "./volume/run.ts";

// npm run bench -- [--small | --large | --cost [--short]] [--keep <folder>] [--only <part of a name>]
// npm run bench -- --volume
// npm run bench -- --many-machines [--minutes 25] [--port 8810] [--keep <folder>]
// npm run bench -- --serve [--minutes 125] [--events 0] [--port 8810] [--keep <folder>]

async function main(): Promise<boolean> {
  const options = parseArgs({
    options: {
      small: { type: "boolean", default: false },
      large: { type: "boolean", default: false },
      cost: { type: "boolean", default: false },
      serve: { type: "boolean", default: false },
      volume: { type: "boolean", default: false },
      "many-machines": { type: "boolean", default: false },
      short: { type: "boolean", default: false },
      minutes: { type: "string" },
      events: { type: "string", default: "0" },
      port: { type: "string", default: "8810" },
      keep: { type: "string" },
      only: { type: "string", default: "" },
    },
  }).values;
  const { small, large, cost, serve, volume, "many-machines": manyMachines, short, minutes, events, port, keep, only } = options;
  if ([small, large, cost, serve, volume, manyMachines].filter(Boolean).length > 1) {
    throw new Error("Give one of --small, --large, --cost, --serve, --volume and --many-machines.");
  }
  if (short && !cost) throw new Error("--short is for --cost.");
  const folder = keep === undefined ? mkdtempSync(join(tmpdir(), "andon-bench-")) : resolve(keep);
  mkdirSync(folder, { recursive: true });
  // Only the important messages of wrangler.
  process.env.WRANGLER_LOG ??= "warn";
  if (keep === undefined) process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  try {
    if (serve) return await runServeBench(folder, Number(port), Number(minutes ?? 125), Number(events));
    if (manyMachines) return await runManyMachines(folder, Number(port), Number(minutes ?? 25));
    if (volume) return await runVolume(folder);
    if (cost) return await runCost(folder, short, only);
    return await runBench(folder, small ? smallRun : largeRun, only);
  } finally {
    await stopAll();
  }
}

process.on("SIGINT", async () => {
  await stopAll();
  process.exit(130);
});
main().then(
  (isMet) => process.exit(isMet ? 0 : 1),
  (error: Error) => {
    console.error(error.message);
    process.exit(2);
  },
);
