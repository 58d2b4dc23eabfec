import { existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inDatabase } from "../../scripts/service.ts";
import { ingest, login, settledTotal } from "./api.ts";
import { cloneInto, shellBlocks, Terminal } from "./fresh-clone.ts";
import { freePort, freshStateFolder } from "./plant.ts";

const clone = freshStateFolder();
const terminals: Terminal[] = [];

beforeAll(() => cloneInto(clone));

afterAll(async () => {
  await Promise.all(terminals.map((terminal) => terminal.ctrlC()));
  rmSync(clone, { recursive: true, force: true });
});

function type(script: string, env: NodeJS.ProcessEnv = {}): Terminal {
  const terminal = new Terminal(script, clone, env);
  terminals.push(terminal);
  return terminal;
}

/** Runs the blocks of a page one after the other in one shell, with other ports. Returns the output of each. */
async function run(blocks: string[], ports: Record<number, number>): Promise<string[]> {
  const mark = "----- next block";
  let script = blocks.join(`\necho '${mark}'\n`);
  for (const [port, other] of Object.entries(ports)) script = script.replaceAll(`localhost:${port}`, `localhost:${other}`);
  const terminal = type(script);
  await terminal.shows(new RegExp(`(${mark}[^]*){${blocks.length - 1}}`), 400_000).catch((error: Error) => {
    // The other terminals have the service, which may have said why it does not answer.
    throw new Error([error.message, ...terminals.map(({ output }) => output.slice(-2000))].join("\n-----\n"));
  });
  await terminal.ended;
  return terminal.output.split(`${mark}\n`);
}

/** Only `npm run verify` runs the first tutorial: loading the README's demo plant takes half a minute on two cores. */
const WITH_DEMO = process.env.README_DEMO === "1";
const demoPort = await freePort();
const ownPort = await freePort();

test("the README and the tutorials have the commands that are run here", () => {
  expect(shellBlocks("README.md")).toEqual(["npm ci && npm start\n", "npm ci && npm test\n"]);
  expect(readdirSync(join(clone, "docs/tutorials")).sort()).toEqual(["a-plant-of-your-own.md", "first-five-minutes.md"]);
});

test.runIf(WITH_DEMO)("the first five minutes show what the tutorial says", { timeout: 600_000 }, async () => {
  const [start = ""] = shellBlocks("README.md");
  await type(start.replace("npm ci && ", ""), { PORT: String(demoPort) }).shows(/^The demo plant goes on producing/m, 300_000);
  expect(existsSync(join(clone, ".wrangler/demo/demo.json"))).toBe(true);
  const [login = "", sent = "", reports = ""] = await run(shellBlocks("docs/tutorials/first-five-minutes.md"), {
    8787: demoPort,
  });
  expect(login).toBe("");
  expect(JSON.parse(sent)).toMatchObject({ accepted: 3, duplicates: 0, rejected: [], warnings: expect.any(Array) });
  expect(reports).toContain('"totalCount"');
});

// While the demo plant runs, if there is one.
test("the tutorial's own plant comes up, takes a shift's events, gives a report, and is gone after Ctrl-C", {
  timeout: 600_000,
}, async () => {
  const [start = "", ...blocks] = shellBlocks("docs/tutorials/a-plant-of-your-own.md");
  const npm = type(start, { PORT: String(ownPort) });
  const [first, setUp = "", reports = "", check] = await run(blocks, { 8788: ownPort });
  expect(first).toBe("Made the superuser me@plant.example of My Plant in .wrangler/state.\n");
  expect(setUp).not.toContain("urn:andon:problem");
  const [sent, metrics, stops] = jsonOf(reports);
  expect(sent).toMatchObject({ accepted: 480, duplicates: 0, rejected: [] });
  // 450 minutes of five pulses of two units, in the one or two days that eight hours overlap.
  expect(totalOf(metrics)).toBe(4500);
  expect(stops.totalCount).toBeGreaterThan(0);
  expect(check).toBeDefined();

  const url = `http://localhost:${ownPort}`;
  const token = await login(url, { email: "me@plant.example", password: "a passphrase of mine" });
  const events = [4, 5, 6].map((value, i) => {
    return { type: "count" as const, nodeId: 1, channel: 1, value, at: new Date(Date.now() - (i + 1) * 1000).toISOString() };
  });
  expect(await ingest(url, token, events)).toMatchObject({ accepted: 3, duplicates: 0, rejected: [] });
  expect(await ingest(url, token, events)).toMatchObject({ accepted: 0, duplicates: 3, rejected: [] });
  expect(await settledTotal(url, token, 1, 4530)).toBe(4530);

  const log = join(clone, ".wrangler/state/requests.log");
  expect(npm.output).toContain(`Its request log is ${log}`);
  expect(statSync(log).mode & 0o777).toBe(0o600);
  const routes = readFileSync(log, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).route);
  expect(routes).toEqual(expect.arrayContaining(["/v1/machines", "/v1/ingest", "/v1/public/reports/metrics"]));
  for (const path of ["explorer", "local/explorer", "explorer/api/d1/database"]) {
    const answer = await fetch(`${url}/cdn-cgi/${path}`);
    expect([path, answer.status, answer.headers.get("content-type")]).toEqual([path, 404, "application/problem+json"]);
  }

  if (WITH_DEMO) expect(await jobHasRun()).toBe(true);
  await npm.ctrlC();
  await expect(fetch(`${url}/health`)).rejects.toThrow();
});

/** The JSON objects that follow one another in a text, with or without a line break between them. */
function jsonOf(text: string) {
  return text
    .split(/\n|(?<=\})(?=\{"(?:totalCount|metrics|stops|accepted))/)
    .filter((part) => part !== "")
    .map((part) => JSON.parse(part));
}

function totalOf({ metrics }: { metrics: { productionMetrics: { total: number } }[] }): number {
  return metrics.reduce((sum, { productionMetrics }) => sum + productionMetrics.total, 0);
}

/** True if the cron job, which is due every minute, has notified the machine of a new version of its set-up. */
async function jobHasRun(): Promise<boolean> {
  const state = join(clone, ".wrangler/state");
  await inDatabase(state, ({ run }) => run(["UPDATE machines SET config_version = config_version + 1"]));
  for (const deadline = Date.now() + 75_000; Date.now() < deadline; await new Promise((done) => setTimeout(done, 5000))) {
    const [row] = await inDatabase(state, ({ rows }) =>
      rows("SELECT config_version = configured_version AS is_configured FROM machines"),
    );
    if (row?.is_configured === 1) return true;
  }
  return false;
}
