import { describe, expect, test } from "vitest";
import { until } from "../support/context.ts";
import { type StrictBroker, strictBroker } from "./strict-broker.ts";
import { counted, endAfter, mqttOf, runs } from "./support.ts";

const pulses = { reading: "delta", topic: "p1/pulse" };

async function brokerFor(options: Parameters<typeof strictBroker>[0] = {}): Promise<StrictBroker> {
  const broker = await strictBroker(options);
  endAfter(broker.close);
  return broker;
}

/** Whether the broker has all acknowledgements, and has said so by an answer. */
function isConfirmed({ acknowledged, answered }: StrictBroker, published: number): boolean {
  return acknowledged.length === published && answered === published;
}

const kinds = [
  { name: "3.1.1, with ids that count up", version: "3.1.1", options: {} },
  { name: "5, with ids that count up", version: "5", options: { version: 5 } },
  { name: "that takes the lowest free id", version: "3.1.1", options: { ids: "lowest" } },
  { name: "that forgets to mark what it sends again", version: "3.1.1", options: { marksAgain: false } },
] as const;

describe.each(kinds)("a broker of MQTT $name", ({ version, options }) => {
  test("pulses whose acknowledgements get lost with the connection count once", async () => {
    const broker = await brokerFor(options);
    const bridge = runs(mqttOf(broker.port, { version, signal: [pulses] }));
    await until("it subscribes", () => broker.subscribed.length > 0);
    let published = 0;
    const publish = () => {
      published += 1;
      broker.publish("p1/pulse", "1");
    };
    // By these it learns how the broker chooses ids.
    for (let pulse = 0; pulse < 3; pulse += 1) {
      publish();
      await until("the acknowledgement is confirmed", () => isConfirmed(broker, published));
    }
    for (let round = 0; round < 6; round += 1) {
      broker.loseAcknowledgements(round % 2 === 0);
      for (let pulse = 0; pulse < 5; pulse += 1) publish();
      await until(`${published} are stored`, () => counted(bridge) >= published);
      if (round % 2 === 1) await until("the acknowledgements are confirmed", () => isConfirmed(broker, published));
      broker.loseAcknowledgements(false);
      const before = broker.connections;
      broker.cut();
      // Some come while it is away.
      for (let pulse = 0; pulse < 2; pulse += 1) publish();
      await until("it connects again", () => broker.connections > before);
      await until("everything is acknowledged", () => broker.acknowledged.length === published);
    }
    expect(counted(bridge)).toBe(published);
    expect(bridge.losses).toEqual([]);
  });

  test("pulses that were stored and not acknowledged when the bridge was killed count once", async () => {
    const broker = await brokerFor(options);
    const config = mqttOf(broker.port, { version, signal: [pulses] });
    let stored: unknown = null;
    let total = 0;
    let published = 0;
    for (let round = 0; round < 4; round += 1) {
      const bridge = runs(config, stored);
      if (round === 0) await until("it subscribes", () => broker.subscribed.length > 0);
      await until("it listens", () => bridge.states.at(-1)?.state === "ok");
      for (let pulse = 0; pulse < 3; pulse += 1) {
        published += 1;
        broker.publish("p1/pulse", "1");
        await until("the acknowledgement is confirmed", () => isConfirmed(broker, published));
      }
      broker.loseAcknowledgements(true);
      for (let pulse = 0; pulse < 3; pulse += 1) broker.publish("p1/pulse", "1");
      published += 3;
      await until("they are stored", () => total + counted(bridge) >= published);
      total += counted(bridge);
      stored = bridge.stored;
      bridge.end();
      await bridge.ended;
      broker.loseAcknowledgements(false);
      // A bridge with what the killed one had stored gets them again.
      const next = runs(config, stored);
      await until("all are acknowledged", () => isConfirmed(broker, published));
      total += counted(next);
      next.end();
      await next.ended;
      stored = next.stored;
    }
    expect(total).toBe(published);
  });
});

test("a pulse that has the id and the payload of one whose acknowledgement is confirmed counts, though the connection was dead when it was sent", async () => {
  const broker = await brokerFor({ ids: "lowest" });
  const bridge = runs(mqttOf(broker.port, { signal: [pulses] }));
  await until("it subscribes", () => broker.subscribed.length > 0);
  for (let pulse = 1; pulse <= 2; pulse += 1) {
    broker.publish("p1/pulse", "1");
    await until("it is acknowledged", () => broker.acknowledged.length === pulse);
  }
  const isForgotten = () => (bridge.stored as { client: { deliveries: { qos1: number[] } } }).client.deliveries.qos1.length === 0;
  await until("the broker is known to have the acknowledgements", isForgotten);
  // Its id is that of the pulse before, and it gets lost on its way, so that it comes again with the mark.
  broker.freeze(true);
  broker.publish("p1/pulse", "1");
  broker.freeze(false);
  broker.cut();
  await until("it is acknowledged", () => broker.acknowledged.length === 3);
  expect(counted(bridge)).toBe(3);
});

test("messages of QoS 2 count once, whichever part of their exchange gets lost", async () => {
  const broker = await brokerFor();
  const config = mqttOf(broker.port, { qos: 2, signal: [pulses] });
  const first = runs(config);
  await until("it subscribes", () => broker.subscribed.length > 0);
  broker.loseAcknowledgements(true);
  for (let pulse = 0; pulse < 3; pulse += 1) broker.publish("p1/pulse", "1", { qos: 2 });
  await until("they are stored", () => counted(first) === 3);
  first.end();
  await first.ended;
  broker.loseAcknowledgements(false);
  const second = runs(config, first.stored);
  await until("all are released", () => broker.acknowledged.length === 3);
  expect(counted(second)).toBe(0);
  broker.publish("p1/pulse", "1", { qos: 2 });
  await until("the next one is released", () => broker.acknowledged.length === 4);
  expect(counted(second)).toBe(1);
  const { client } = second.stored as { client: { deliveries: { qos2: number[] } } };
  expect(client.deliveries.qos2).toEqual([]);
});

test("nothing is acknowledged before it is on the disk, and everything counts once when the disk works again", async () => {
  const broker = await brokerFor();
  const bridge = runs(mqttOf(broker.port, { signal: [pulses] }));
  await until("it subscribes", () => broker.subscribed.length > 0);
  bridge.failStores(4);
  for (let pulse = 0; pulse < 50; pulse += 1) broker.publish("p1/pulse", "1");
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect([counted(bridge), broker.acknowledged.length]).toEqual([0, 0]);
  await until("all are acknowledged", () => broker.acknowledged.length === 50, 20_000);
  expect(counted(bridge)).toBe(50);
});

test("a slow disk makes the bridge read no more than its window, and changes nothing of the order", async () => {
  const broker = await brokerFor();
  const config = mqttOf(broker.port, { keep_alive: "1s", signal: [{ topic: "p1/total" }] });
  const bridge = runs(config);
  await until("it subscribes", () => broker.subscribed.length > 0);
  const { store } = bridge;
  let isSlow = true;
  bridge.store = async (readings, cursor) => {
    while (isSlow) await new Promise((resolve) => setTimeout(resolve, 20));
    return await store(readings, cursor);
  };
  const padding = " ".repeat(1000);
  for (let total = 1; total <= 20_000; total += 1) broker.publish("p1/total", `${total}${padding}`);
  // Longer than a silent broker is waited for: it is the bridge that does not read.
  await new Promise((resolve) => setTimeout(resolve, 3000));
  expect(broker.unread()).toBeGreaterThan(5_000_000);
  expect([bridge.readings.length, broker.connections]).toEqual([0, 1]);
  isSlow = false;
  await until("all are acknowledged", () => broker.acknowledged.length === 20_000, 30_000);
  expect(bridge.readings.map(({ value }) => Number(value))).toEqual([...Array(20_000).keys()].map((index) => index + 1));
  expect(broker.connections).toBe(1);
});

test("a broker that does not answer any more is left, and met again", async () => {
  const broker = await brokerFor();
  const bridge = runs(mqttOf(broker.port, { keep_alive: "1s", signal: [pulses] }));
  await until("it subscribes", () => broker.subscribed.length > 0);
  broker.freeze(true);
  await until("it is told", () => bridge.states.some(({ error }) => error?.includes("did not answer")));
  broker.freeze(false);
  broker.publish("p1/pulse", "1");
  await until("it counts again", () => counted(bridge) === 1);
  await until("it is well again", () => bridge.states.at(-1)?.state === "ok");
});

test("a broker that has forgotten the session is told as a loss, from when it was heard last, and is subscribed to again", async () => {
  const broker = await brokerFor();
  const bridge = runs(mqttOf(broker.port, { signal: [pulses] }));
  await until("it subscribes", () => broker.subscribed.length > 0);
  const before = bridge.now();
  broker.forgetSessions();
  broker.cut();
  await until("it subscribes again", () => broker.subscribed.length === 2);
  broker.publish("p1/pulse", "1");
  await until("it counts", () => counted(bridge) === 1);
  expect(bridge.losses).toMatchObject([{ signal: null, events: null }]);
  expect(bridge.losses[0]?.from).toBeLessThanOrEqual(before);
  expect(bridge.losses[0]?.to).toBeGreaterThan(before);
});

test("only new topics of a kept session are subscribed to, and those that are gone are left", async () => {
  const broker = await brokerFor();
  const first = runs(mqttOf(broker.port, { signal: [pulses, { topic: "old" }] }));
  await until("it subscribes", () => broker.subscribed.length > 0);
  await until("it is stored", () => (first.stored as { client: { filters: string[] } }).client.filters.length === 2);
  first.end();
  await first.ended;
  runs(mqttOf(broker.port, { signal: [pulses, { topic: "new" }] }), first.stored);
  await until("it subscribes", () => broker.subscribed.length === 2);
  expect(broker.subscribed[1]).toEqual(["new", "$SYS/broker/uptime", "$SYS/broker/publish/messages/dropped"]);
});
