import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { startAgent } from "./support/agent.ts";
import { until } from "./support/context.ts";
import { startFakeAndon } from "./support/fake-andon.ts";
import { registersOf, startDevice } from "./support/modbus.ts";
import { startBridge, testFolder, writeConfig } from "./support/program.ts";

test("a Modbus counter that counts on while the bridge is killed, and Andon is away, ends in Andon to the unit", async () => {
  const registers: Record<number, number> = { 0: 0, 1: 1000 };
  let total = 1000;
  const device = await startDevice({ holding: registersOf(registers) });
  const andon = await startFakeAndon();
  const path = writeConfig(
    testFolder(),
    andon.url,
    `[[source]]
id = "press"
type = "modbus"
host = "127.0.0.1"
port = ${device.port}
every = "20ms"
[[source.signal]]
machine = "P1"
kind = "total"
address = { holding = 0, words = 2 }
`,
  );
  let bridge = startBridge(["run", path]);
  await until("the first reading", () => device.requests.length > 3);
  const counting = setInterval(() => {
    total += 197;
    [registers[0], registers[1]] = [total >> 16, total & 0xffff];
  }, 3);
  for (let round = 0; round < 4; round += 1) {
    if (round === 2) andon.answer = () => ({ status: 503 });
    const before = device.requests.length;
    await until("some polls", () => device.requests.length > before + 20);
    await bridge.stop("SIGKILL");
    bridge = startBridge(["run", path]);
  }
  andon.answer = () => null;
  clearInterval(counting);
  await until("all units", () => andon.total("P1") >= total - 1000, 30_000);
  await bridge.stop();
  expect(andon.total("P1")).toBe(total - 1000);
  expect(total).toBeGreaterThan(65_536);
  expect(andon.conflicts).toBe(0);
  // What was made while the bridge was not there is a count of the time since it was.
  expect(andon.events.filter(({ since }) => since !== undefined).length).toBeGreaterThanOrEqual(4);
  await andon.stop();
  await device.stop();
});

/** How long each state of Andon held in the recording, in ms: computed from the file with date and awk, by the table of docs/mtconnect.md. */
const heldMs = { unavailable: 270770, running: 808011, idle: 18379194 };

test("a recorded day of an MTConnect agent is in Andon as it was, though the bridge is killed while it is read", async () => {
  const rows = readFileSync(`${import.meta.dirname}/support/nist-mazak01.csv`, "utf8")
    .trim()
    .split("\n")
    .filter((line) => !line.startsWith("#"))
    .map((line) => line.split(",") as [string, string]);
  const agent = await startAgent();
  const andon = await startFakeAndon();
  const path = writeConfig(
    testFolder(),
    andon.url,
    `[[source]]
id = "mazak"
type = "mtconnect"
url = "${agent.url}"
every = "50ms"
[[source.signal]]
machine = "M1"
kind = "state"
data_item = "execution"
states = "execution"
`,
  );
  let bridge = startBridge(["run", path]);
  await until("the state at the start", () => andon.events.length > 0);
  // The day begins when the bridge is there.
  const shift = Date.now() + 1000 - Date.parse(rows[0]?.[0] ?? "");
  const last = Date.parse(rows.at(-1)?.[0] ?? "") + shift;
  for (const [index, [at, value]] of rows.entries()) {
    agent.add("exec1", value, new Date(Date.parse(at) + shift).toISOString());
    if (index % 15 !== 7) continue;
    await new Promise((resolve) => setTimeout(resolve, 300));
    await bridge.stop("SIGKILL");
    bridge = startBridge(["run", path]);
  }
  await until("the last state", () => andon.events.some(({ at }) => Date.parse(at) === last), 20_000);
  await bridge.stop();
  const states = andon.events
    .filter(({ type, at }) => type === "state" && Date.parse(at) >= Date.parse(rows[0]?.[0] ?? "") + shift)
    .toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
  const held: Record<string, number> = {};
  for (const [index, { state = "", at }] of states.entries()) {
    const next = states[index + 1];
    if (next) held[state] = (held[state] ?? 0) + Date.parse(next.at) - Date.parse(at);
  }
  expect(held).toEqual(heldMs);
  expect(andon.conflicts).toBe(0);
  await andon.stop();
  await agent.stop();
});
