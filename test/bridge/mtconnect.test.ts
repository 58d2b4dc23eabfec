import { readFileSync } from "node:fs";
import { afterEach, expect, test } from "vitest";
import { type MtconnectConfig, mtconnectConfig, mtconnectSource } from "../../bridge/src/sources/mtconnect/mtconnect.ts";
import { startAgent } from "./support/agent.ts";
import { contextFor, type TestContext, until } from "./support/context.ts";
import { freePort } from "./support/modbus.ts";

const closing: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function agentOf(options: Parameters<typeof startAgent>[0] = {}) {
  const agent = await startAgent(options);
  closing.push(agent.stop);
  return agent;
}

function configFor(url: string, members: object = {}): MtconnectConfig {
  return mtconnectConfig.parse({
    id: "mazak",
    type: "mtconnect",
    url,
    every: "50ms",
    silence: "3s",
    signal: [
      { machine: "M1", kind: "state", data_item: "execution" },
      { machine: "M1", kind: "total", data_item: "parts1" },
    ],
    ...members,
  });
}

function run(config: MtconnectConfig, cursor: unknown = null): TestContext & { ended(): Promise<void> } {
  const context = contextFor(config.signal, cursor);
  const running = mtconnectSource(config).run(context);
  const ended = () => {
    context.end();
    return running;
  };
  closing.push(ended);
  return Object.assign(context, { ended });
}

const valuesOf = (context: TestContext, signal: number) =>
  context.readings.filter((reading) => reading.signal === signal).map(({ value }) => value);

const recorded = readFileSync(`${import.meta.dirname}/support/nist-mazak01.csv`, "utf8")
  .trim()
  .split("\n")
  .filter((line) => !line.startsWith("#"))
  .map((line) => line.split(",") as [string, string]);

/** How long each state held in the recording, in ms: computed from the file with date and awk. */
const heldMs: Record<string, number> = {
  ACTIVE: 808011,
  FEED_HOLD: 8542,
  INTERRUPTED: 843449,
  READY: 2337463,
  STOPPED: 15189740,
  UNAVAILABLE: 270770,
};

const styles = ["with lengths", "without lengths", "single answers"] as const;

test.each(
  styles.flatMap((style) => [true, false].map((isVersion1) => ({ style, isVersion1, version: isVersion1 ? "1.3" : "2.2" }))),
)("a recorded day of a machine is read as it was from an agent of version $version that sends $style", async (options) => {
  const agent = await agentOf(options);
  const context = run(configFor(agent.url, { count: 7 }));
  await until("the start", () => context.unavailableSignals.length === 2);
  // Some before the source asks again, the others while it listens.
  for (const [index, [at, value]] of recorded.entries()) {
    agent.add("exec1", value, at);
    agent.add("load1", String(index), at);
    if (index % 20 === 19) await new Promise((resolve) => setTimeout(resolve, 120));
  }
  agent.add("parts1", "1");
  await until("the last one", () => valuesOf(context, 1).length === 1);
  const seen = [
    ...context.readings.map(({ signal, value, at }) => ({ signal, value: String(value), at })),
    ...context.unavailableSignals.slice(2).map(({ signal, at }) => ({ signal, value: "UNAVAILABLE", at })),
  ]
    .filter(({ signal }) => signal === 0)
    .toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0));
  expect(seen.map(({ value, at }) => [value, at])).toEqual(recorded.map(([at, value]) => [value, Date.parse(at)]));
  const held: Record<string, number> = {};
  for (const [index, { value, at }] of seen.entries()) {
    const next = seen[index + 1];
    if (next) held[value] = (held[value] ?? 0) + (next.at ?? 0) - (at ?? 0);
  }
  expect(held).toEqual(heldMs);
  expect(context.losses).toEqual([]);
});

test("the source goes on after a restart where it had stored, and reads nothing twice and leaves nothing out", async () => {
  const agent = await agentOf();
  const first = run(configFor(agent.url));
  await until("the start", () => first.unavailableSignals.length === 2);
  for (const count of [1, 2, 3]) agent.add("parts1", String(count));
  await until("three", () => valuesOf(first, 1).length === 3);
  await first.ended();
  for (const count of [4, 5]) agent.add("parts1", String(count));
  const second = run(configFor(agent.url), JSON.parse(JSON.stringify(first.stored)));
  await until("two more", () => valuesOf(second, 1).length === 2);
  agent.add("parts1", "6");
  await until("the last", () => valuesOf(second, 1).length === 3);
  expect([...valuesOf(first, 1), ...valuesOf(second, 1)]).toEqual(["1", "2", "3", "4", "5", "6"]);
  expect(second.losses).toEqual([]);
});

test("what could not be stored is stored when that is possible again, once and in order", async () => {
  const agent = await agentOf();
  const context = run(configFor(agent.url));
  await until("the start", () => context.unavailableSignals.length === 2);
  context.failStores(2);
  for (const count of [1, 2, 3]) agent.add("parts1", String(count));
  await until("three", () => valuesOf(context, 1).length === 3);
  expect(valuesOf(context, 1)).toEqual(["1", "2", "3"]);
  expect(context.states.some(({ error }) => error === "nothing can be stored: the disk is full")).toBe(true);
});

test.each(styles)("an agent that was started again is read from its current values: answers %s", async (style) => {
  const agent = await agentOf({ style });
  const context = run(configFor(agent.url));
  await until("the start", () => context.unavailableSignals.length === 2);
  agent.add("parts1", "7");
  agent.add("exec1", "ACTIVE");
  await until("the values before", () => context.readings.length === 2);
  agent.restart();
  agent.add("parts1", "2");
  agent.add("exec1", "READY");
  await until("the values after", () => context.readings.length === 4);
  agent.add("parts1", "3");
  await until("one more", () => context.readings.length === 5);
  expect(valuesOf(context, 1)).toEqual(["7", "2", "3"]);
  expect(valuesOf(context, 0)).toEqual(["ACTIVE", "READY"]);
  expect(context.losses.map(({ events, reason }) => [events, reason])).toEqual([
    [null, "the agent was started again, and keeps nothing from before"],
  ]);
});

test("observations that the agent's buffer dropped are counted as lost, and the rest of the buffer is read", async () => {
  const agent = await agentOf({ buffer: 10 });
  const first = run(configFor(agent.url));
  await until("the start", () => first.unavailableSignals.length === 2);
  agent.add("parts1", "1");
  await until("one", () => valuesOf(first, 1).length === 1);
  await first.ended();
  // Sequences 6 to 30; the buffer has 21 to 30.
  for (let count = 2; count <= 26; count += 1) agent.add("parts1", String(count));
  const second = run(configFor(agent.url), first.stored);
  await until("the newest", () => valuesOf(second, 1).includes("26"));
  expect(valuesOf(second, 1)).toEqual(["17", "18", "19", "20", "21", "22", "23", "24", "25", "26"]);
  expect(second.losses.map(({ signal, events, reason }) => ({ signal, events, reason }))).toEqual([
    { signal: null, events: 15, reason: "the agent's buffer begins at 21, and 6 would be the next to read" },
  ]);
});

test("a buffer that drops observations faster than they are asked for is not chased: the source goes on with what is now", async () => {
  const agent = await agentOf({ buffer: 3 });
  agent.chase();
  const context = run(configFor(agent.url));
  await until("three totals", () => valuesOf(context, 1).length >= 3);
  const lost = context.losses.reduce((sum, { events }) => sum + (events ?? 0), 0);
  expect(lost).toBeGreaterThan(0);
});

test("values that the agent's adapter sends again after it connected again are folded", async () => {
  const agent = await agentOf();
  const context = run(
    configFor(agent.url, { signal: [{ machine: "M1", kind: "total", reading: "delta", data_item: "partcount" }] }),
  );
  await until("the start", () => context.unavailableSignals.length === 1);
  agent.add("parts1", "1", "2026-01-05T10:00:00.000Z");
  agent.add("parts1", "1", "2026-01-05T10:00:00.000Z");
  agent.add("parts1", "1", "2026-01-05T10:00:09.000Z");
  await until("the second", () => context.readings.length === 2);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(context.readings.map(({ at }) => new Date(at ?? 0).toISOString())).toEqual([
    "2026-01-05T10:00:00.000Z",
    "2026-01-05T10:00:09.000Z",
  ]);
});

test("an agent that says to go on at an absurd sequence is read on after the last one that it sent", async () => {
  const agent = await agentOf({ style: "single answers" });
  agent.sayNext("18446744073709551615");
  const context = run(configFor(agent.url));
  await until("the start", () => context.unavailableSignals.length === 2);
  for (const count of [1, 2, 3]) {
    agent.add("parts1", String(count));
    await until(`part ${count}`, () => valuesOf(context, 1).length === count);
  }
  agent.sayNext("0");
  agent.add("parts1", "4");
  await until("part 4", () => valuesOf(context, 1).length === 4);
  expect(context.losses).toEqual([]);
});

test("an agent that keeps the connection and sends nothing is left, and asked again", async () => {
  const agent = await agentOf();
  const context = run(configFor(agent.url, { silence: "1s" }));
  await until("the start", () => context.unavailableSignals.length === 2);
  agent.freeze(true);
  await until("the failure", () => context.states.at(-1)?.error === "the agent sends nothing any more");
  agent.freeze(false);
  agent.add("parts1", "5");
  await until("the value", () => valuesOf(context, 1).includes("5"));
  expect(context.states.at(-1)).toEqual({ state: "ok", error: null });
});

test("the values of the first start hold from now on, and are no pulses", async () => {
  const agent = await agentOf();
  agent.add("exec1", "ACTIVE", "2020-01-01T00:00:00Z");
  agent.add("parts1", "812", "2020-01-01T00:00:00Z");
  const config = configFor(agent.url, {
    signal: [
      { machine: "M1", kind: "state", data_item: "exec1" },
      { machine: "M1", kind: "total", data_item: "parts1" },
      { machine: "M1", kind: "defect", reading: "delta", data_item: "parts1" },
    ],
  });
  const begun = Date.now();
  const context = run(config);
  await until("the start", () => context.readings.length === 3);
  expect(context.readings.map(({ value, isRepeated }) => [value, isRepeated])).toEqual([
    ["ACTIVE", false],
    ["812", false],
    ["812", true],
  ]);
  for (const { at } of context.readings) expect(Math.abs((at ?? 0) - begun)).toBeLessThan(2000);
});

test("answers that are no documents of an agent are said, and end nothing", async () => {
  const { createServer } = await import("node:http");
  const bodies = ["<html>Sign in</html>", "not XML at all", "<MTConnectStreams>", "<MTConnectStreams/>", ""];
  let asked = 0;
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/xml" }).end(bodies[asked % bodies.length]);
    asked += 1;
  });
  const port = await freePort();
  await new Promise((resolve) => server.listen(port, "127.0.0.1", () => resolve(null)));
  closing.push(() => new Promise((resolve) => server.close(resolve)));
  const context = run(configFor(`http://127.0.0.1:${port}`));
  await until("all answers", () => asked > bodies.length, 20_000);
  expect(context.states.every(({ state }) => state === "failed")).toBe(true);
  expect(context.states[0]?.error).toBe("the answer is no document of an MTConnect agent, but <html>");
  expect(context.readings).toEqual([]);
});

async function stepsOf(config: MtconnectConfig) {
  const steps: string[] = [];
  for await (const { step, ok, detail } of mtconnectSource(config).check(new AbortController().signal)) {
    steps.push(`${step} ${ok ? "ok" : "failed"}: ${detail}`);
  }
  return steps;
}

test("check of an agent names the step that fails: name, port, probe, data item", async () => {
  const agent = await agentOf();
  agent.add("exec1", "ACTIVE");
  const port = new URL(agent.url).port;
  expect(await stepsOf(configFor(agent.url))).toEqual([
    "name ok: 127.0.0.1 is 127.0.0.1",
    `port ok: ${port} is open`,
    "probe ok: 4 data items",
    "data item ok: execution is EXECUTION of Mazak01",
    "data item ok: parts1 is PART_COUNT of Mazak01",
    "first value ok: execution is ACTIVE",
    "first value ok: parts1 is UNAVAILABLE",
  ]);
  const wrongItem = configFor(agent.url, { signal: [{ machine: "M1", kind: "total", data_item: "parts2" }] });
  expect((await stepsOf(wrongItem)).at(-1)).toBe("data item failed: the agent has no data item with the id or name parts2");
  const closed = await stepsOf(configFor(`http://127.0.0.1:${await freePort()}`));
  expect(closed.at(-1)).toMatch(/^port failed: .*ECONNREFUSED/);
  expect((await stepsOf(configFor("http://no-such-host.invalid"))).at(-1)).toMatch(/^name failed: no-such-host\.invalid/);
});

test("discover lists the data items of an agent that have values", async () => {
  const agent = await agentOf();
  agent.add("exec1", "ACTIVE");
  const found: string[] = [];
  const discover = mtconnectSource(configFor(agent.url)).discover;
  for await (const { address, example } of discover?.(new AbortController().signal, 1000) ?? []) {
    found.push(`${address}: ${example}`);
  }
  expect(found).toContain('data_item = "exec1": EXECUTION of Mazak01: ACTIVE');
  expect(found).toHaveLength(4);
});
