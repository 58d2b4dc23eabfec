import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { type HttpConfig, httpConfig, httpSource } from "../../bridge/src/sources/http/http.ts";
import { contextFor, type TestContext, until } from "./support/context.ts";
import { freePort } from "./support/modbus.ts";

const closing: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function configFor(members: object = {}): Promise<HttpConfig> {
  return httpConfig.parse({
    id: "io",
    type: "http",
    host: "127.0.0.1",
    port: await freePort(),
    profile: "json",
    signal: [{ machine: "P1", kind: "total", field: "$.counters[0].value" }],
    ...members,
  });
}

async function run(config: HttpConfig): Promise<TestContext & { url: string }> {
  const context = contextFor(config.signal);
  const running = httpSource(config).run(context);
  closing.push(() => {
    context.end();
    return running;
  });
  await until("it listens", () => context.states.length > 0);
  return Object.assign(context, { url: `http://127.0.0.1:${config.port}` });
}

async function send(url: string, init: RequestInit = {}) {
  const response = await fetch(url, init);
  return { status: response.status, text: (await response.text()).trim(), headers: response.headers };
}

test("values come from a JSON body, a query and a form, each by its own name and path", async () => {
  const json = await run(
    await configFor({
      time: "t",
      signal: [
        { machine: "P1", kind: "total", path: "/press-1", field: "counters[0].value" },
        { machine: "P1", kind: "state", path: "/press-1", field: "$.state" },
        { machine: "P2", kind: "total", path: "/press-2", field: "counters[0].value" },
      ],
    }),
  );
  const body = JSON.stringify([
    { t: 1_764_000_000, counters: [{ value: 7 }], state: "EXECUTE", other: { a: 1 } },
    { t: "2026-01-05T10:00:00Z", counters: [{ value: "large" }], state: null },
  ]).replace('"large"', "18446744073709551");
  expect(await send(`${json.url}/press-1`, { method: "POST", body })).toMatchObject({ status: 200, text: "stored" });
  expect(json.readings).toEqual([
    { signal: 0, value: 7, at: 1_764_000_000_000 },
    { signal: 1, value: "EXECUTE", at: 1_764_000_000_000 },
    { signal: 0, value: 18446744073709551n, at: Date.UTC(2026, 0, 5, 10) },
  ]);
  const query = await run(await configFor({ profile: "query", signal: [{ machine: "P1", kind: "total", field: "in1" }] }));
  expect((await send(`${query.url}/?in1=123&in2=4`)).status).toBe(200);
  const form = await run(await configFor({ profile: "form", signal: [{ machine: "P1", kind: "total", field: "in1" }] }));
  const fields = new URLSearchParams({ in1: "5", in2: "x" });
  expect((await send(form.url, { method: "POST", body: fields })).status).toBe(200);
  expect([...query.readings, ...form.readings].map(({ value, at }) => [value, at])).toEqual([
    ["123", null],
    ["5", null],
  ]);
});

test("what cannot be stored is answered with 503, so that the device sends it again", async () => {
  const context = await run(await configFor());
  const body = JSON.stringify({ counters: [{ value: 3 }] });
  context.failStores(1);
  const refused = await send(context.url, { method: "POST", body });
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
  expect(context.readings).toEqual([]);
  expect((await send(context.url, { method: "POST", body })).status).toBe(200);
  expect(context.readings.map(({ value }) => value)).toEqual([3]);
  expect(context.states.map(({ state }) => state)).toEqual(["ok", "failed", "ok"]);
});

test("messages that say nothing are refused with what is missing, and store nothing", async () => {
  const context = await run(await configFor({ time: "t" }));
  const post = (body: string, path = "/") => send(`${context.url}${path}`, { method: "POST", body });
  const answers = [
    await post("{"),
    await post(""),
    await post("7"),
    await post(JSON.stringify({ t: 1_764_000_000, counters: [] })),
    await post(JSON.stringify({ t: 1_764_000_000, counters: [{ value: { a: 1 } }] })),
    await post(JSON.stringify({ t: "yesterday", counters: [{ value: 1 }] })),
    await post(JSON.stringify(Array.from({ length: 1001 }, () => ({})))),
    await post(JSON.stringify({ t: 1_764_000_000, counters: [{ value: 1 }] }), "/other"),
    await send(context.url, { method: "DELETE" }),
    await post(" ".repeat(256_001)),
  ];
  expect(answers.map(({ status, text }) => `${status} ${text}`)).toEqual([
    "400 the body must be JSON",
    "400 the body must be JSON",
    "422 t must be the time of the message",
    "422 the message has no value for $.counters[0].value",
    "422 the message has no value for $.counters[0].value",
    "422 t must be the time of the message",
    "422 a list has at most 1000 messages",
    "404 no signal of the configuration has the path /other",
    "405 GET, POST or PUT",
    "413 a message has at most 256000 bytes",
  ]);
  expect(context.readings).toEqual([]);
});

test("with a token, only messages that carry it are taken", async () => {
  const folder = mkdtempSync(join(tmpdir(), "bridge-"));
  closing.push(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "token"), "s3cret\n");
  const context = await run(
    await configFor({
      profile: "query",
      token_file: join(folder, "token"),
      signal: [{ machine: "P1", kind: "total", field: "in1" }],
    }),
  );
  const statuses = [
    await send(`${context.url}/?in1=1`),
    await send(`${context.url}/?in1=2&token=s3cre`),
    await send(`${context.url}/?in1=3`, { headers: { authorization: "Bearer wrong" } }),
    await send(`${context.url}/?in1=4&token=s3cret`),
    await send(`${context.url}/?in1=5`, { headers: { authorization: "Bearer s3cret" } }),
  ].map(({ status }) => status);
  expect(statuses).toEqual([401, 401, 401, 200, 200]);
  expect(context.readings.map(({ value }) => value)).toEqual(["4", "5"]);
});

/** What a raw connection is answered until it ends. */
function talk(port: number, write: (send: (text: string) => void) => void): Promise<string> {
  return new Promise((resolve) => {
    let heard = "";
    const socket = connect({ host: "127.0.0.1", port }, () => write((text) => socket.write(text)));
    socket.on("data", (data) => {
      heard += data;
    });
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(heard));
  });
}

test("a message that never ends is ended by the bridge, and what is no request harms nobody", async () => {
  const config = await configFor();
  const context = await run(config);
  const slow = talk(config.port, (write) => write("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{"));
  const [, , badPath] = await Promise.all([
    talk(config.port, (write) => write("\x16\x03\x01\x02 no HTTP\r\n\r\n")),
    talk(config.port, (write) => write("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n")),
    talk(config.port, (write) => write("GET // HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")),
  ]);
  expect(badPath).toMatch(/^HTTP\/1\.1 400 /);
  expect(await slow).toMatch(/^(HTTP\/1\.1 408 |$)/);
  expect((await send(context.url, { method: "POST", body: '{"counters":[{"value":1}]}' })).status).toBe(200);
});

test("a port that somebody else has is said, and taken when it is free", async () => {
  const config = await configFor();
  const other = httpSource(config);
  const first = contextFor(config.signal);
  const running = other.run(first);
  await until("the first listens", () => first.states.length > 0);
  const second = contextFor(config.signal);
  const waiting = httpSource(config).run(second);
  await until("the failure", () => second.states.at(-1)?.error?.includes("EADDRINUSE") === true);
  first.end();
  await running;
  await until("the port", () => second.states.at(-1)?.state === "ok");
  second.end();
  await waiting;
});

async function listened<Found>(found: AsyncIterable<Found>, config: HttpConfig, messages: readonly string[]): Promise<Found[]> {
  const all: Found[] = [];
  const sending = (async () => {
    for (const message of messages) {
      await until("it listens", () => isOpen(config.port), 5000);
      await fetch(`http://127.0.0.1:${config.port}${message}`).catch(() => undefined);
    }
  })();
  for await (const one of found) all.push(one);
  await sending;
  return all;
}

function isOpen(port: number): boolean {
  try {
    execFileSync("bash", ["-c", `exec 3<>/dev/tcp/127.0.0.1/${port}`], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

test("check and discover of devices that send say what came, and that it is to be sent again", async () => {
  const config = await configFor({ profile: "query", signal: [{ machine: "P1", kind: "total", path: "/a", field: "in1" }] });
  const never = new AbortController().signal;
  const steps = await listened(httpSource(config).check(never), config, ["/a?in1=5"]);
  expect(steps.map(({ step, ok, detail }) => `${step} ${ok ? "ok" : "failed"}: ${detail}`)).toEqual([
    "token ok: none: anybody on this network may send counts",
    `port ok: ${config.port} is listened to, and a device sends to /a`,
    "first value ok: in1 at /a is 5",
  ]);
  const wrong = await listened(httpSource(config).check(never), config, ["/b?in1=5"]);
  expect(wrong.at(-1)).toMatchObject({ step: "first value", ok: false });
  expect(wrong.at(-1)?.detail).toContain("no signal of the configuration has the path /b");
  const found = await listened(httpSource(config).discover?.(never, 1500) ?? emptyOf(), config, ["/b?in1=5&in2=6", "/b?in1=7"]);
  expect(found).toEqual([
    { address: 'path = "/b", field = "in1"', example: "5" },
    { address: 'path = "/b", field = "in2"', example: "6" },
  ]);
});

async function* emptyOf(): AsyncIterable<never> {
  // Nothing.
}
