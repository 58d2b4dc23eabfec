import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, expect, test } from "vitest";
import { feed, firstOfKind } from "../../scripts/demo/feed.ts";
import { gateways } from "../../scripts/demo/plant.ts";
import { demoSql } from "../../scripts/demo/sql.ts";
import { newDemoState, writeDemoState } from "../../scripts/demo/state.ts";
import { executeSqlFile, inDatabase } from "../../scripts/service.ts";
import { DAY_MS, HOUR_MS } from "../../src/oee/time.ts";
import { runScript } from "./admin.ts";
import { migratedFolder, startBuilt, stopBuilt } from "./built-service.ts";
import { freePort, freshStateFolder } from "./plant.ts";

const start = resolve(import.meta.dirname, "../../scripts/start.ts");
const started: ChildProcess[] = [];
const folders: string[] = [];

afterAll(async () => {
  for (const child of started) child.kill("SIGTERM");
  await stopBuilt();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function kept(folder: string): string {
  folders.push(folder);
  return folder;
}

const run = (args: string[], env: NodeJS.ProcessEnv) => runScript([start, ...args], env);

test("npm start explains itself, and refuses a port in use before it writes anything", async () => {
  const help = await run(["--help"], {});
  expect([help.status, help.errors]).toEqual([0, ""]);
  for (const word of ["--empty", "--receiver", "PORT", "ANDON_STATE"]) expect(help.output).toContain(word);
  const port = await freePort();
  const taken = await import("node:net").then(({ createServer }) => createServer().listen(port, "127.0.0.1"));
  const state = kept(freshStateFolder());
  const refused = await run([], { ANDON_STATE: state, PORT: String(port) });
  taken.close();
  expect([refused.status, refused.errors]).toEqual([1, expect.stringContaining(`Port ${port} is taken`)]);
  expect(readdirSync(state)).toEqual([]);
});

test("a second npm start names the first one, a new version is announced, and nothing outlives a killed npm start", async () => {
  const state = kept(migratedFolder());
  writeFileSync(join(state, "version"), "0.0.1 (abc)\n");
  const port = await freePort();
  const child = spawn(process.execPath, [start, "--empty"], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ANDON_STATE: state, PORT: String(port) },
  });
  started.push(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text));
  await expect.poll(() => output, { timeout: 120_000 }).toContain("Andon is up on");
  expect(output).toContain("was last used by version 0.0.1 (abc)");
  await expect
    .poll(() => output, { timeout: 60_000 })
    .toMatch(new RegExp(`http://localhost:${port}/\\?code=[A-Z\\d]{4}-[A-Z\\d]{4}`));
  const second = await run(["--empty"], { ANDON_STATE: state, PORT: String(await freePort()) });
  expect(second.status).toBe(1);
  expect(second.errors).toContain(
    `is in use by npm start -- --empty (process ${child.pid}), whose service is on http://localhost:${port}`,
  );

  const others = descendants(child.pid ?? 0);
  expect(others.length).toBeGreaterThan(2);
  child.kill("SIGKILL");
  await expect.poll(() => others.filter((pid) => existsSync(`/proc/${pid}`)), { timeout: 5000 }).toEqual([]);
  // Its folder is free again.
  expect((await run(["--receiver", "--empty"], { ANDON_STATE: state })).errors).toContain("--receiver is for the demo plant");
});

test("an empty plant can be started beside the demo plant from its first page, unless HOST lets others reach the service", async () => {
  const state = kept(migratedFolder());
  const demo = newDemoState(Date.now());
  const file = join(state, "demo.sql");
  writeFileSync(file, await demoSql(demo));
  await executeSqlFile(state, file);
  writeDemoState(state, { ...demo, fedUntil: Date.now() });
  for (const HOST of ["0.0.0.0", ""]) {
    const port = await freePort();
    const child = spawn(process.execPath, [start], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, ANDON_STATE: state, PORT: String(port), HOST },
    });
    started.push(child);
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text));
    await expect.poll(() => output, { timeout: 120_000 }).toContain("Andon is up on");
    const page = await (await fetch(`http://localhost:${port}/`, { headers: { accept: "text/html" } })).text();
    expect(page).toContain("andon-demo");
    expect(/startCode&quot;:&quot;[A-Z\d]{4}-[A-Z\d]{4}&quot;/.test(page)).toBe(HOST === "");
    const ended = new Promise((done) => child.once("exit", done));
    child.kill("SIGTERM");
    await ended;
  }
});

/** The processes that a process has started, and theirs. */
function descendants(pid: number): number[] {
  const path = `/proc/${pid}/task/${pid}/children`;
  const children = existsSync(path) ? readFileSync(path, "utf8").split(" ").filter(Boolean).map(Number) : [];
  return children.flatMap((child) => [child, ...descendants(child)]);
}

test("the demo plant goes on when people change its set-up, says so once, and its report log has no invented runs", async () => {
  const state = kept(migratedFolder());
  // Nobody of the demo plant has a break in the hour before 20:00 UTC, whatever the time of year.
  const demo = newDemoState((Math.floor(Date.now() / DAY_MS) - 1) * DAY_MS + 20 * HOUR_MS);
  const file = join(state, "demo.sql");
  mkdirSync(state, { recursive: true });
  writeFileSync(file, await demoSql(demo));
  await executeSqlFile(state, file);
  await inDatabase(state, ({ run }) =>
    run([
      // As people may do on their pages: a machine's sensors, and a gateway's token.
      "DELETE FROM count_channels WHERE machine_id = 1",
      "UPDATE gateway_tokens SET revoked_at = 1 WHERE id = (SELECT max(id) FROM gateway_tokens)",
    ]),
  );
  const [logs] = await inDatabase(state, ({ rows }) => rows("SELECT count(*) AS runs FROM subscription_logs"));
  expect(logs).toEqual({ runs: 0 });
  const { url } = await startBuilt({ stateFolder: state, port: await freePort() });
  const sources = gateways.map((gateway) => ({ gateway, token: demo.tokens[gateway.id] ?? "", since: 0 }));
  const shown: string[] = [];
  const notice = firstOfKind((text) => shown.push(text));
  const minutes = (from: number, to: number) =>
    feed(url, sources, demo.createdAt - from * 60_000, demo.createdAt - to * 60_000, notice);
  expect(await minutes(60, 40)).toBeGreaterThan(100);
  const after = shown.length;
  expect(after).toBeGreaterThanOrEqual(2);
  expect(await minutes(40, 20)).toBeGreaterThan(100);
  expect(shown.length).toBe(after);
});
