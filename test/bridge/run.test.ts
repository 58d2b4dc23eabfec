import { readFileSync } from "node:fs";
import { get } from "node:http";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { startFakeAndon } from "./support/fake-andon.ts";
import { rowsOf, runBridge, simulator, startBridge, testFolder, writeConfig } from "./support/program.ts";

vi.setConfig({ testTimeout: 180_000 });

const untilTrue = (check: () => boolean) => vi.waitUntil(check, { timeout: 60_000, interval: 20 });

test("what the simulator counts arrives once, and SIGTERM ends the bridge within five seconds", async () => {
  const andon = await startFakeAndon();
  const path = writeConfig(testFolder(), andon.url, simulator(["P1", "P2"], "50ms"));
  const bridge = startBridge(["run", path]);
  await untilTrue(() => andon.total("P1") >= 10 && andon.total("P2") >= 10 && andon.statuses.length > 0);
  const endedAt = Date.now();
  expect(await bridge.stop()).toBe(0);
  expect(Date.now() - endedAt).toBeLessThan(5000);
  const counts = andon.events.filter(({ type, machineRef }) => type === "count" && machineRef === "P1");
  expect(counts[0]).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{10}:sim:\d+$/),
    at: expect.any(String),
    type: "count",
    machineRef: "P1",
    sensor: "total",
    value: 1,
    receivedAt: expect.any(Number),
  });
  expect(counts.every(({ at }, index) => index === 0 || at >= (counts[index - 1]?.at ?? ""))).toBe(true);
  expect(andon.events.filter(({ type }) => type === "heartbeat")).toHaveLength(2);
  expect(andon.statuses[0]).toMatchObject({ version: "0.1.0", sources: [{ id: "sim", type: "simulator" }] });
  await andon.stop();
});

test("a killed bridge loses nothing that it has stored, and sends nothing twice with other content", async () => {
  const andon = await startFakeAndon();
  // Every third answer is lost: what was stored is sent again.
  let answers = 0;
  andon.isAnswerLost = () => {
    answers += 1;
    return answers % 3 === 0;
  };
  const folder = testFolder();
  const path = writeConfig(folder, andon.url, simulator(["P1", "P2", "P3"], "5ms"));
  for (let round = 0; round < 5; round += 1) {
    const seen = andon.events.length;
    const bridge = startBridge(["run", path]);
    await untilTrue(() => andon.events.length > seen + 30);
    await bridge.stop("SIGKILL");
  }
  andon.isAnswerLost = () => false;
  writeConfig(folder, andon.url, simulator(["Other"], "1h"));
  const bridge = startBridge(["run", path]);
  await untilTrue(() => andon.events.some(({ machineRef }) => machineRef === "Other"));
  await untilTrue(() => rowsOf(folder, "events").length === 0);
  await bridge.stop();
  const [last] = rowsOf(folder, "meta").filter(({ key }) => key === "seq");
  const seqs = andon.events.map(({ id }) => Number(id.split(":")[2])).sort((a, b) => a - b);
  // Every number that was given to an event arrived, and arrived once.
  expect(seqs).toEqual(Array.from({ length: Number(last?.value) }, (_, index) => index + 1));
  expect(andon.conflicts).toBe(0);
  await andon.stop();
});

test("the page shows what is read and what waits, to whoever opens it on this computer, and to no page of another name", async () => {
  const path = writeConfig(testFolder(), "http://127.0.0.1:1", simulator(["<P1>"], "50ms"), "[page]\nport = 18640\n");
  const bridge = startBridge(["run", path]);
  await untilTrue(() => bridge.output().includes("127.0.0.1:18640"));
  const page = (host: string, method = "GET", path = "/") =>
    new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
      get({ port: 18640, path, host: "127.0.0.1", method, headers: { host } }, async (response) => {
        let text = "";
        for await (const chunk of response) text += chunk;
        resolve({ status: response.statusCode, text });
      }).on("error", reject);
    });
  await vi.waitFor(async () => expect((await page("127.0.0.1:18640")).text).toContain("cannot be reached"), { timeout: 10_000 });
  const { status, text } = await page("localhost:18640");
  expect(status).toBe(200);
  expect(text).toMatch(/sim.*simulator.*ok/s);
  expect(text).not.toContain("<P1>");
  expect(text).not.toContain("<script");
  await vi.waitFor(async () =>
    expect((await page("localhost", "GET", "/?source=sim&signal=0")).text).toMatch(/&#60;P1&#62; total.*total \+1/s),
  );
  expect((await page("localhost", "GET", "/?source=sim&signal=1")).status).toBe(404);
  expect((await page("evil.example:18640")).status).toBe(403);
  expect((await page("127.0.0.1:18640", "POST")).status).toBe(405);
  await bridge.stop();
});

test("the preview shows values and what would be sent, and stores nothing", async () => {
  const folder = testFolder();
  const path = writeConfig(folder, "http://127.0.0.1:1", simulator(["P1"], "100ms"));
  const { code, output } = await runBridge(["preview", path, "--for", "1s"]);
  expect(code).toBe(0);
  expect(output).toMatch(/sim +P1 total +3 +total \+1/);
  expect(() => readFileSync(join(folder, "andon-bridge-state/queue.db"))).toThrow("ENOENT");
});
