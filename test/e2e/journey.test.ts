import { type ChildProcess, spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { executeSqlFile } from "../../scripts/service.ts";
import { ingest, login, settledTotal } from "./api.ts";
import { factor, freePort, freshStateFolder, newPlant } from "./plant.ts";

const stateFolder = freshStateFolder();
let npm: ChildProcess | undefined;

afterAll(async () => {
  await ctrlC();
  rmSync(stateFolder, { recursive: true, force: true });
});

/** As a terminal does it: the signal goes to the whole foreground group. Resolves when npm has ended. */
async function ctrlC(): Promise<void> {
  if (npm?.pid === undefined || npm.exitCode !== null || npm.signalCode !== null) return;
  const ended = new Promise((done) => npm?.once("exit", done));
  process.kill(-npm.pid, "SIGINT");
  await ended;
}

async function isUp(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/health`).catch(() => null);
  return answer?.ok ?? false;
}

async function within(ms: number, condition: () => Promise<boolean>): Promise<boolean> {
  for (const deadline = Date.now() + ms; Date.now() < deadline; await sleep(100)) if (await condition()) return true;
  return false;
}

test("an empty service comes up, takes three events, gives them back, and is gone after Ctrl-C", async () => {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  npm = spawn("npm", ["start", "--", "--empty"], {
    detached: true,
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, PORT: String(port), ANDON_STATE: stateFolder },
  });
  expect(await within(60_000, () => isUp(url))).toBe(true);
  const plant = await newPlant(stateFolder, 1);
  await executeSqlFile(stateFolder, plant.sqlFile);

  const token = await login(url, plant);
  const { nodeId, channel, commissionedAt, gatewayToken } = plant;
  const events = [4, 5, 6].map((value, i) => {
    return { type: "count" as const, nodeId, channel, value, at: new Date(commissionedAt + (i + 1) * 60_000).toISOString() };
  });
  expect(await ingest(url, gatewayToken, events)).toEqual({
    accepted: 3,
    duplicates: 0,
    rejected: [],
  });
  expect(await ingest(url, gatewayToken, events)).toEqual({
    accepted: 0,
    duplicates: 3,
    rejected: [],
  });
  expect(await settledTotal(url, token, plant.machineId, 15 * factor)).toBe(15 * factor);

  await ctrlC();
  expect(await within(5000, async () => !(await isUp(url)))).toBe(true);
});
