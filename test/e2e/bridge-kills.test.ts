import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect as connectTcp } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connectAsync, type MqttClient } from "mqtt";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { executeSqlFile } from "../../scripts/service.ts";
import { insertSql } from "../../scripts/sql.ts";
import * as schema from "../../src/db/schema.ts";
import { rowsOf, startBridge } from "../bridge/support/program.ts";
import { login, reportedTotal } from "./api.ts";
import { type BuiltService, migratedFolder, startBuilt, stopBuilt } from "./built-service.ts";
import { factor, freePort, newPlant, type Plant } from "./plant.ts";

// What machines publish to a real broker is in Andon exactly once, while the bridge, the broker and Andon are killed: `npm run bridge-kills`, and a smaller
// run in `npm run verify`. It needs Debian's mosquitto.

/** How often the bridge is killed. Andon is killed a fifth, and the broker a tenth as often. */
const kills = Number(process.env.BRIDGE_KILLS ?? "10");
const PUBLISH_EVERY_MS = 5;
const CUMULATIVE = "SECOND";

const stateFolder = migratedFolder();
const folder = mkdtempSync(join(tmpdir(), "andon-bridge-kills-"));
afterAll(async () => {
  await stopBuilt();
  for (const one of [stateFolder, folder]) rmSync(one, { recursive: true, force: true });
});

test(`what is published is in Andon to the unit, after ${kills} times kill -9 of the bridge, and some of the broker and of Andon`, async () => {
  expect(spawnSync("mosquitto", ["-h"]).error, "Debian's package mosquitto is not installed").toBeUndefined();
  const plant = await newPlant(stateFolder, 1);
  addSecondMachine(plant);
  const [port, brokerPort] = [await freePort(), await freePort()];
  await executeSqlFile(stateFolder, plant.sqlFile);
  let service: BuiltService = await startBuilt({ stateFolder, port, onError: () => undefined });
  let broker = await startBroker(brokerPort);
  const config = writeConfig(service.url, plant.gatewayToken, brokerPort);
  let bridge = startBridge(["run", config]);
  const publisher = await Publisher.start(brokerPort);
  // The broker keeps messages for the bridge once it has subscribed: a counter at 0 counts nothing.
  await expect.poll(() => publisher.countNothing().then(() => signalsKnown(folder)), { timeout: 30_000 }).toBe(true);
  publisher.begin();
  for (let kill = 1; kill <= kills; kill++) {
    await sleep(300 + Math.random() * 700);
    if (kill % 10 === 0) {
      // A broker that is killed forgets acknowledgements since it saved its queue last, so deltas may come twice: what counts pulses one by one waits.
      await publisher.pauseDeltas();
      await sleep(2000);
      broker.kill("SIGUSR1");
      await sleep(500);
      broker.kill("SIGKILL");
      await once(broker, "exit");
      broker = await startBroker(brokerPort);
      publisher.resumeDeltas();
    }
    if (kill % 5 === 0) {
      await service.kill();
      await sleep(Math.random() * 1000);
      service = await startBuilt({ stateFolder, port, onError: () => undefined });
    }
    await bridge.stop("SIGKILL");
    await sleep(Math.random() * 300);
    bridge = startBridge(["run", config]);
  }
  const published = await publisher.end();

  const token = await login(service.url, plant);
  const total = async (machineId: number) => (await reportedTotal(service.url, token, machineId)) / factor;
  await expect
    .poll(async () => [await total(plant.machineId), await total(plant.machineId + 1)], { timeout: 240_000, interval: 1000 })
    .toEqual([published.deltas, published.counter]);
  // And nothing comes later.
  await sleep(15_000);
  expect([await total(plant.machineId), await total(plant.machineId + 1)]).toEqual([published.deltas, published.counter]);
  expect(rowsOf(folder, "quarantine")).toEqual([]);
  expect(rowsOf(folder, "drops")).toEqual([]);
  process.stdout.write(`${published.deltas} pulses and a counter up to ${published.counter}: equal in Andon\n`);
}, 3_600_000);

/** A machine beside that of the plant, with a sensor of its own. */
function addSecondMachine({ companyId, machineId, nodeId, channel, commissionedAt, sqlFile }: Plant): void {
  const now = Date.now();
  const machine = {
    id: machineId + 1,
    companyId,
    name: CUMULATIVE,
    ref: CUMULATIVE,
    nodeId: nodeId + 1,
    signal: "counts" as const,
  };
  const sensor = {
    companyId,
    nodeId: nodeId + 1,
    channel,
    machineId: machineId + 1,
    type: "total" as const,
    countingFactor: factor,
  };
  const sql = [
    insertSql(schema.machines, [{ ...machine, commissionedAt, createdAt: now, updatedAt: now }]),
    insertSql(schema.countSensors, [{ machineId: machineId + 1, isCountEnabled: true, updatedAt: now }]),
    insertSql(schema.countChannels, [sensor]),
  ];
  appendFileSync(sqlFile, sql.join(""));
}

function signalsKnown(of: string): boolean {
  try {
    return rowsOf(of, "signals").length > 0;
  } catch {
    // There is no file yet.
    return false;
  }
}

async function startBroker(port: number): Promise<ChildProcess> {
  const path = join(folder, "mosquitto.conf");
  const lines = [
    "allow_anonymous true",
    `listener ${port} 127.0.0.1`,
    "persistence true",
    `persistence_location ${folder}/`,
    "user root",
  ];
  // 0: no bound. Started by root, it would write its queue as a user who may not.
  writeFileSync(path, [...lines, "max_queued_messages 0", "max_inflight_messages 0", ""].join("\n"));
  const broker = spawn("mosquitto", ["-c", path], { stdio: "ignore" });
  onTestFinished(() => void broker.kill("SIGKILL"));
  const accepts = () =>
    new Promise<boolean>((resolve) => {
      const socket = connectTcp(port, "127.0.0.1", () => resolve(true)).on("error", () => resolve(false));
      socket.on("connect", () => socket.destroy());
    });
  await expect.poll(accepts, { timeout: 20_000 }).toBe(true);
  return broker;
}

function writeConfig(url: string, token: string, brokerPort: number): string {
  const path = join(folder, "plant.toml");
  writeFileSync(join(folder, "token"), token);
  const signal = (machine: string, topic: string, reading: string) =>
    `[[source.signal]]\nmachine = "${machine}"\nkind = "total"\ntopic = "${topic}"\nreading = "${reading}"\n`;
  const source = `[[source]]\nid = "hall"\ntype = "mqtt"\nhost = "127.0.0.1"\nport = ${brokerPort}\n`;
  const signals = signal("E2E", "hall/pulses", "delta") + signal(CUMULATIVE, "hall/total", "cumulative");
  writeFileSync(path, `[andon]\nurl = "${url}"\ntoken_file = "token"\n\n[page]\nport = 0\n\n${source}${signals}`);
  return path;
}

/** Two machines that publish with QoS 1: one each pulse, one its running total. */
class Publisher {
  #deltas = 0;
  #counter = 0;
  #isPaused = false;
  #isEnding = false;
  #loops: Promise<void>[] = [];
  #client: MqttClient;

  private constructor(client: MqttClient) {
    this.#client = client;
  }

  static async start(port: number): Promise<Publisher> {
    const client = await connectAsync(`mqtt://127.0.0.1:${port}`, { reconnectPeriod: 100, clientId: "machines", clean: false });
    client.on("error", () => undefined);
    return new Publisher(client);
  }

  async countNothing(): Promise<void> {
    await this.#client.publishAsync("hall/total", "0", { qos: 1 });
  }

  begin(): void {
    this.#loops = [this.#publishDeltas(), this.#publishCounter()];
  }

  async #publishDeltas(): Promise<void> {
    while (!this.#isEnding) {
      await sleep(PUBLISH_EVERY_MS);
      if (this.#isPaused) continue;
      await this.#client.publishAsync("hall/pulses", "1", { qos: 1 });
      this.#deltas += 1;
    }
  }

  async #publishCounter(): Promise<void> {
    // One at a time: a total that is sent again after a newer one would look like a counter that was reset.
    for (; !this.#isEnding; await sleep(PUBLISH_EVERY_MS)) {
      await this.#client.publishAsync("hall/total", String(this.#counter), { qos: 1 });
      this.#counter += 1;
    }
    this.#counter -= 1;
  }

  async pauseDeltas(): Promise<void> {
    this.#isPaused = true;
    await sleep(500);
  }

  resumeDeltas(): void {
    this.#isPaused = false;
  }

  /** Stops, and returns what was published and acknowledged. */
  async end(): Promise<{ deltas: number; counter: number }> {
    this.#isEnding = true;
    await Promise.all(this.#loops);
    await this.#client.endAsync();
    return { deltas: this.#deltas, counter: this.#counter };
  }
}
