import { execFile } from "node:child_process";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { expect, test, vi } from "vitest";
import { opcuaSource } from "../../../bridge/src/sources/opcua/opcua.ts";
import type { CheckStep } from "../../../bridge/src/sources/source.ts";
import { configOf, newFolder, runSource, startServer } from "./support.ts";

const run = promisify(execFile);
/** Within two seconds, but for computers that are busy with something else: it takes up to one second. */
const soonMs = 5000;
const busyMs = 2000;
type Given = ReturnType<typeof runSource>;

const valuesOf = ({ readings }: Given, signal = 0) =>
  readings.filter((reading) => reading.signal === signal).map(({ value }) => value);
const stateOf = ({ states }: Given) => states.at(-1)?.state;
const until = (assertion: () => void | Promise<void>, timeout = 20_000) => vi.waitFor(assertion, { timeout, interval: 20 });

/** Sets the contact for longer than the server takes between two samples. */
async function pulse(server: Awaited<ReturnType<typeof startServer>>, level: boolean): Promise<void> {
  await server.ask("set", "Contact", level);
  await sleep(120);
}

async function stepsOf(config: Parameters<typeof opcuaSource>[0]): Promise<CheckStep[]> {
  const steps: CheckStep[] = [];
  for await (const step of opcuaSource(config).check(new AbortController().signal)) steps.push(step);
  return steps;
}

test("values of all types come with the server's time, and the first ones are no news", async () => {
  const server = await startServer();
  const nodes = { Total: {}, Big: {}, Contact: { reading: "edge" }, State: { kind: "state" } };
  const source = runSource(configOf(server.endpoint, nodes));
  await until(() => expect(source.readings).toHaveLength(4));
  expect(source.readings.toSorted((a, b) => a.signal - b.signal).map(({ value, isRepeated }) => ({ value, isRepeated }))).toEqual(
    [
      { value: 100, isRepeated: true },
      { value: 2n ** 32n + 2n, isRepeated: true },
      { value: false, isRepeated: true },
      { value: "EXECUTE", isRepeated: true },
    ],
  );
  source.readings.length = 0;
  const before = Date.now();
  await server.ask("set", "Total", 101);
  await server.ask("set", "Contact", true);
  await server.ask("set", "State", "HELD");
  await until(() => expect(source.readings).toHaveLength(3));
  expect(new Set(source.readings.map(({ value }) => value))).toEqual(new Set([101, true, "HELD"]));
  for (const { at, isRepeated } of source.readings) {
    expect(isRepeated).toBeUndefined();
    expect(at).toBeGreaterThanOrEqual(before - 1);
    expect(at).toBeLessThanOrEqual(Date.now());
  }
  expect(stateOf(source)).toBe("ok");
});

test("between two notifications no change is lost, and what did not fit into the queue of the server is told", async () => {
  const server = await startServer();
  const slow = { publish: "2s", silence: "20s" };
  const source = runSource(configOf(server.endpoint, { Contact: { reading: "edge", queue: 8 } }, slow));
  await until(() => expect(source.readings).toHaveLength(1));
  for (const level of [true, false, true, false]) await pulse(server, level);
  await until(() => expect(valuesOf(source)).toEqual([false, true, false, true, false]));
  expect(source.losses).toEqual([]);
  for (let count = 0; count < 15; count += 1) for (const level of [true, false]) await pulse(server, level);
  await until(() => expect(source.losses.length).toBeGreaterThan(0));
  expect(source.losses[0]).toMatchObject({ signal: 0, events: null, reason: expect.stringContaining("raise `queue`") });
});

test("a value with a bad status is unavailable, and a value again when it is good", async () => {
  const server = await startServer();
  const source = runSource(configOf(server.endpoint, { Total: {}, Broken: {} }));
  await until(() => expect(source.unavailableSignals.map(({ signal }) => signal)).toEqual([1]));
  await until(() => expect(valuesOf(source)).toEqual([100]));
  await server.ask("fail", "Total", 999);
  await until(() => expect(source.unavailableSignals.map(({ signal }) => signal)).toEqual([1, 0]));
  await server.ask("set", "Total", 101);
  await until(() => expect(valuesOf(source)).toEqual([100, 101]));
});

test("notifications are acknowledged when their values are stored, and not before", async () => {
  const server = await startServer();
  const source = runSource(configOf(server.endpoint, { Total: {} }));
  await until(() => expect(valuesOf(source)).toEqual([100]));
  await until(async () => expect(await server.ask("unacknowledged")).toBe(0));
  const stored = Promise.withResolvers<void>();
  source.beforeStore = () => stored.promise;
  source.failStores(2);
  await server.ask("set", "Total", 101);
  await until(async () => expect(await server.ask("unacknowledged")).toBe(1));
  await sleep(1000);
  expect(await server.ask("unacknowledged")).toBe(1);
  stored.resolve();
  await until(() => expect(valuesOf(source)).toEqual([100, 101]));
  expect(source.logs.filter((line) => line.includes("the disk is full"))).toHaveLength(2);
  await until(async () => expect(await server.ask("unacknowledged")).toBe(0));
});

test("after a restart of the server its data are back soon, nothing is doubled, and first values are no news", async () => {
  const server = await startServer();
  const source = runSource(configOf(server.endpoint, { Total: {}, Contact: { reading: "edge" } }, { silence: "60s" }));
  await until(() => expect(source.readings).toHaveLength(2));
  await server.ask("set", "Total", 101);
  await until(() => expect(valuesOf(source)).toEqual([100, 101]));
  source.readings.length = 0;
  await server.kill();
  await until(() => expect(stateOf(source)).toBe("failed"), 5000);
  await server.start();
  const started = performance.now();
  await until(() => expect(source.readings.length).toBeGreaterThanOrEqual(2));
  expect(performance.now() - started).toBeLessThan(soonMs);
  await server.ask("set", "Total", 102);
  await until(() => expect(valuesOf(source)).toContain(102));
  expect(source.readings).toMatchObject([{ isRepeated: true }, { isRepeated: true }, { signal: 0, value: 102 }]);
  expect(source.readings[2]?.isRepeated).toBeUndefined();
});

test("a frozen server is silent within the silence, its session is made anew after twice as long, and data are back soon", async () => {
  const server = await startServer();
  const source = runSource(configOf(server.endpoint, { Total: {} }));
  await until(() => expect(stateOf(source)).toBe("ok"));
  await sleep(500);
  server.freeze();
  const frozen = performance.now();
  await until(() => expect(stateOf(source)).toBe("silent"));
  // The silence begins when it was heard last, which is up to a third of the silence before the freeze.
  expect(performance.now() - frozen).toBeLessThan(2000 + busyMs);
  await until(() => expect(source.logs).toContainEqual(expect.stringContaining("a new session is made")));
  expect(performance.now() - frozen).toBeLessThan(4000 + busyMs);
  await sleep(5000);
  const { heardTimes } = source;
  server.thaw();
  const thawed = performance.now();
  await server.ask("set", "Total", 107);
  await until(() => expect(valuesOf(source)).toContain(107));
  expect(performance.now() - thawed).toBeLessThan(soonMs);
  expect(stateOf(source)).toBe("ok");
  expect(heardTimes).toBeLessThan(source.heardTimes);
  expect(Number(await server.ask("sessions"))).toBeGreaterThanOrEqual(2);
  await server.ask("set", "Total", 108);
  await until(() => expect(valuesOf(source).at(-1)).toBe(108));
  expect(valuesOf(source).filter((value) => value === 108)).toHaveLength(1);
});

test("a server that was frozen for a shorter time than the silence loses no change", async () => {
  const server = await startServer();
  const source = runSource(configOf(server.endpoint, { Contact: { reading: "edge" } }, { publish: "1s", silence: "20s" }));
  await until(() => expect(valuesOf(source)).toEqual([false]));
  for (const level of [true, false, true]) await pulse(server, level);
  server.freeze();
  await sleep(3000);
  server.thaw();
  await pulse(server, false);
  await until(() => expect(valuesOf(source)).toEqual([false, true, false, true, false]));
  expect(source.states.map(({ state }) => state)).toEqual(["starting", "ok"]);
});

test("a subscription that the server lost is silent and made anew, whether or not there is news", async () => {
  const server = await startServer();
  const source = runSource(configOf(server.endpoint, { Total: {} }));
  await until(() => expect(valuesOf(source)).toEqual([100]));
  await server.ask("loseSubscriptions");
  await until(() => expect(source.states.map(({ state }) => state)).toEqual(["starting", "ok", "silent", "ok"]));
  await until(() => expect(valuesOf(source)).toEqual([100, 100]));
  await server.ask("loseSubscriptions");
  await server.ask("set", "Total", 103);
  await until(() => expect(valuesOf(source)).toEqual([100, 100, 103]));
  expect(source.readings.at(-1)?.isRepeated).toBe(true);
  await server.ask("set", "Total", 104);
  await until(() => expect(valuesOf(source)).toEqual([100, 100, 103, 104]));
  expect(source.readings.at(-1)?.isRepeated).toBeUndefined();
});

test("a server that goes on speaking but forgot the nodes is noticed, and asked for them again", async () => {
  const server = await startServer();
  const source = runSource(configOf(server.endpoint, { Total: {} }));
  await until(() => expect(valuesOf(source)).toEqual([100]));
  await server.ask("loseItems");
  await server.ask("set", "Total", 103);
  await until(() => expect(valuesOf(source)).toEqual([100, 103]));
  expect(source.logs).toContainEqual(expect.stringContaining("does not tell what ns=1;s=Line1.Total says any more"));
  expect(source.states.map(({ state }) => state)).not.toContain("silent");
});

test("one node that the server does not have keeps no other from being read", async () => {
  const server = await startServer();
  const source = runSource(configOf(server.endpoint, { Missing: {}, Total: {} }));
  await until(() => expect(valuesOf(source, 1)).toEqual([100]));
  await until(() => expect(source.unavailableSignals).toEqual([{ signal: 0, at: null }]));
  expect(source.logs).toContainEqual(expect.stringContaining("ns=1;s=Line1.Missing: BadNodeIdUnknown"));
  await sleep(5000);
  expect(valuesOf(source, 1)).toEqual([100]);
});

test("with the bridge's clock readings have no time of their own", async () => {
  const server = await startServer();
  const source = runSource(configOf(server.endpoint, { Total: {} }, { clock: "bridge" }));
  await until(() => expect(source.readings).toEqual([{ signal: 0, value: 100, at: null, isRepeated: true }]));
});

test("a secure connection needs the fingerprint of the server's certificate, the server's trust, and a login", async () => {
  const server = await startServer({ TRUST_ALL: "1", LOGIN: "1" });
  const password_file = join(newFolder(), "password");
  writeFileSync(password_file, "wrong\n");
  const secure = { security: "SignAndEncrypt", username: "bridge", password_file };
  const untrusted = (await stepsOf(configOf(server.endpoint, { Total: {} }, secure))).at(-1);
  expect(untrusted).toMatchObject({ step: "certificate", ok: false });
  const trust = /trust = "([0-9A-F:]+)"/.exec(untrusted?.detail ?? "")?.[1] ?? "";
  const certificates = newFolder();
  const trusting = configOf(server.endpoint, { Total: {} }, { ...secure, trust, certificates });
  const refused = (await stepsOf(trusting)).at(-1);
  expect(refused).toMatchObject({
    step: "login",
    ok: false,
    detail: expect.stringContaining("check username and password_file"),
  });
  writeFileSync(password_file, "secret\n");
  expect((await stepsOf(trusting)).map(({ step, ok }) => [step, ok])).toEqual(
    ["name", "port", "endpoint", "security", "certificate", "login", "node ids", "first value"].map((step) => [step, true]),
  );
  const own = readFileSync(join(certificates, "own/certs/client_certificate.pem"), "utf8");
  const source = runSource(trusting);
  await until(() => expect(valuesOf(source)).toEqual([100]));
  expect(readFileSync(join(certificates, "own/certs/client_certificate.pem"), "utf8")).toBe(own);
  const other = trust.replace(/^../, (first) => (first === "00" ? "11" : "00"));
  const wrong = (await stepsOf(configOf(server.endpoint, { Total: {} }, { ...secure, trust: other }))).at(-1);
  expect(wrong).toMatchObject({ step: "certificate", ok: false, detail: expect.stringContaining("not the trusted one") });
  const anonymous = (await stepsOf(configOf(server.endpoint, { Total: {} }))).at(-1);
  expect(anonymous).toMatchObject({ step: "login", ok: false, detail: expect.stringContaining("does it want a username?") });
});

test("a server that does not trust the bridge's certificate is named with the certificate to trust", async () => {
  const server = await startServer();
  const secure = { security: "Sign" };
  const trust = /trust = "([0-9A-F:]+)"/.exec(
    (await stepsOf(configOf(server.endpoint, { Total: {} }, secure))).at(-1)?.detail ?? "",
  )?.[1];
  const refused = (await stepsOf(configOf(server.endpoint, { Total: {} }, { ...secure, trust }))).at(-1);
  expect(refused).toMatchObject({
    step: "certificate",
    ok: false,
    detail: expect.stringContaining("own/certs/client_certificate.pem"),
  });
});

test("a check names the step that fails: name, port, endpoint, security, node ids, first value", async () => {
  const server = await startServer();
  const failing = async (endpoint: string, nodes: Record<string, object> = { Total: {} }, more: object = {}) =>
    (await stepsOf(configOf(endpoint, nodes, more))).at(-1);
  expect(await failing("opc.tcp://nowhere.invalid:4840")).toMatchObject({ step: "name", ok: false });
  await server.kill();
  expect(await failing(server.endpoint)).toMatchObject({ step: "port", ok: false });
  const web = createServer().listen(server.port, "127.0.0.1");
  expect(await failing(server.endpoint)).toMatchObject({ step: "endpoint", ok: false });
  web.closeAllConnections();
  await new Promise((done) => web.close(done));
  await server.start();
  const policy = { security: "Sign", policy: "Aes256_Sha256_RsaPss" };
  expect(await failing(server.endpoint, { Total: {} }, policy)).toMatchObject({
    step: "security",
    ok: false,
    detail: expect.stringContaining("None, Sign with Basic256Sha256, SignAndEncrypt with Basic256Sha256"),
  });
  expect(await failing(server.endpoint, { Total: {}, Missing: {} })).toMatchObject({
    step: "node ids",
    ok: false,
    detail: expect.stringContaining("ns=1;s=Line1.Missing (BadNodeIdUnknown)"),
  });
  expect(await failing(server.endpoint, { Total: {}, Broken: {} })).toMatchObject({ step: "first value", ok: false });
  expect(await failing(server.endpoint)).toEqual({ step: "first value", ok: true, detail: "ns=1;s=Line1.Total is 100" });
});

test("discover browses the server, and shows node ids with their values", async () => {
  const server = await startServer();
  const found: { address: string; example: string }[] = [];
  for await (const one of opcuaSource(configOf(server.endpoint, { Total: {} })).discover?.(
    new AbortController().signal,
    20_000,
  ) ?? [])
    found.push(one);
  expect(found).toContainEqual({ address: "ns=1;s=Line1.Total", example: "Line1/Total: 100" });
  expect(found).toContainEqual({ address: "ns=1;s=Line1.State", example: "Line1/State: EXECUTE" });
  expect(found.length).toBeLessThanOrEqual(1000);
});

test("packed as npm packs it, the package is loaded from node_modules and reads a server", async () => {
  const server = await startServer();
  const folder = newFolder();
  const source = join(import.meta.dirname, "../../../bridge/opcua");
  const { stdout } = await run("npm", ["pack", "--silent", "--pack-destination", folder], { cwd: source });
  await run("tar", ["xzf", join(folder, stdout.trim().split("\n").at(-1) ?? ""), "-C", folder]);
  symlinkSync(join(source, "node_modules"), join(folder, "node_modules"));
  const program = `
    import { opcuaSource } from "${folder}/package/dist/index.js";
    for await (const { step, ok } of opcuaSource(${JSON.stringify(configOf(server.endpoint, { Total: {} }))}).check(AbortSignal.timeout(30_000)))
      console.log(step, ok);`;
  const checked = await run(process.execPath, ["--input-type=module", "-e", program]);
  expect(checked.stdout.trim().split("\n").at(-1)).toBe("first value true");
});
