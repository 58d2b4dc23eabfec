import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import net, { type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import tls from "node:tls";
import { Aedes } from "aedes";
import mqtt from "mqtt";
import { describe, expect, test } from "vitest";
import { mqttConfig } from "../../../bridge/src/sources/mqtt/config.ts";
import { mqttSource } from "../../../bridge/src/sources/mqtt/mqtt.ts";
import { until } from "../support/context.ts";
import { strictBroker } from "./strict-broker.ts";
import { counted, endAfter, mqttOf, runs, stepsOf } from "./support.ts";

/** A broker of npm on a port of its own; with a certificate it speaks TLS, with a password it asks for it. */
async function aedesBroker({
  port = 0,
  certificate,
  password,
}: {
  port?: number;
  certificate?: Certificate;
  password?: string;
} = {}) {
  const aedes = await Aedes.createBroker(
    password === undefined
      ? {}
      : { authenticate: (_client, user, given, done) => done(null, user === "bridge" && String(given) === password) },
  );
  const server = certificate
    ? tls.createServer({ key: readFileSync(certificate.key), cert: readFileSync(certificate.cert) }, aedes.handle)
    : net.createServer(aedes.handle);
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const close = async () => {
    server.close();
    await new Promise<void>((resolve) => aedes.close(resolve));
  };
  endAfter(close);
  return { aedes, close, port: (server.address() as AddressInfo).port };
}

async function publisherFor(port: number) {
  const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${port}`);
  endAfter(async () => client.endAsync(true));
  return client;
}

interface Certificate {
  key: string;
  cert: string;
}

/** A certificate that signs itself, for 127.0.0.1. */
function certificate(name: string): Certificate {
  const folder = mkdtempSync(join(tmpdir(), "andon-mqtt-"));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const options = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", `/CN=${name}`];
  execFileSync("openssl", ["req", "-x509", ...options, "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", cert], {
    stdio: "pipe",
  });
  return { key, cert };
}

function passwordFile(password: string): string {
  const file = join(mkdtempSync(join(tmpdir(), "andon-mqtt-")), "password");
  writeFileSync(file, `${password}\n`);
  return file;
}

test("values are read as plain numbers, texts, and from JSON by their paths, with the machine's own time", async () => {
  const { port } = await aedesBroker();
  const publisher = await publisherFor(port);
  const bridge = runs(
    mqttOf(port, {
      signal: [
        { topic: "p1/total" },
        { topic: "p1", path: "$.counters.total", time_path: "at" },
        { topic: "p1", path: "parts[0].bad", kind: "defect" },
        { topic: "p1/state", kind: "state" },
      ],
    }),
  );
  await until("it listens", () => bridge.states.at(-1)?.state === "ok");
  await publisher.publishAsync("p1/total", " 17 ", { qos: 1 });
  await publisher.publishAsync("p1", '{"at":"2026-11-29T08:00:00Z","counters":{"total":9007199254740993},"parts":[{"bad":2}]}', {
    qos: 1,
  });
  await publisher.publishAsync("p1/state", "running", { qos: 1 });
  await publisher.publishAsync("p2", "1", { qos: 1 });
  await until("all are read", () => bridge.readings.length === 4);
  expect(bridge.readings).toEqual([
    { signal: 0, value: "17", at: null },
    { signal: 1, value: 9_007_199_254_740_993n, at: Date.UTC(2026, 10, 29, 8) },
    { signal: 2, value: 2, at: null },
    { signal: 3, value: "running", at: null },
  ]);
});

test("a payload that cannot be read is told with what it was, and the next ones are read", async () => {
  const { port } = await aedesBroker();
  const publisher = await publisherFor(port);
  const bridge = runs(
    mqttOf(port, { signal: [{ topic: "p1", path: "total" }, { topic: "p2" }, { topic: "p3", path: "n", time_path: "t" }] }),
  );
  await until("it listens", () => bridge.states.at(-1)?.state === "ok");
  for (const [topic, payload, problem] of [
    ["p1", "{", 'p1: "{" is no JSON'],
    ["p1", '{"other":1}', "has no value at total"],
    ["p1", '{"total":{"a":1}}', "has no value at total"],
    ["p2", '{"total":1}', "is JSON: give the path"],
    ["p3", '{"n":4}', "has no time at t"],
  ] as const) {
    await publisher.publishAsync(topic, payload, { qos: 1 });
    await until(problem, () => bridge.states.at(-1)?.error?.includes(problem) ?? false);
    await publisher.publishAsync(topic, topic === "p2" ? "3" : '{"total":3,"n":3,"t":1796000000}', { qos: 1 });
    await until("it is read", () => bridge.states.at(-1)?.error === null);
  }
  expect(bridge.readings.map(({ signal }) => signal)).toEqual([0, 0, 0, 1, 2, 2]);
});

test("what the broker kept is a repeated value, unless its number says that it is news, and is left out once the machine publishes", async () => {
  const { port } = await aedesBroker();
  const publisher = await publisherFor(port);
  await publisher.publishAsync("p1", "1", { qos: 1, retain: true });
  await publisher.publishAsync("p2", '{"n":5,"s":20}', { qos: 1, retain: true });
  const signal = [
    { topic: "p1", reading: "delta" },
    { topic: "p2", reading: "delta", path: "n", sequence_path: "s" },
  ];
  const first = runs(mqttOf(port, { signal }));
  await until("both are read", () => first.readings.length === 2);
  expect(first.readings).toContainEqual({ signal: 0, value: "1", at: null, isRepeated: true });
  expect(first.readings).toContainEqual({ signal: 1, value: 5, at: null, isRepeated: true });
  await publisher.publishAsync("p2", '{"n":6,"s":21}', { qos: 1, retain: true });
  await until("it is read", () => first.readings.length === 3);
  first.end();
  await first.ended;
  await publisher.publishAsync("p2", '{"n":7,"s":24}', { qos: 1, retain: true });
  // It forgets the session, and gets what the broker kept.
  const { sequences } = first.stored as { sequences: unknown };
  const second = runs(mqttOf(port, { signal }), { ...(first.stored as object), client: null, sequences });
  await until("both are read", () => second.readings.length === 2);
  expect(second.readings).toContainEqual({ signal: 1, value: 7, at: null });
  expect(second.losses).toMatchObject([{ signal: 1, events: 2 }]);
});

test("numbers that are left out are told as lost with their signal, and what comes again is not", async () => {
  const broker = await strictBroker();
  endAfter(broker.close);
  const signal = [
    { topic: "p1", reading: "delta", path: "n", sequence_path: "s" },
    { topic: "p1", kind: "defect", path: "b", sequence_path: "s" },
  ];
  const bridge = runs(mqttOf(broker.port, { signal }));
  await until("it subscribes", () => broker.subscribed.length > 0);
  broker.loseAcknowledgements(true);
  for (const s of [1, 2, 5, 6, 7]) broker.publish("p1", JSON.stringify({ n: 1, b: 0, s }));
  await until("they are stored", () => counted(bridge) === 5);
  broker.loseAcknowledgements(false);
  broker.cut();
  await until("they are acknowledged", () => broker.acknowledged.length === 5);
  // The machine starts again.
  for (const s of [0, 1, 3]) broker.publish("p1", JSON.stringify({ n: 1, b: 0, s }));
  await until("all are stored", () => counted(bridge) === 8);
  expect(bridge.losses.map(({ signal: of, events }) => [of, events])).toEqual([
    [0, 2],
    [1, 2],
    [0, 1],
    [1, 1],
  ]);
});

test("a message that is too long is told as lost and acknowledged, and the next ones count", async () => {
  const broker = await strictBroker();
  endAfter(broker.close);
  const bridge = runs(mqttOf(broker.port, { max_message: "1MB", signal: [{ topic: "p1", reading: "delta" }] }));
  await until("it subscribes", () => broker.subscribed.length > 0);
  broker.publish("p1", Buffer.alloc(20_000_000, "1"));
  broker.publish("p1", "1");
  await until("both are acknowledged", () => broker.acknowledged.length === 2);
  expect(counted(bridge)).toBe(1);
  expect(bridge.losses).toMatchObject([{ signal: 0, events: 1, reason: expect.stringContaining("longer than max_message") }]);
});

test("a broker that sends what is not MQTT is left with an error, and the bridge goes on", async () => {
  let connections = 0;
  const server = net.createServer((socket) => {
    connections += 1;
    socket.on("error", () => undefined);
    if (connections === 1) socket.end("HTTP/1.1 400 Bad Request\r\n\r\n");
    else socket.write(Buffer.from([0x20, 2, 0, 0, 0x33, 255, 255, 255, 255, 255]));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  endAfter(async () => void server.close());
  const bridge = runs(mqttOf((server.address() as AddressInfo).port, { signal: [{ topic: "p1" }] }));
  await until("it comes again and again", () => connections >= 3);
  const errors = bridge.states.map(({ error }) => error ?? "").join();
  expect(errors).toMatch(/login: .*check port/);
  expect(errors).toContain("is not MQTT");
});

test("a broker that is restarted is met again with a new session, and what comes then counts once", async () => {
  const first = await aedesBroker();
  const bridge = runs(mqttOf(first.port, { signal: [{ topic: "p1", reading: "delta" }] }));
  await until("it listens", () => bridge.states.at(-1)?.state === "ok");
  const before = await publisherFor(first.port);
  for (let pulse = 0; pulse < 20; pulse += 1) await before.publishAsync("p1", "1", { qos: 1 });
  await until("they count", () => counted(bridge) === 20);
  await first.close();
  await until("it is told", () => bridge.states.at(-1)?.state === "failed");
  const { aedes } = await aedesBroker({ port: first.port });
  await until("it listens again", () => bridge.states.at(-1)?.state === "ok");
  aedes.publish({ cmd: "publish", topic: "p1", payload: "1", qos: 1, dup: false, retain: false }, () => undefined);
  await until("it counts", () => counted(bridge) === 21);
});

test("while no machine publishes, the source is silent, unless the connection says that they are there", async () => {
  const { port } = await aedesBroker();
  const signal = [{ topic: "p1" }];
  const byMessages = runs(mqttOf(port, { silence: "200ms", signal }));
  const byConnection = runs(mqttOf(port, { id: "other", silence: "200ms", alive: "connection", signal }));
  await until("one is silent", () => byMessages.states.at(-1)?.state === "silent");
  await until("the other is heard", () => byConnection.heardTimes > 1);
  expect([byConnection.states.at(-1)?.state, byMessages.heardTimes]).toEqual(["ok", 0]);
  await (await publisherFor(port)).publishAsync("p1", "1", { qos: 1 });
  await until("both are read", () => byMessages.states.at(-1)?.state === "ok");
});

test("wildcards, shared subscriptions, wrong paths and members that do not fit are refused by name", () => {
  const refusalOf = (members: Record<string, unknown>, signal: Record<string, unknown> = {}) => {
    const result = mqttConfig.safeParse({
      id: "hall",
      type: "mqtt",
      host: "broker",
      ...members,
      signal: [{ machine: "P1", kind: "total", topic: "p1", ...signal }],
    });
    return result.error?.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join();
  };
  expect(refusalOf({}, { topic: "line/+/total" })).toMatch(/^signal\.0\.topic: must be the topic of one machine/);
  expect(refusalOf({}, { topic: "#" })).toMatch(/^signal\.0\.topic: /);
  expect(refusalOf({}, { topic: "$share/a/p1" })).toMatch(/^signal\.0\.topic: must not be shared/);
  expect(refusalOf({}, { path: "a..b" })).toMatch(/^signal\.0\.path: must be a path/);
  expect(refusalOf({ ca_file: "x" })).toContain("need tls = true");
  expect(refusalOf({ tls: true, cert_file: "x" })).toContain("need each other");
  expect(refusalOf({ password_file: "x", password_env: "X" })).toContain("exclude each other");
  expect(refusalOf({})).toBeUndefined();
});

describe("check stops at the step that fails, and says what to do", () => {
  const signal = [{ topic: "p1", path: "n" }];
  const lastOf = async (port: number, members: Record<string, unknown> = {}) => {
    const steps = await stepsOf(mqttSource(mqttOf(port, { signal, ...members }), 400));
    return steps.at(-1);
  };

  test("a name that nobody knows, and a port on which nothing listens", async () => {
    expect(await lastOf(1883, { host: "no-such-broker.invalid" })).toMatchObject({
      step: "name",
      ok: false,
      detail: expect.stringContaining("check host"),
    });
    const server = net.createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, "close");
    expect(await lastOf(port)).toMatchObject({
      step: "port",
      ok: false,
      detail: expect.stringContaining("nothing listens there"),
    });
  });

  test("TLS on one side alone, an unknown authority, and its own", async () => {
    const own = certificate("broker");
    const secure = await aedesBroker({ certificate: own });
    const plain = await aedesBroker();
    expect(await lastOf(plain.port, { tls: true })).toMatchObject({ step: "TLS", ok: false });
    expect(await lastOf(secure.port)).toMatchObject({ step: "login", ok: false, detail: expect.stringContaining("TLS") });
    const unknown = { step: "TLS", ok: false, detail: expect.stringContaining("ca_file") };
    expect(await lastOf(secure.port, { tls: true })).toMatchObject(unknown);
    expect(await lastOf(secure.port, { tls: true, ca_file: certificate("other").cert })).toMatchObject(unknown);
    expect(await lastOf(secure.port, { tls: true, ca_file: "/no/such/file" })).toMatchObject({
      step: "TLS",
      detail: expect.stringContaining("ca_file cannot be read"),
    });
    expect(await lastOf(secure.port, { tls: true, ca_file: own.cert })).toMatchObject({ step: "topic" });
  });

  test("a wrong password, and the right one", async () => {
    const { port } = await aedesBroker({ password: "right" });
    const refused = { step: "login", ok: false, detail: expect.stringContaining("check username and password_file") };
    expect(await lastOf(port)).toMatchObject(refused);
    expect(await lastOf(port, { username: "bridge", password_file: passwordFile("wrong") })).toMatchObject(refused);
    expect(await lastOf(port, { username: "bridge", password_file: passwordFile("right") })).toMatchObject({ step: "topic" });
    process.env.MQTT_TEST_PASSWORD = "right";
    expect(await lastOf(port, { username: "bridge", password_env: "MQTT_TEST_PASSWORD" })).toMatchObject({ step: "topic" });
  });

  test("a topic on which nothing comes, one that may not be read, a value that is none, and one that is", async () => {
    const { port } = await aedesBroker();
    const publisher = await publisherFor(port);
    expect(await lastOf(port)).toMatchObject({
      step: "topic",
      ok: false,
      detail: expect.stringContaining("Nothing came on p1 in 0.4 s"),
    });
    const strict = await strictBroker();
    endAfter(strict.close);
    expect(await lastOf(strict.port, { signal: [{ topic: "secret/p1" }] })).toMatchObject({
      step: "topic",
      ok: false,
      detail: expect.stringContaining("does not let this user read secret/p1"),
    });
    await publisher.publishAsync("p1", '{"m":1}', { retain: true });
    const steps = await stepsOf(mqttSource(mqttOf(port, { signal }), 400));
    expect(steps.map(({ step, ok }) => [step, ok])).toEqual([
      ["name", true],
      ["port", true],
      ["login", true],
      ["topic", true],
      ["first value", false],
      ["loss", true],
    ]);
    expect(steps.at(-1)?.detail).toContain("Loss cannot be seen here");
    await publisher.publishAsync("p1", '{"n":"many"}', { retain: true });
    const wrong = { step: "first value", ok: false, detail: expect.stringContaining("many is no number") };
    expect((await stepsOf(mqttSource(mqttOf(port, { signal }), 400)))[4]).toMatchObject(wrong);
    await publisher.publishAsync("p1", '{"n":42}', { retain: true });
    expect((await stepsOf(mqttSource(mqttOf(port, { signal }), 400)))[4]).toEqual({
      step: "first value",
      ok: true,
      detail: "Signal 1, p1: 42",
    });
  });
});

test("discover tells the topics that are heard, each with a payload", async () => {
  const { port } = await aedesBroker();
  const publisher = await publisherFor(port);
  for (const topic of ["a/1", "b"]) await publisher.publishAsync(topic, `{"of":"${topic}"}`, { retain: true });
  const found = [];
  for await (const each of mqttSource(mqttOf(port, { signal: [{ topic: "p1" }] })).discover?.(
    new AbortController().signal,
    500,
  ) ?? [])
    found.push(each);
  expect(found).toEqual([
    { address: "a/1", example: '{"of":"a/1"}' },
    { address: "b", example: '{"of":"b"}' },
  ]);
});
