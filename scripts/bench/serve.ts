import type { ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { apiClient } from "../../src/client/client.ts";
import { newToken, tokenHashOf } from "../../src/core/bearer-token.ts";
import { hashPassword } from "../../src/core/password.ts";
import * as schema from "../../src/db/schema.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../src/oee/time.ts";
import { seededRandom } from "../random.ts";
import { executeSqlFile, migrate } from "../service.ts";
import { insertSql } from "../sql.ts";
import { healthy, startService } from "./started-service.ts";

const MACHINES = 30;
const CYCLE_MS = 10 * SECOND_MS;
const FEED_EVERY_MS = 3 * SECOND_MS;
const BATCH = 1000;
/** The goals for the memory of all processes together, and for its growth in the second hour. */
const LARGEST_MB = 700;
const LARGEST_GROWTH = 1.1;

/** The memory and the time of the service's processes at an instant. */
interface Sample {
  /** Since the first one. */
  minutes: number;
  processes: number;
  /** Proportional set size: shared pages are divided by the number of processes that have them. */
  pssMb: number;
  nodeMb: number;
  workerdMb: number;
  cpuSeconds: number;
  events: number;
  stateMb: number;
}

/**
 * Runs `npm run serve` with 30 machines, readers and a watching wall, and writes its memory and its CPU time once a minute to `samples.tsv` in
 * the folder. Returns whether the goals are met; the growth is only checked in runs of two hours. Linux only: it reads /proc.
 * @param eventsBefore the number of events that it is fed as history first
 */
export async function runServeBench(folder: string, port: number, minutes: number, eventsBefore: number): Promise<boolean> {
  const stateFolder = join(folder, "state");
  mkdirSync(stateFolder, { recursive: true });
  const days = Math.max(1, Math.ceil(eventsBefore / ((MACHINES * DAY_MS) / CYCLE_MS)));
  const since = Date.now() - days * DAY_MS;
  const plant = await newPlant(stateFolder, since);
  const server = startService(stateFolder, port);
  try {
    const url = `http://localhost:${port}`;
    await healthy(url, server);
    const token = await login(url, plant);
    const counted = { events: 0 };
    const samples: Sample[] = [];
    const file = join(folder, "samples.tsv");
    const startedAt = Date.now();
    const takeSample = () => keepSample(samples, file, sample(server, stateFolder, startedAt, counted.events));
    const sampling = setInterval(() => {
      try {
        takeSample();
      } catch (error) {
        // A process or a file that has just gone.
        console.error(error);
      }
    }, MINUTE_MS);
    await feedHistory(url, plant.gatewayToken, since, eventsBefore, counted);
    const liveSince = Date.now();
    const until = liveSince + minutes * MINUTE_MS;
    await Promise.all([
      feedLive(url, plant.gatewayToken, until, counted),
      readUntil(url, token, until),
      watchUntil(url, token, until),
    ]);
    clearInterval(sampling);
    takeSample();
    return report(samples, (liveSince - startedAt) / MINUTE_MS, counted.events, liveSince - startedAt);
  } finally {
    server.kill("SIGTERM");
    if (server.exitCode === null) await new Promise((done) => server.once("exit", done));
  }
}

async function newPlant(stateFolder: string, commissionedAt: number) {
  const file = join(stateFolder, "plant.json");
  if (existsSync(file)) throw new Error(`${stateFolder} has a plant of an earlier run: name another folder.`);
  const now = Date.now();
  const stamps = { createdAt: now, updatedAt: now };
  const plant = { gatewayToken: newToken("gw", 1).token, email: "reader@plant.test", password: randomUUID() };
  const ids = Array.from({ length: MACHINES }, (_, i) => i + 1);
  const days = [1, 2, 3, 4, 5, 6, 7];
  const shifts = ["06:00", "14:00", "22:00"].map((start, i, starts) => {
    return {
      id: i + 1,
      companyId: 1,
      name: `Shift ${i + 1}`,
      start,
      end: starts[(i + 1) % 3] ?? "",
      days,
      breaks: [],
      ...stamps,
    };
  });
  const sql = [
    insertSql(schema.companies, [{ id: 1, name: "Plant", timezone: "Europe/Madrid", ...stamps }]),
    insertSql(schema.users, [
      {
        id: 1,
        companyId: 1,
        name: "Reader",
        email: plant.email,
        passwordHash: await hashPassword(plant.password),
        role: "admin",
        ...stamps,
      },
    ]),
    insertSql(schema.gatewayTokens, [
      { id: 1, companyId: 1, name: "Gateway", tokenHash: tokenHashOf(plant.gatewayToken), createdAt: now },
    ]),
    insertSql(schema.shifts, shifts),
    insertSql(
      schema.machines,
      ids.map((id) => ({
        id,
        companyId: 1,
        name: `Machine ${id}`,
        ref: `M-${id}`,
        nodeId: 1,
        signal: "counts" as const,
        standardCycleSeconds: 10,
        commissionedAt,
        ...stamps,
      })),
    ),
    insertSql(
      schema.countSensors,
      ids.map((machineId) => ({ machineId, isCountEnabled: true, updatedAt: now })),
    ),
    insertSql(
      schema.countChannels,
      ids.map((machineId) => ({
        companyId: 1,
        nodeId: 1,
        channel: machineId,
        machineId,
        type: "total" as const,
        countingFactor: 1,
      })),
    ),
  ];
  await migrate(stateFolder);
  const path = join(stateFolder, "plant.sql");
  writeFileSync(path, sql.join(""), { mode: 0o600 });
  await executeSqlFile(stateFolder, path);
  writeFileSync(file, "{}");
  return plant;
}

async function login(url: string, { email, password }: { email: string; password: string }): Promise<string> {
  const { data, error } = await apiClient(url).POST("/identity/login", { body: { email, password } });
  if (!data) throw new Error(`Login failed: ${JSON.stringify(error)}`);
  return data.data.jwt.token;
}

interface CountEvent {
  id: string;
  type: "count";
  at: string;
  nodeId: number;
  channel: number;
  value: number;
}

/** The counts of a machine in [from, to) (epoch ms): one a cycle, except during stops of 2 to 20 minutes, every few hours. */
function countsOf(machine: number, from: number, to: number): CountEvent[] {
  const offset = (machine * 331) % CYCLE_MS;
  const first = Math.ceil((from - offset) / CYCLE_MS);
  const numbers = Array.from({ length: Math.max(0, Math.ceil((to - offset) / CYCLE_MS) - first) }, (_, i) => first + i);
  return numbers.flatMap((n) => {
    const at = n * CYCLE_MS + offset;
    const block = Math.floor(at / (20 * MINUTE_MS));
    const random = seededRandom("stop", machine, block);
    const isStopped = random() < 0.1 && at - block * 20 * MINUTE_MS < (2 + 18 * random()) * MINUTE_MS;
    if (isStopped) return [];
    return [{ id: `${machine}-${n}`, type: "count", at: new Date(at).toISOString(), nodeId: 1, channel: machine, value: 1 }];
  });
}

/** Sends events until they are accepted: on a busy computer, a request may be refused because it is slow or one too many. */
async function send(url: string, token: string, events: CountEvent[]): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const { data, error, response } = await apiClient(url, token).POST("/v1/ingest", { body: { events } });
    if (data && data.rejected.length === 0) return;
    if (data || ![408, 429, 503].includes(response.status) || attempt > 20) {
      throw new Error(`Ingest: ${response.status} ${JSON.stringify(data?.rejected[0] ?? error)}`);
    }
    await sleep(1000 * Number(response.headers.get("retry-after") ?? "1"));
  }
}

/** Feeds `wanted` events, day after day, four machines at once. */
async function feedHistory(
  url: string,
  token: string,
  since: number,
  wanted: number,
  counted: { events: number },
): Promise<void> {
  for (let from = since; counted.events < wanted && from < Date.now() - DAY_MS / 2; from += DAY_MS / 2) {
    const to = Math.min(from + DAY_MS / 2, Date.now());
    const left = Array.from({ length: MACHINES }, (_, i) => i + 1);
    const feeder = async () => {
      for (let machine = left.pop(); machine !== undefined; machine = left.pop()) {
        const events = countsOf(machine, from, to);
        for (let i = 0; i < events.length; i += BATCH) await send(url, token, events.slice(i, i + BATCH));
        counted.events += events.length;
      }
    };
    await Promise.all([feeder(), feeder(), feeder(), feeder()]);
  }
}

async function feedLive(url: string, token: string, until: number, counted: { events: number }): Promise<void> {
  for (let from = Date.now(); from < until; await sleep(FEED_EVERY_MS)) {
    const to = Date.now();
    const events = Array.from({ length: MACHINES }, (_, i) => countsOf(i + 1, from, to)).flat();
    try {
      if (events.length > 0) await send(url, token, events);
      counted.events += events.length;
      from = to;
    } catch (error) {
      console.error(error);
    }
  }
}

/** As people read: the shift report every 10 s, stops every 30 s, the state of one machine every 5 s. */
async function readUntil(url: string, token: string, until: number): Promise<void> {
  const api = apiClient(url, token);
  for (let n = 0; Date.now() < until; n++) {
    try {
      await api.GET("/v1/machines/{id}/state", { params: { path: { id: 1 + (n % MACHINES) } } });
      if (n % 2 === 0) await api.POST("/v1/public/reports/metrics", { body: { pageSize: 100 } });
      if (n % 6 === 0) await api.GET("/v1/stops", { params: { query: { limit: 100 } } });
    } catch (error) {
      console.error(error);
    }
    await sleep(5 * SECOND_MS);
  }
}

/** A wall that watches all machines, and connects again if it is cut off. */
async function watchUntil(url: string, token: string, until: number): Promise<void> {
  while (Date.now() < until) {
    const socket = new WebSocket(`${url.replace("http", "ws")}/v1/live?companyId=1`, ["andon.v1", `bearer.${token}`]);
    const closed = new Promise<void>((done) => {
      socket.onclose = socket.onerror = () => done();
    });
    await Promise.race([closed, sleep(until - Date.now())]);
    socket.close();
    await sleep(1000);
  }
}

/** The present memory and CPU time of a process and its descendants. */
function sample(server: ChildProcess, stateFolder: string, startedAt: number, events: number): Sample {
  const processes = treeOf(server.pid ?? 0).map((pid) => ({
    pid,
    name: readFileSync(`/proc/${pid}/comm`, "utf8").trim(),
    pssMb: pssOf(pid),
  }));
  const sum = (part: typeof processes) => Math.round(part.reduce((total, { pssMb }) => total + pssMb, 0));
  return {
    minutes: Math.round((Date.now() - startedAt) / MINUTE_MS),
    processes: processes.length,
    pssMb: sum(processes),
    nodeMb: sum(processes.filter(({ name }) => !name.includes("workerd"))),
    workerdMb: sum(processes.filter(({ name }) => name.includes("workerd"))),
    cpuSeconds: Math.round(processes.reduce((total, { pid }) => total + cpuOf(pid), 0)),
    events,
    stateMb: Math.round(sizeOf(stateFolder) / 2 ** 20),
  };
}

function treeOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);
  return [pid, ...children.flatMap(treeOf)];
}

function pssOf(pid: number): number {
  return Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1]) / 1024;
}

/** User and system time, in seconds: clock ticks are hundredths of a second on Linux. */
function cpuOf(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sum + sizeOf(path);
    return sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0);
  }, 0);
}

function keepSample(samples: Sample[], file: string, taken: Sample): void {
  if (samples.length === 0) writeFileSync(file, `${Object.keys(taken).join("\t")}\n`);
  samples.push(taken);
  appendFileSync(file, `${Object.values(taken).join("\t")}\n`);
}

function report(samples: Sample[], historyMinutes: number, events: number, historyMs: number): boolean {
  const live = samples.filter(({ minutes }) => minutes > historyMinutes);
  const largest = Math.max(...live.map(({ pssMb }) => pssMb));
  const at = (minute: number) => live.findLast(({ minutes }) => minutes - historyMinutes <= minute);
  const [first, last] = [at(60), live.at(-1)];
  const isLong = last !== undefined && last.minutes - historyMinutes >= 119;
  const growth = isLong && first ? last.pssMb / first.pssMb : Number.NaN;
  const seconds = (last?.cpuSeconds ?? 0) - (live[0]?.cpuSeconds ?? 0);
  const minutes = (last?.minutes ?? 0) - (live[0]?.minutes ?? 0);
  console.log(`${events} events; history in ${Math.round(historyMs / SECOND_MS)} s
largest PSS while live: ${largest} MB (at most ${LARGEST_MB})
second hour: ${isLong ? `${growth.toFixed(2)} times the memory at its start (at most ${LARGEST_GROWTH})` : "not reached"}
CPU while live: ${((100 * seconds) / (60 * minutes)).toFixed(1)} % of a core
processes: ${last?.processes}`);
  return largest <= LARGEST_MB && !(growth > LARGEST_GROWTH);
}
