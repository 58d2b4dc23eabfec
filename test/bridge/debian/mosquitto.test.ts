import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import net from "node:net";
import { join } from "node:path";
import mqtt from "mqtt";
import { expect, onTestFinished, test } from "vitest";
import { mqttSource } from "../../../bridge/src/sources/mqtt/mqtt.ts";
import { counted, mqttOf, runsIn } from "../mqtt/support.ts";
import { contextFor, until } from "../support/context.ts";
import { startFakeAndon } from "../support/fake-andon.ts";
import { freePort } from "../support/modbus.ts";
import { rowsOf, startBridge, writeConfig } from "../support/program.ts";

// Against Debian's mosquitto, the broker that most plants run.

/** How long the measurement lasts: `npm run proofs` takes ten minutes. */
const seconds = Number(process.env.MQTT_SECONDS ?? 20);

/** A folder on a disk, removed after the test: what is measured is stored as a bridge stores it. */
function diskFolder(): string {
  const folder = mkdtempSync("/var/tmp/andon-mosquitto-");
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function mosquitto(folder: string, port: number, settings: readonly string[] = []) {
  const file = join(folder, "mosquitto.conf");
  // Started as root, it becomes another user, who stores its sessions there.
  chmodSync(folder, 0o777);
  writeFileSync(file, [`listener ${port} 127.0.0.1`, "allow_anonymous true", ...settings, ""].join("\n"));
  const broker = spawn("mosquitto", ["-c", file], {
    stdio: "ignore",
    env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` },
  });
  broker.on("error", (error) => {
    throw new Error(`Debian's package mosquitto is missing: ${error.message}`);
  });
  onTestFinished(async () => void (await end(broker)));
  await expect.poll(() => answers(port), { timeout: 10_000 }).toBe(true);
  return broker;
}

async function end(broker: ChildProcess): Promise<void> {
  if (broker.exitCode !== null || broker.signalCode !== null) return;
  const ended = once(broker, "exit");
  broker.kill("SIGTERM");
  await ended;
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, "127.0.0.1", () => resolve(true));
    socket.on("connect", () => socket.destroy());
    socket.on("error", () => resolve(false));
  });
}

async function publisherFor(port: number) {
  const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${port}`);
  client.on("error", () => undefined);
  onTestFinished(async () => void (await client.endAsync(true)));
  return client;
}

const signal = [{ topic: "p1/pulse", reading: "delta" }];
const sourceText = (port: number, more = "") => `[[source]]
id = "hall"
type = "mqtt"
host = "127.0.0.1"
port = ${port}
[[source.signal]]
machine = "P1"
kind = "total"
topic = "p1/pulse"
reading = "delta"
${more}`;

test("what mosquitto drops of a burst, because its queue is as small as by default, is told within a minute, to the message", async () => {
  const port = await freePort();
  await mosquitto(diskFolder(), port);
  const publisher = await publisherFor(port);
  const burst = async (messages: number) => {
    await Promise.all(Array.from({ length: messages }, () => publisher.publishAsync("p1/pulse", "1", { qos: 1 })));
  };
  const config = mqttOf(port, { signal });
  const first = runsIn(mqttSource(config), contextFor(config.signal));
  await until("it listens", () => first.states.at(-1)?.state === "ok");
  await until(
    "the broker's count is known",
    () => (first.stored as { broker: { dropped: number | null } | null })?.broker?.dropped === 0,
    15_000,
  );
  first.end();
  await first.ended;
  // While it is away, and when it is there.
  await burst(20_000);
  const second = runsIn(mqttSource(config), contextFor(config.signal, JSON.parse(JSON.stringify(first.stored))));
  await until("it listens", () => second.states.at(-1)?.state === "ok");
  await burst(20_000);
  const endedAt = performance.now();
  const lost = () => second.losses.reduce((sum, { events }) => sum + (events ?? 0), 0);
  await until("all are there or told as lost", () => counted(second) + lost() >= 40_000, 60_000);
  expect(performance.now() - endedAt).toBeLessThan(60_000);
  report(
    `of 40,000: ${counted(second)} came, ${lost()} are told as lost, ${Math.round(performance.now() - endedAt)} ms after the burst`,
  );
  // What the broker tells later changes nothing.
  await new Promise((resolve) => setTimeout(resolve, 12_000));
  expect(counted(second) + lost()).toBe(40_000);
  expect(lost()).toBeGreaterThan(18_000);
}, 180_000);

test("pulses count once through kills of the bridge, restarts of mosquitto, and an Andon that is away", async () => {
  const port = await freePort();
  const folder = diskFolder();
  const settings = ["persistence true", `persistence_location ${folder}/`, "max_queued_messages 0"];
  let broker = await mosquitto(folder, port, settings);
  const andon = await startFakeAndon();
  onTestFinished(() => andon.stop());
  const path = writeConfig(folder, andon.url, sourceText(port));
  let publisher = await publisherFor(port);
  let published = 0;
  const publish = async (messages: number) => {
    await Promise.all(Array.from({ length: messages }, () => publisher.publishAsync("p1/pulse", "1", { qos: 1 })));
    published += messages;
  };
  let bridge = startBridge(["run", path]);
  const arrived = () => expect.poll(() => andon.total("P1"), { timeout: 60_000, interval: 50 }).toBe(published);
  const first = async () => {
    await publish(1);
    return andon.total("P1");
  };
  await expect.poll(first, { timeout: 20_000, interval: 200 }).toBeGreaterThan(0);
  // What was published before it listened is not its own.
  await new Promise((resolve) => setTimeout(resolve, 2000));
  published = andon.total("P1");
  for (let round = 0; round < 8; round += 1) {
    andon.isAnswerLost = () => round % 3 === 0 && Math.random() < 0.5;
    const publishing = publish(400);
    await new Promise((resolve) => setTimeout(resolve, 40 * (round % 4)));
    await bridge.stop("SIGKILL");
    await publishing;
    if (round % 2 === 1) {
      await publisher.endAsync(true);
      await end(broker);
      broker = await mosquitto(folder, port, settings);
      publisher = await publisherFor(port);
    }
    bridge = startBridge(["run", path]);
    await publish(100);
    if (round % 4 === 3) await arrived();
  }
  andon.isAnswerLost = () => false;
  await arrived();
  expect(andon.conflicts).toBe(0);
  await bridge.stop();
}, 180_000);

test(
  "2,000 messages a second are stored before they are acknowledged: none is lost, memory stays flat, and one core is enough",
  async () => {
    const port = await freePort();
    const folder = diskFolder();
    await mosquitto(folder, port, ["max_queued_messages 0"]);
    const andon = await startFakeAndon();
    onTestFinished(() => andon.stop());
    const bridge = startBridge(["run", writeConfig(folder, andon.url, sourceText(port))], { env: serviceOptions() });
    await expect.poll(() => rowsOf(folder, "cursors").length, { timeout: 20_000 }).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 2000));
    const publisher = await publisherFor(port);
    let [published, acknowledged] = [0, 0];
    const memories: number[] = [];
    const began = performance.now();
    const cpuBefore = cpuSeconds(bridge.process.pid);
    let lag = 0;
    while (performance.now() - began < seconds * 1000) {
      const due = Math.floor(((performance.now() - began) / 1000) * 2000);
      for (; published < due; published += 1) publisher.publish("p1/pulse", "1", { qos: 1 }, () => (acknowledged += 1));
      await new Promise((resolve) => setTimeout(resolve, 5));
      if (memories.length < (performance.now() - began) / 1000) {
        memories.push(residentMb(bridge.process.pid));
        lag = Math.max(lag, published - acknowledged);
      }
    }
    const cores = (cpuSeconds(bridge.process.pid) - cpuBefore) / ((performance.now() - began) / 1000);
    await expect.poll(() => andon.total("P1"), { timeout: 120_000, interval: 100 }).toBe(published);
    // What it needs for its code and its caches is there after a fifth of the time.
    const settled = memories.slice(Math.floor(memories.length / 5));
    const [least, most] = [Math.min(...settled), Math.max(...settled)];
    report(`${published} messages in ${seconds} s: ${least} to ${most} MB, ${cores.toFixed(2)} cores`);
    expect(most).toBeLessThanOrEqual(150);
    expect(cores).toBeLessThanOrEqual(1);
    expect(most - least).toBeLessThanOrEqual(seconds < 60 ? 20 : 10);
    await bridge.stop();
  },
  seconds * 1000 + 240_000,
);

/** What the service of systemd starts the bridge with. */
function serviceOptions(): { NODE_OPTIONS: string } {
  const unit = readFileSync(join(import.meta.dirname, "../../../bridge/andon-bridge.service"), "utf8");
  const [, options = ""] = /^Environment=NODE_OPTIONS=(.*)$/m.exec(unit) ?? [];
  return { NODE_OPTIONS: options };
}

function residentMb(pid = 0): number {
  const [, kb] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Math.round(Number(kb) / 1000);
}

function cpuSeconds(pid = 0): number {
  const [user, system] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ").slice(11, 13) ?? [];
  return (Number(user) + Number(system)) / Number(execFileSync("getconf", ["CLK_TCK"]));
}

function report(text: string): void {
  process.stdout.write(`${text}\n`);
}
