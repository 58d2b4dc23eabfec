import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { executeSqlFile } from "../../scripts/service.ts";
import type { Row } from "../../src/client/live-protocol.ts";
import { ingest, login } from "./api.ts";
import { type BuiltService, migratedFolder, startBuilt, stopBuilt } from "./built-service.ts";
import { openDeaf, Screen, until } from "./live/watcher.ts";
import { type LoadPlant, newLoadPlant } from "./overload/load-plant.ts";
import { freePort } from "./plant.ts";

// Real sockets to a real server. `npm run live` uses 200 machines; docs/performance.md has the results.

const machines = Number(process.env.LIVE_MACHINES);
const watchers = 50;
const crowd = 500;
const seconds = 20;
/** The duration of measuring the cost of one screen. */
const costSeconds = Number(process.env.LIVE_COST_SECONDS ?? 60);
const COUNT_EVERY_MS = 1000;
/** State changes per second, spread over the machines, in addition to one count of each machine every five seconds. */
const CHANGES_PER_SECOND = 10;

const stateFolder = migratedFolder();
let service: BuiltService;
let loadPlant: LoadPlant;
let token: string;
const screens: Screen[] = [];
/** Machines at which the operator is signed in. */
const isIn = new Map<number, boolean>();

beforeAll(async () => {
  loadPlant = await newLoadPlant(stateFolder, machines / 2);
  await executeSqlFile(stateFolder, loadPlant.sqlFile);
  service = await startBuilt({ stateFolder, port: await freePort() });
  token = await login(service.url, { email: loadPlant.emails[0] ?? "", password: loadPlant.password });
});

afterAll(async () => {
  for (const screen of screens) screen.close();
  await stopBuilt();
  rmSync(stateFolder, { recursive: true, force: true });
});

/** Opens screens up to this number, a few at a time. */
async function openUpTo(count: number): Promise<void> {
  const startedAt = performance.now();
  while (screens.length < count) {
    const opened = Array.from({ length: Math.min(10, count - screens.length) }, () => new Screen(service.url, token));
    screens.push(...opened);
    await until(() => opened.every(({ isReady }) => isReady), 60_000, "screens are ready");
  }
  say(`${count} screens are open after ${Math.round(performance.now() - startedAt)} ms`);
}

/** Signs machines' operators in and out for a while; returns the ms from each answer of ingest until each screen had the row. */
async function measure(): Promise<number[]> {
  const took: number[] = [];
  /** Machine -> the time of the expected event, and when it was acknowledged (null: not yet). */
  const waiting = new Map<number, { at: string; acknowledgedAt: number | null; came: number[] }>();
  for (const screen of screens) {
    screen.onRow = (row, at) => {
      const one = waiting.get(row.machine.id);
      if (one && row.lastEventAt !== null && row.lastEventAt >= one.at) one.came.push(at);
    };
  }
  const finish = (machineId: number) => {
    const one = waiting.get(machineId);
    waiting.delete(machineId);
    if (!one || one.acknowledgedAt === null) return;
    const { acknowledgedAt, came } = one;
    // A frame may arrive before the answer.
    took.push(...came.slice(0, screens.length).map((at) => Math.max(0, at - acknowledgedAt)));
    took.push(...Array.from({ length: Math.max(0, screens.length - came.length) }, () => Number.POSITIVE_INFINITY));
  };
  const until = performance.now() + seconds * 1000;
  let turn = 0;
  const counts: Promise<unknown>[] = [];
  while (performance.now() < until) {
    const startedAt = performance.now();
    // Each gateway in turn, so that each machine counts every five seconds.
    for (let i = 0; i < Math.ceil(loadPlant.gateways.length / (5 * CHANGES_PER_SECOND)); i++) {
      const { token: own = "", machineIds = [] } = loadPlant.gateways[counts.length % loadPlant.gateways.length] ?? {};
      counts.push(ingest(service.url, own, machineIds.map(countNow)));
    }
    const gateway = loadPlant.gateways[turn % loadPlant.gateways.length];
    const machineId = gateway?.machineIds[Math.floor(turn / loadPlant.gateways.length) % 2];
    turn += 1;
    if (gateway && machineId !== undefined) {
      finish(machineId);
      const event = signInOrOut(machineId);
      const one = { at: event.at, acknowledgedAt: null as number | null, came: [] };
      waiting.set(machineId, one);
      await ingest(service.url, gateway.token, [event]);
      one.acknowledgedAt = performance.now();
    }
    await sleep(Math.max(0, 1000 / CHANGES_PER_SECOND - (performance.now() - startedAt)));
  }
  await Promise.all(counts);
  await sleep(2000);
  for (const machineId of [...waiting.keys()]) finish(machineId);
  return took.sort((a, b) => a - b);
}

function signInOrOut(machineId: number) {
  const action = isIn.get(machineId) ? ("out" as const) : ("in" as const);
  isIn.set(machineId, action === "in");
  return { type: "operator" as const, at: new Date().toISOString(), machineId, operatorId: 1, action };
}

function countNow(machineId: number) {
  return { type: "count" as const, at: new Date().toISOString(), nodeId: machineId, channel: 1, value: 1 };
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

function tell(what: string, sorted: readonly number[]): number {
  const quantile = (q: number) => sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.POSITIVE_INFINITY;
  const [p50, p95, p99] = [quantile(0.5), quantile(0.95), quantile(0.99)].map(Math.round);
  say(`${what}: ${sorted.length} frames, ${p50} ms p50, ${p95} ms p95, ${p99} ms p99`);
  return quantile(0.95);
}

const steady = (row: Row | undefined) => row && [row.machine.id, row.status, row.total, row.operators?.length, row.lastEventAt];

/** True if all screens show the service's state. */
async function areRight(): Promise<boolean> {
  const answer = await fetch(`${service.url}/v1/state`, { headers: { authorization: `Bearer ${token}` } });
  if (!answer.ok) return false;
  const { data } = (await answer.json()) as { data: Row[] };
  const expected = data.map((row) => JSON.stringify(steady(row)));
  const shows = ({ rows }: Screen) =>
    expected.every((row, i) => row === JSON.stringify(steady(rows.get(data[i]?.machine.id ?? 0))));
  return screens.every(shows);
}

const costTimeout = { timeout: costSeconds * 1000 + 120_000 };
test("machines that count all the time notify the hub once in five seconds each, in few frames", costTimeout, async () => {
  await openUpTo(1);
  const [screen] = screens;
  if (!screen) throw new Error("There is no screen");
  // One gateway after the other: all at once they would be refused while the machines' objects start.
  const countAll = async () => {
    for (const one of loadPlant.gateways) await ingest(service.url, one.token, one.machineIds.map(countNow));
  };
  await countAll();
  await sleep(10_000);
  let rounds = 0;
  const [seq, frames, startedAt] = [screen.seq, screen.frames, performance.now()];
  while (performance.now() < startedAt + costSeconds * 1000) {
    const roundAt = performance.now();
    await countAll();
    rounds++;
    await sleep(Math.max(0, COUNT_EVERY_MS - (performance.now() - roundAt)));
  }
  const took = (performance.now() - startedAt) / 1000;
  const [changes, messages] = [screen.seq - seq, screen.frames - frames];
  const perDay = Math.round((changes / took) * 86_400 * (100 / machines)).toLocaleString("en-GB");
  say(
    `${machines} machines, 1 screen, ${took.toFixed(0)} s: ${rounds} counts each, ${changes} changes in the hub, ${messages} frames`,
  );
  say(`a day of 100 machines: ${perDay} changes`);
  // In addition to counts, each machine may start to run, slowly or not, or stop. On a busy computer counts arrive late, and fewer are sent on.
  expect(changes).toBeLessThan(1.1 * machines * (took / 5 + 1));
  expect(changes).toBeGreaterThan(0.9 * machines);
});

test("an event is on every screen within a second of its answer", async () => {
  await openUpTo(watchers);
  expect(tell(`${machines} machines, ${watchers} screens`, await measure())).toBeLessThanOrEqual(1000);
});

test("a client that reads nothing does not delay the others", async () => {
  await openUpTo(crowd - 1);
  const deaf = await openDeaf(service.url, token);
  expect(tell(`${machines} machines, ${crowd} screens, one of them deaf`, await measure())).toBeLessThanOrEqual(1000);
  deaf.destroy();
});

test("after a crash and a restart every screen is right again within five seconds", async () => {
  for (const screen of screens.splice(watchers)) screen.close();
  for (const screen of screens) screen.onRow = () => undefined;
  // The last counts are sent on at most ten seconds later.
  await until(() => screens.every(({ isReady }) => isReady), 5000, "screens are ready");
  while (!(await areRight())) await sleep(500);
  const { url } = service;
  await service.kill();
  service = await startBuilt({ stateFolder, port: Number(new URL(url).port) });
  const upAt = performance.now();
  const [gateway] = loadPlant.gateways;
  if (gateway) await ingest(service.url, gateway.token, gateway.machineIds.map(signInOrOut));
  while (!(await areRight())) {
    expect(performance.now() - upAt, "ms since the restart").toBeLessThan(5000);
    await sleep(100);
  }
  const rightAfter = performance.now() - upAt;
  say(`right again ${Math.round(rightAfter)} ms after the restart`);
  expect(rightAfter).toBeLessThan(5000);
});
