import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { type FakeAndon, startFakeAndon } from "./support/fake-andon.ts";
import { rowsOf, runBridge, simulator, startBridge, testFolder, writeConfig } from "./support/program.ts";

// They wait for the bridge's own waits, on computers that may be busy.
vi.setConfig({ testTimeout: 180_000 });

const untilTrue = (check: () => boolean) => vi.waitUntil(check, { timeout: 60_000, interval: 20 });
const untilSent = (folder: string) => untilTrue(() => rowsOf(folder, "events").length === 0);
/** The numbers of the events of a machine, in the order in which they came. */
const seqsOf = (andon: FakeAndon, machine: string) =>
  andon.events
    .filter(({ machineRef, type }) => machineRef === machine && type === "count")
    .map(({ id }) => Number(id.split(":")[2]));
const isRising = (numbers: readonly number[]) =>
  numbers.every((number, index) => index === 0 || number > (numbers[index - 1] ?? 0));
/** Ends the simulation, sends what waits, and expects that every event that was stored came. */
async function sendRest(andon: FakeAndon, folder: string, path: string) {
  writeConfig(folder, andon.url, simulator(["Other"], "1h"));
  const rest = startBridge(["run", path]);
  await untilTrue(() => andon.events.some(({ machineRef }) => machineRef === "Other"));
  await untilSent(folder);
  await rest.stop();
  expect(andon.conflicts).toBe(0);
}

test("through an outage of Andon nothing is lost, each machine's events come in their order, and the bridge says when it began and ended", async () => {
  const andon = await startFakeAndon();
  const folder = testFolder();
  const path = writeConfig(folder, andon.url, simulator(["P1", "P2"], "10ms"));
  const bridge = startBridge(["run", path]);
  await untilTrue(() => andon.total("P1") > 5);
  andon.answer = () => ({ status: 503 });
  await untilTrue(() => rowsOf(folder, "events").length > 100);
  andon.answer = () => null;
  await untilTrue(() => bridge.output().includes("Andon answers again."));
  await bridge.stop();
  await sendRest(andon, folder, path);
  for (const machine of ["P1", "P2"]) expect(isRising(seqsOf(andon, machine))).toBe(true);
  const [last] = rowsOf(folder, "meta").filter(({ key }) => key === "seq");
  expect(andon.events).toHaveLength(Number(last?.value));
  expect(bridge.output().match(/Andon answers 503/g)).toHaveLength(1);
  await andon.stop();
});

test("five poisoned events of a thousand are put into quarantine with their reason, where they can be listed, exported, sent again and dropped", async () => {
  const andon = await startFakeAndon();
  const poisoned = new Set([100, 101, 300, 500, 900]);
  andon.refuse = ({ id }) =>
    poisoned.has(Number(id.split(":")[2]))
      ? { code: "before_commissioning", message: "not commissioned yet", isTransient: false }
      : null;
  const folder = testFolder();
  const path = writeConfig(folder, andon.url, simulator(["P1", "P2", "P3", "P4"], "5ms"));
  const bridge = startBridge(["run", path]);
  await untilTrue(() => andon.events.length >= 1000);
  await bridge.stop();
  await sendRest(andon, folder, path);
  const rows = rowsOf(folder, "quarantine");
  expect(rows.map(({ seq }) => seq)).toEqual([...poisoned]);
  const [last] = rowsOf(folder, "meta").filter(({ key }) => key === "seq");
  expect(andon.events).toHaveLength(Number(last?.value) - 5);

  const queue = (...args: string[]) => runBridge(["queue", ...args, "--config", path]);
  expect((await queue("list")).output).toMatch(
    /in quarantine: 5\n {2}100 .* P\d total 1 {2}before_commissioning: not commissioned yet/,
  );
  const exported = await queue("export", "100");
  expect(JSON.parse(exported.output)).toMatchObject({
    code: "before_commissioning",
    event: { type: "count", sensor: "total", value: 1 },
  });
  expect(await queue("retry", "7")).toMatchObject({ code: 2, output: expect.stringContaining("no row 7") });
  expect((await queue("retry", "100", "101")).output).toContain("2 events are sent again");
  expect((await queue("drop", "300")).output).toContain("1 rows");
  andon.refuse = () => null;
  await sendRest(andon, folder, path);
  expect(andon.events.filter(({ id }) => /:10[01]$/.test(id))).toHaveLength(2);
  expect(rowsOf(folder, "quarantine").map(({ seq }) => seq)).toEqual([500, 900]);

  // What was exported is sent from its file: what Andon has counts once.
  const file = join(folder, "rows.jsonl");
  writeFileSync(file, exported.output + (await queue("export", "--all")).output);
  expect(await runBridge(["replay", file, "--config", path])).toEqual({
    code: 0,
    output: "2 events accepted, 1 were there before, 0 refused\n",
  });
  await andon.stop();
});

test("a machine whose events Andon does not take yet waits, others are sent meanwhile, and then it is sent whole and in order", async () => {
  const andon = await startFakeAndon();
  andon.refuse = ({ machineRef }) =>
    machineRef === "P1" ? { code: "unknown_channel", message: "The channel feeds no machine.", isTransient: true } : null;
  const folder = testFolder();
  const path = writeConfig(folder, andon.url, simulator(["P1", "P2"], "10ms"));
  const bridge = startBridge(["run", path]);
  await untilTrue(() => andon.total("P2") > 600);
  const delays = andon.events.map(({ receivedAt, at }) => receivedAt - Date.parse(at));
  expect(Math.max(...delays)).toBeLessThan(3000);
  expect(andon.total("P1")).toBe(0);
  expect(bridge.output().match(/The events of P1 \(total\) wait/g)).toHaveLength(1);
  andon.refuse = () => null;
  await untilTrue(() => andon.total("P1") > 250);
  await bridge.stop();
  await sendRest(andon, folder, path);
  expect(isRising(seqsOf(andon, "P1"))).toBe(true);
  expect(rowsOf(folder, "quarantine")).toEqual([]);
  const [last] = rowsOf(folder, "meta").filter(({ key }) => key === "seq");
  expect(andon.events).toHaveLength(Number(last?.value));
  await andon.stop();
});

test("a request that is too large is halved, and a refused token is reported and tried again", async () => {
  const andon = await startFakeAndon();
  const folder = testFolder();
  const path = writeConfig(folder, andon.url, simulator(["P1", "P2"], "5ms"));
  andon.answer = () => ({ status: 401 });
  const bridge = startBridge(["run", path]);
  await untilTrue(() => bridge.output().includes("Andon refuses the bridge: 401") && rowsOf(folder, "events").length > 200);
  andon.answer = (events) => (events.length > 60 ? { status: 413 } : null);
  await untilTrue(() => andon.events.length > 500);
  expect(bridge.output()).toContain("too large for Andon");
  await bridge.stop();
  await andon.stop();
});

test("on a full disk nothing is acknowledged, the bridge says so and runs on, and it stores again as soon as it can", async () => {
  const andon = await startFakeAndon();
  andon.answer = () => ({ status: 503 });
  const folder = testFolder();
  const path = writeConfig(folder, andon.url, simulator(["P1", "P2", "P3", "P4"], "2ms"));
  // No file may be larger than 100 KB: writing more fails as on a full disk.
  const bridge = startBridge(["run", path], { before: "trap '' XFSZ; ulimit -S -f 200" });
  await untilTrue(() => bridge.output().includes("Nothing can be stored, and nothing is acknowledged"));
  expect(bridge.process.exitCode).toBeNull();
  execFileSync("prlimit", ["--pid", String(bridge.process.pid), "--fsize=unlimited:unlimited"]);
  await untilTrue(() => bridge.output().includes("The queue can be written again."));
  andon.answer = () => null;
  await untilTrue(() => andon.events.length > 100);
  await bridge.stop();
  await sendRest(andon, folder, path);
  // What the counters showed last is what came, although much of it could not be stored at its time.
  for (const machine of ["P1", "P2", "P3", "P4"]) {
    const row = rowsOf(folder, "signals").find(({ signal }) => String(signal).includes(`"${machine}"`));
    expect(JSON.parse(String(row?.state)).counter.last).toBe(String(andon.total(machine)));
  }
  await andon.stop();
});

test("where the queue's folder is missing, the bridge says so and runs on, and counts on from where it was as soon as it is there", async () => {
  const andon = await startFakeAndon();
  const folder = testFolder();
  const path = writeConfig(folder, andon.url, simulator(["P1"], "20ms"));
  const first = startBridge(["run", path]);
  await untilTrue(() => andon.total("P1") > 5);
  await first.stop();
  // As a disk that is not mounted yet.
  const state = join(folder, "andon-bridge-state");
  renameSync(state, `${state}.away`);
  writeFileSync(state, "a file in place of the folder");
  const id = () => new Set(andon.events.map((event) => event.id.split(":")[0]));
  const bridge = startBridge(["run", path]);
  await untilTrue(() => JSON.stringify(andon.statuses.at(-1)?.sources ?? "").includes("cannot be written"));
  expect(bridge.output()).toContain("cannot be written");
  const before = andon.events.length;
  rmSync(state);
  renameSync(`${state}.away`, state);
  await untilTrue(() => andon.events.length > before + 20);
  expect(await bridge.stop()).toBe(0);
  expect(id().size).toBe(1);
  expect(andon.conflicts).toBe(0);
  await andon.stop();
});

test.each([
  ["is damaged in the middle", (bytes: Buffer) => bytes.fill(0xff, 4096)],
  ["is no database", () => Buffer.from("not a database at all".repeat(1000))],
] as const)("a queue that %s is kept aside, and a new one with other ids is begun", async (_, damage) => {
  const andon = await startFakeAndon();
  const folder = testFolder();
  const path = writeConfig(folder, andon.url, simulator(["P1"], "20ms"));
  const first = startBridge(["run", path]);
  await untilTrue(() => andon.total("P1") > 5);
  await first.stop();
  const file = join(folder, "andon-bridge-state/queue.db");
  writeFileSync(file, damage(readFileSync(file)));
  const before = andon.events.length;
  const second = startBridge(["run", path]);
  await untilTrue(() => andon.events.length > before + 5);
  expect(second.output()).toContain("is damaged");
  await second.stop();
  expect(readdirSync(join(folder, "andon-bridge-state")).some((name) => name.startsWith("queue.db.damaged-"))).toBe(true);
  expect(new Set(andon.events.map(({ id }) => id.split(":")[0])).size).toBe(2);
  expect(andon.conflicts).toBe(0);
  await andon.stop();
});

test("events beyond the age of the queue are dropped, oldest first, and counted by machine", async () => {
  const andon = await startFakeAndon();
  const folder = testFolder();
  const more = '[page]\nport = 0\n[queue]\nmax_age = "3s"\n';
  const path = writeConfig(folder, andon.url, simulator(["P1"], "20ms"), more);
  andon.answer = () => ({ status: 503, headers: { "retry-after": "0" } });
  const bridge = startBridge(["run", path]);
  await untilTrue(() => /\d+ oldest were dropped/.test(bridge.output()));
  andon.answer = () => null;
  await untilTrue(() => andon.total("P1") > 10);
  await bridge.stop();
  writeConfig(folder, andon.url, simulator(["Other"], "1h"), '[page]\nport = 0\n[queue]\nmax_age = "1d"\n');
  const rest = startBridge(["run", path]);
  await untilTrue(() => andon.statuses.at(-1)?.queue.dropped.length === 1);
  await untilSent(folder);
  await rest.stop();
  const drop = andon.statuses.at(-1)?.queue.dropped[0];
  expect(drop?.machineRef).toBe("P1");
  const [last] = rowsOf(folder, "meta").filter(({ key }) => key === "seq");
  expect((drop?.events ?? 0) + andon.events.length).toBe(Number(last?.value));
  expect(Math.min(...seqsOf(andon, "P1"))).toBeGreaterThan((drop?.events ?? 0) - 5);
  await andon.stop();
});

/** Makes the clock of a process jump by ten minutes, once forward and once back, while it runs. */
const jumpingClock = `data:text/javascript,${encodeURIComponent(`
  const real = Date.now; let jump = 0; Date.now = () => real() + jump;
  setTimeout(() => { jump = 600000; }, 1500); setTimeout(() => { jump = -600000; }, 3000);`)}`;

test("with a clock ten minutes off that jumps while it runs, events have Andon's time, and keep their order", async () => {
  const andon = await startFakeAndon();
  andon.now = () => Date.now() + 600_000;
  const folder = testFolder();
  const path = writeConfig(folder, andon.url, simulator(["P1"], "50ms"));
  const bridge = startBridge(["run", path], { env: { NODE_OPTIONS: `--import=${jumpingClock}` } });
  await untilTrue(() => andon.total("P1") > 90);
  await bridge.stop();
  const counts = andon.events.filter(({ type }) => type === "count");
  // What is more than the way is what the computer was busy.
  for (const { at, receivedAt } of counts) expect(Math.abs(receivedAt - Date.parse(at))).toBeLessThan(3000);
  expect(counts.every(({ at }, index) => index === 0 || at >= (counts[index - 1]?.at ?? ""))).toBe(true);
  const gaps = counts.slice(1).map(({ at }, index) => Date.parse(at) - Date.parse(counts[index]?.at ?? ""));
  expect(Math.max(...gaps)).toBeLessThan(3000);
  // Ten minutes behind, before or after a jump.
  const skew = andon.statuses[0]?.clockSkewMs ?? 1;
  expect([-1_200_000, -600_000, 0].map((ms) => Math.abs(skew - ms)).some((ms) => ms < 3000)).toBe(true);
  await andon.stop();
});
