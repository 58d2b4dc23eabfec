import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { connect as connectTcp, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, expect, test } from "vitest";
import { executeSqlFile } from "../../scripts/service.ts";
import { insertSql } from "../../scripts/sql.ts";
import { apiClient } from "../../src/client/client.ts";
import * as schema from "../../src/db/schema.ts";
import { rowsOf, startBridge } from "../bridge/support/program.ts";
import { answered, login, reportedTotal } from "./api.ts";
import { migratedFolder, startBuilt, stopBuilt } from "./built-service.ts";
import { factor, freePort, newPlant } from "./plant.ts";

// The bridge keeps what machines made while it cannot reach Andon, though people use the machines' terminals meanwhile, and brings it all once it can:
// `npm run bridge-outage`, and smaller runs in `npm run verify`. The clock is compressed: the machines' counts of the outage are a file with their times.

const isFull = Boolean(process.env.BRIDGE_OUTAGE);
const EVERY_SECONDS = 10;
/** The most that the queue may take on the disk, in bytes. */
const MOST_BYTES = 200e6;
/** The backlog is brought at least this many times as fast as the machines make it. */
const FASTER = 20;

const folders: string[] = [];
afterAll(async () => {
  await stopBuilt();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

test.each([
  { machines: isFull ? 50 : 4, hours: isFull ? 72 : 64 },
  { machines: isFull ? 5 : 1, hours: 13 * 24 },
])(
  "$hours hours of counts of $machines machines are in Andon after an outage in which operators signed in: none is refused",
  async ({ machines, hours }) => {
    const stateFolder = migratedFolder();
    const folder = mkdtempSync(join(tmpdir(), "andon-bridge-outage-"));
    folders.push(stateFolder, folder);
    const plant = await newPlant(stateFolder, 20);
    await executeSqlFile(stateFolder, plant.sqlFile);
    const ids = await addMachines(stateFolder, folder, plant, machines);
    const { url } = await startBuilt({ stateFolder, port: await freePort(), onError: () => undefined });
    const token = await login(url, plant);
    const api = apiClient(url, token);

    // Andon is there for people, and not for the bridge: the port that it knows is closed.
    const port = await freePort();
    const rows = (hours * 3600) / EVERY_SECONDS;
    const bridge = startBridge(["run", writeConfig(folder, port, plant.gatewayToken, machines)]);
    writeCounts(join(folder, "counts"), machines, rows);
    const expected = machines * rows;
    await expect.poll(() => waitingIn(folder), { timeout: 600_000, interval: 500 }).toBe(expected);
    const bytes = statSync(join(folder, "andon-bridge-state/queue.db")).size;
    expect(bytes).toBeLessThan(MOST_BYTES);

    const operator = answered(await api.POST("/v1/operators", { body: { companyId: plant.companyId, name: "Ana", code: "A1" } }));
    for (const id of ids) {
      const signIn = await api.POST("/v1/machines/{id}/sign-in", { params: { path: { id } }, body: { operatorId: operator.id } });
      expect(signIn.response.ok).toBe(true);
    }

    const startedAt = Date.now();
    const door = await openDoor(port, Number(new URL(url).port));
    await expect.poll(() => waitingIn(folder), { timeout: 1_800_000, interval: 500 }).toBe(0);
    const seconds = (Date.now() - startedAt) / 1000;
    const totals = async () => await Promise.all(ids.map(async (id) => (await reportedTotal(url, token, id)) / factor));
    await expect.poll(totals, { timeout: 300_000, interval: 2000 }).toEqual(ids.map(() => rows));
    expect(rowsOf(folder, "quarantine")).toEqual([]);
    expect(rowsOf(folder, "drops")).toEqual([]);
    expect(bridge.output()).not.toMatch(/ wait: /);
    const faster = expected / seconds / (machines / EVERY_SECONDS);
    expect(faster).toBeGreaterThan(FASTER);
    const perSecond = Math.round(expected / seconds);
    process.stdout.write(
      `${expected} counts of ${machines} machines: ${(bytes / 1e6).toFixed(1)} MB, brought in ${seconds.toFixed(0)} s (${perSecond} a second, ${Math.round(faster)} times as fast as they were made)\n`,
    );
    await bridge.stop();
    door.close();
  },
  3_600_000,
);

/** Machines with the refs M1, M2, ... that count on a sensor of the type `total`. Returns their ids. */
async function addMachines(
  stateFolder: string,
  folder: string,
  { companyId, machineId, nodeId, channel, commissionedAt }: Awaited<ReturnType<typeof newPlant>>,
  machines: number,
): Promise<number[]> {
  const now = Date.now();
  const names = Array.from({ length: machines }, (_, i) => ({ id: machineId + 1 + i, ref: `M${i + 1}`, nodeId: nodeId + 1 + i }));
  const sql = [
    insertSql(
      schema.machines,
      names.map((one) => ({
        ...{ ...one, companyId, name: one.ref, signal: "counts" as const, commissionedAt },
        ...{ createdAt: now, updatedAt: now },
      })),
    ),
    insertSql(
      schema.countSensors,
      names.map(({ id }) => ({ machineId: id, isCountEnabled: true, updatedAt: now })),
    ),
    insertSql(
      schema.countChannels,
      names.map((one) => ({
        ...{ companyId, nodeId: one.nodeId, channel, machineId: one.id, type: "total" as const, countingFactor: factor },
      })),
    ),
  ];
  const path = join(folder, "machines.sql");
  writeFileSync(path, sql.join(""));
  await executeSqlFile(stateFolder, path);
  return names.map(({ id }) => id);
}

function writeConfig(folder: string, port: number, token: string, machines: number): string {
  const path = join(folder, "plant.toml");
  writeFileSync(join(folder, "token"), token);
  mkdirSync(join(folder, "counts"));
  const head = `[andon]\nurl = "http://127.0.0.1:${port}"\ntoken_file = "token"\n\n[page]\nport = 0\n`;
  const source = '[[source]]\nid = "hall"\ntype = "files"\nfolder = "counts"\nevery = "200ms"\nsettle = "500ms"\ntime = "at"\n';
  const signals = Array.from(
    { length: machines },
    (_, i) => `[[source.signal]]\nmachine = "M${i + 1}"\nkind = "total"\nreading = "delta"\ncolumn = "m${i + 1}"\n`,
  );
  writeFileSync(path, `${head}\n${source}${signals.join("")}`);
  return path;
}

/** A row each ten seconds, up to a minute ago, with a pulse of each machine. */
function writeCounts(folder: string, machines: number, rows: number): void {
  const last = Math.floor(Date.now() / 1000) * 1000 - 60_000;
  const columns = Array.from({ length: machines }, (_, i) => `m${i + 1}`).join(";");
  const pulses = Array(machines).fill("1").join(";");
  const lines = Array.from({ length: rows }, (_, i) => `${last - (rows - 1 - i) * EVERY_SECONDS * 1000};${pulses}`);
  writeFileSync(join(folder, "counts.csv"), `at;${columns}\n${lines.join("\n")}\n`);
}

/** How many events the queue has; -1: there is no file yet. */
function waitingIn(folder: string): number {
  try {
    const database = new DatabaseSync(join(folder, "andon-bridge-state/queue.db"), { readOnly: true });
    try {
      return Number(database.prepare("SELECT count(*) AS n FROM events WHERE content IS NOT NULL").get()?.n);
    } finally {
      database.close();
    }
  } catch {
    return -1;
  }
}

/** Opens the port that the bridge knows: what comes goes to the service. */
async function openDoor(port: number, to: number): Promise<Server> {
  const server = createServer((socket) => {
    const service = connectTcp(to, "127.0.0.1");
    for (const one of [socket, service]) one.on("error", () => [socket, service].map((end) => end.destroy()));
    socket.pipe(service).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return server;
}
