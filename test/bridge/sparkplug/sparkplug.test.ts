import sparkplug from "sparkplug-payload";
import { expect, test } from "vitest";
import { sparkplugConfig } from "../../../bridge/src/sources/sparkplug/config.ts";
import { sparkplugSource } from "../../../bridge/src/sources/sparkplug/sparkplug.ts";
import { type StrictBroker, strictBroker } from "../mqtt/strict-broker.ts";
import { endAfter, runsIn, stepsOf } from "../mqtt/support.ts";
import { contextFor, type TestContext, until } from "../support/context.ts";

const payloads = sparkplug.get("spBv1.0");
if (!payloads) throw new Error("sparkplug-payload does not know Sparkplug B");
const { encodePayload, decodePayload } = payloads;
const start = Date.UTC(2026, 10, 29, 8);

const signals = [
  { device: "Press", metric: "Counts/Total" },
  { device: "Press", metric: "State", kind: "state" },
  { metric: "Pulses", reading: "delta" },
];

function configOf(port: number) {
  return sparkplugConfig.parse({
    id: "edge",
    type: "sparkplug",
    host: "127.0.0.1",
    port,
    signal: signals.map((signal) => ({ machine: "P1", kind: "total", group: "Plant", node: "Edge1", ...signal })),
  });
}

type Values = Record<string, unknown>;

/** An edge node with a device, which is encoded by an independent library. */
function edgeNode(broker: StrictBroker) {
  let seq = 0;
  let bdSeq = 0;
  const send = (type: string, metrics: Values[], device = "", members: Values = { seq: seq++ % 256 }) => {
    const payload = encodePayload({ timestamp: start, metrics, ...members } as never);
    broker.publish(`spBv1.0/Plant/${type}/Edge1${device && `/${device}`}`, Buffer.from(payload), { qos: 0 });
  };
  return {
    birth({ pulses = 0, total = 0, state = "idle" }: { pulses?: number; total?: number; state?: string } = {}) {
      seq = 0;
      const ofNode = [
        { name: "bdSeq", type: "Int64", value: bdSeq },
        { name: "Pulses", alias: 1, type: "Int32", value: pulses },
      ];
      const ofDevice = [
        { name: "Counts/Total", alias: 2, type: "Int64", value: total },
        { name: "State", alias: 3, type: "String", value: state },
      ];
      send("NBIRTH", ofNode);
      send("DBIRTH", ofDevice, "Press");
    },
    data: (alias: number, type: string, value: unknown, members: Values = {}) =>
      send("NDATA", [{ alias, type, value, ...members }]),
    deviceData: (alias: number, type: string, value: unknown) => send("DDATA", [{ alias, type, value }], "Press"),
    death: (ofConnection = bdSeq) => send("NDEATH", [{ name: "bdSeq", type: "Int64", value: ofConnection }], "", {}),
    deviceDeath: () => send("DDEATH", [], "Press"),
    connectAgain: () => {
      bdSeq += 1;
    },
    skip: (messages: number) => {
      seq += messages;
    },
  };
}

async function listening() {
  const broker = await strictBroker();
  endAfter(broker.close);
  const config = configOf(broker.port);
  const bridge = runsIn(sparkplugSource(config), contextFor(config.signal));
  await until("it subscribes", () => broker.subscribed.length > 0);
  const requests = () => broker.published.filter(({ topic }) => topic === "spBv1.0/Plant/NCMD/Edge1").length;
  await until("it asks for births", () => requests() === 1);
  return { broker, node: edgeNode(broker), bridge, requests };
}

const valuesOf = ({ readings }: TestContext) =>
  readings.map(({ signal, value, isRepeated = false }) => [signal, value, isRepeated]);

test("a bridge that starts after the births asks for them within a second, by a request that an independent decoder reads", async () => {
  const began = performance.now();
  const { broker, node, bridge } = await listening();
  expect((broker.published[0]?.at ?? 0) - began).toBeLessThan(1000);
  const { metrics } = decodePayload(broker.published[0]?.payload ?? Buffer.alloc(0));
  expect(metrics).toMatchObject([{ name: "Node Control/Rebirth", type: "Boolean", value: true }]);
  node.birth({ pulses: 5, total: 100, state: "running" });
  node.deviceData(2, "Int64", 101);
  node.data(1, "Int32", 2, { timestamp: start + 5000 });
  await until("all are read", () => bridge.readings.length === 5);
  // What births say was so before: pulses in them are none.
  expect(valuesOf(bridge)).toEqual([
    [2, 5n, true],
    [0, 100n, true],
    [1, "running", true],
    [0, 101n, false],
    [2, 2n, false],
  ]);
  expect(bridge.readings.map(({ at }) => at)).toEqual([start, start, start, start, start + 5000]);
  await until("it is well", () => bridge.states.at(-1)?.state === "ok");
  expect(bridge.losses).toEqual([]);
});

test("a number that no birth has explained makes the bridge ask again within a second, and not for each message", async () => {
  const { broker, node, bridge, requests } = await listening();
  node.birth();
  await until("the births are read", () => bridge.readings.length === 3);
  const began = performance.now();
  for (let message = 0; message < 20; message += 1) node.data(99, "Int32", message);
  await until("it asks", () => requests() === 2);
  expect((broker.published[1]?.at ?? 0) - began).toBeLessThan(1200);
  await new Promise((resolve) => setTimeout(resolve, 1000));
  expect(requests()).toBeLessThanOrEqual(3);
  expect(bridge.readings.length).toBe(3);
});

test("messages that are missing by their numbers are told as lost, and births are asked for; numbers that begin again at 0 are no gap", async () => {
  const { node, bridge, requests } = await listening();
  node.birth();
  for (let message = 0; message < 510; message += 1) node.data(1, "Int32", 1);
  await until("all are read", () => bridge.readings.length === 513);
  expect(bridge.losses).toEqual([]);
  node.skip(7);
  node.data(1, "Int32", 1);
  await until("it asks", () => requests() === 2);
  const told = bridge.losses.map(({ signal, events }) => [signal, events]);
  expect(told).toEqual([0, 1, 2].map((signal) => [signal, 7]));
  node.birth();
  node.data(1, "Int32", 1);
  await until("the births and the pulse are read", () => bridge.readings.length === 518);
  expect(bridge.losses.length).toBe(3);
});

test("a death makes all signals of the node unavailable at once, one of an earlier connection none, and one of a device its own", async () => {
  const { node, bridge } = await listening();
  node.birth();
  await until("the births are read", () => bridge.readings.length === 3);
  node.connectAgain();
  node.birth();
  node.death(0);
  node.data(1, "Int32", 1);
  await until("the pulse is read", () => bridge.readings.length === 7);
  expect(bridge.unavailableSignals).toEqual([]);
  node.deviceDeath();
  await until("the device is gone", () => bridge.unavailableSignals.length === 2);
  expect(bridge.unavailableSignals.map(({ signal }) => signal)).toEqual([0, 1]);
  const began = performance.now();
  node.death();
  await until("the node is gone", () => bridge.unavailableSignals.length === 5);
  expect(performance.now() - began).toBeLessThan(1000);
  node.birth();
  await until("it is there again", () => bridge.readings.length === 10);
});

test("values of the past come at their own time, as news", async () => {
  const { node, bridge } = await listening();
  node.birth();
  node.data(1, "Int32", 3, { isHistorical: true, timestamp: start - 3_600_000 });
  await until("it is read", () => bridge.readings.length === 4);
  expect(bridge.readings[3]).toEqual({ signal: 2, value: 3n, at: start - 3_600_000 });
});

test("a payload that is none changes nothing, and while the disk fails, deaths and values stay in their order and come once", async () => {
  const { broker, node, bridge } = await listening();
  const logged: string[] = [];
  bridge.log = (message) => void logged.push(message);
  broker.publish("spBv1.0/Plant/NDATA/Edge1", Buffer.from([0x12, 0xff]), { qos: 0 });
  broker.publish("spBv1.0/Plant/NDATA", "no node", { qos: 0 });
  await until("it is logged", () => logged.some((message) => message.includes("none of Sparkplug B")));
  // It fails at once, and again between a death and what follows.
  const { store } = bridge;
  let stores = 0;
  bridge.store = async (readings, cursor) => {
    stores += 1;
    if (stores === 1 || stores === 3) throw new Error("the disk is full");
    await store(readings, cursor);
  };
  node.birth();
  node.data(1, "Int32", 1);
  node.death();
  node.connectAgain();
  node.birth();
  node.data(1, "Int32", 4);
  await until("all are read", () => bridge.readings.length === 8);
  const pulses = valuesOf(bridge).filter(([signal, , isRepeated]) => signal === 2 && !isRepeated);
  expect(pulses.map(([, value]) => value)).toEqual([1n, 4n]);
  expect(bridge.unavailableSignals.map(({ signal }) => signal)).toEqual([0, 1, 2]);
});

test("pulses of the time without a connection are told as lost, and births are asked for anew", async () => {
  const { broker, node, bridge, requests } = await listening();
  node.birth();
  await until("the births are read", () => bridge.readings.length === 3);
  broker.cut();
  await until("it asks again", () => requests() === 2);
  expect(bridge.losses).toMatchObject([{ signal: 2, events: null }]);
  node.birth();
  await until("the births are read", () => bridge.readings.length === 6);
});

test("check names a node that does not announce itself and a metric that it does not have, and discover tells those that it has", async () => {
  const broker = await strictBroker();
  endAfter(broker.close);
  const node = edgeNode(broker);
  const config = configOf(broker.port);
  const source = sparkplugSource(config, 500);
  expect((await stepsOf(source)).at(-1)).toMatchObject({
    step: "topic",
    ok: false,
    detail: expect.stringContaining("Plant/Edge1/Press has not announced itself"),
  });
  const answers = setInterval(() => {
    if (broker.published.splice(0).length > 0) node.birth({ total: 12 });
  }, 10);
  endAfter(async () => clearInterval(answers));
  const steps = await stepsOf(source);
  const names = ["name", "port", "login", "topic", "first value", "first value", "first value"];
  expect(steps.map(({ step, ok }) => [step, ok])).toEqual(names.map((step) => [step, true]));
  expect(steps[4]?.detail).toBe("Signal 1, Counts/Total: 12");
  const wrong = { ...config, signal: config.signal.map((each) => ({ ...each, metric: "None" })) };
  expect((await stepsOf(sparkplugSource(wrong, 500))).at(-1)).toMatchObject({
    step: "first value",
    ok: false,
    detail: expect.stringContaining("no such metric"),
  });
  const found = [];
  for await (const each of source.discover?.(new AbortController().signal, 300) ?? []) found.push(each);
  const address = 'group = "Plant", node = "Edge1", device = "Press", metric = "Counts/Total"';
  expect(found).toContainEqual({ address, example: "12" });
});
