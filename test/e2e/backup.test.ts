import { cpSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, expect, test } from "vitest";
import { nudge } from "../../scripts/demo/feed.ts";
import { executeSqlFile } from "../../scripts/service.ts";
import { apiClient } from "../../src/client/client.ts";
import { newPng } from "../support/pictures.ts";
import { admin } from "./admin.ts";
import { answered, reportedTotal, settledTotal } from "./api.ts";
import { migratedFolder, startBuilt, stopBuilt } from "./built-service.ts";
import { type Answer, Client } from "./crash/line.ts";
import { shellBlocks, Terminal } from "./fresh-clone.ts";
import { freePort, freshStateFolder, newPlant } from "./plant.ts";

const HOUR = 3_600_000;
const root = resolve(import.meta.dirname, "../..");
const iso = (at: number) => new Date(at).toISOString();

// As the commands of docs/backup.md expect it: the project's folder with its state in it.
const home = freshStateFolder();
const stateFolder = join(home, ".wrangler/state");
const backup = join(home, "backup");

afterAll(async () => {
  await stopBuilt();
  rmSync(home, { recursive: true, force: true });
});

/** Runs commands unchanged, where docs/backup.md runs them. Throws with their output if one fails. */
async function finished(commands: string): Promise<void> {
  const terminal = new Terminal(`set -e\n${commands}`, home);
  expect(await terminal.ended, terminal.output).toBe(0);
}

/** A day of a plant whose shift is over, so that its reports do not change with the time of day. */
async function fill(client: Client, companyId: number) {
  const make = (path: string, body: object) => client.do("POST", path, { companyId, ...body });
  const shiftStart = Math.floor(Date.now() / HOUR - 20) * HOUR;
  const clock = (at: number) => iso(at).slice(11, 16);
  const days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
  await make("/v1/shifts", { name: "Past", start: clock(shiftStart), end: clock(shiftStart + 8 * HOUR), days });
  const machine = await make("/v1/machines", { name: "Press", ref: "P", nodeId: 9, commissionedAt: iso(shiftStart - HOUR) });
  const configs = [{ type: "total", countingFactor: 2, channel: 1, nodeId: 9 }];
  const added = [{ machineRef: "P", isCountEnabled: true, configs }];
  await client.do("PATCH", "/backoffice/machines/count-sensors", { companyId, added, updated: [], deleted: [] });
  const operator = await make("/v1/operators", { name: "O'Hara; --", code: "O-1" });
  await make("/v1/skus", { id: "CAP", name: "Cap «ñ» 'quoted'" });
  const cause = await make("/v1/stop-causes", { level: "general", name: 'Jam "B"' });
  await client.do("POST", "/work-orders/production-full", {
    machines: [{ machineId: machine.id }],
    targets: [{ targetQuantity: 500, skuId: "CAP" }],
    workOrder: { name: "Batch", code: "WO-1" },
  });
  const [order] = await client.list(`/v1/work-orders?companyId=${companyId}`);
  await client.do("PATCH", `/work/${order.id}/progress`, { skuId: "CAP", correct: 7, comment: "first line\nsecond; line" });
  const drawn = { title: { en: "T", es: "T" }, description: { en: "two\nlines", es: "D" }, spec: { deep: [null, "ü"] } };
  const help = await client.do("POST", `/v1/machines/${machine.id}/help-calls`, { message: "Mould leaks" });
  await client.do("POST", `/v1/help-calls/${help.id}/answer`);
  const widget = await make("/v1/widgets", drawn);
  const form = new FormData();
  form.set("file", new File([newPng(30, 20)], "picture.png"));
  const { imageUrl } = await client.do("POST", `/widgets/${widget.id}/thumbnail`, form);
  const dashboard = await make("/v1/dashboards", { ...drawn, instances: [{ widgetId: widget.id }] });
  await client.do("PATCH", `/widgets/dashboards/${dashboard.id}/archive`);
  const at = (minute: number) => iso(shiftStart + minute * 60_000);
  const on = { machineId: machine.id };
  const events: object[] = [
    { type: "operator", at: at(1), ...on, operatorId: operator.id, action: "in" },
    { type: "sku", at: at(1), ...on, skuId: "CAP", workOrderId: order.id },
  ];
  for (let minute = 2; minute < 480; minute += 1) {
    // Half an hour without a count, and an hour without any event.
    if (minute > 100 && minute < 130) events.push({ type: "heartbeat", at: at(minute), nodeId: 9 });
    else if (minute < 300 || minute > 360) events.push({ type: "count", at: at(minute), nodeId: 9, channel: 1, value: 3 });
  }
  const sent = { companyId, events };
  const accepted = { accepted: events.length, duplicates: 0, rejected: [], warnings: expect.any(Array) };
  expect(await client.do("POST", "/v1/ingest", sent)).toMatchObject(accepted);
  const late = { type: "count", at: iso(shiftStart + 90_500), nodeId: 9, channel: 1, value: 5 };
  return { companyId, machine, cause, widget, dashboard, imageUrl, shiftStart, sent, late };
}

type Filled = Awaited<ReturnType<typeof fill>>;

/** The answers of every GET operation and of the reports, by path. */
async function answersOf(client: Client, { companyId, machine, imageUrl, shiftStart }: Filled): Promise<Record<string, Answer>> {
  const { paths } = await client.do("GET", "/openapi.json");
  const [start, end] = [shiftStart, shiftStart + 8 * HOUR].map(iso) as [string, string];
  const special: Record<string, string> = {
    "/machines/{machineId}/availability": `/machines/${machine.id}/availability?start=${start}&end=${end}`,
    "/v1/timeline": `/v1/timeline?companyId=${companyId}&from=${start}&to=${end}`,
    "/machines/realtime/operators": `/machines/realtime/operators?machineId=${machine.id}`,
    "/v1/machines/{id}/events": `/v1/machines/${machine.id}/events?from=${start}&to=${end}`,
    "/v1/machines/{id}/runs": `/v1/machines/${machine.id}/runs?from=${start}&to=${end}`,
    "/v1/machines/{id}/presences": `/v1/machines/${machine.id}/presences?from=${start}&to=${end}`,
    "/v1/machines/{id}/state": `/v1/machines/${machine.id}/state`,
    "/v1/machines/{id}/shifts/{start}/explain": `/v1/machines/${machine.id}/shifts/${start}/explain`,
    "/thumbnails/{key}": new URL(imageUrl).pathname,
  };
  // Without a subscription there is no log and no preview, a pairing is only for its wall, and the others return the present time.
  const left = [
    "/subscriptions/{subscriptionId}/logs",
    "/v1/report-subscriptions/{id}/preview",
    "/v1/wall-pairings/{id}",
    "/v1/terminal-pairings/{id}",
    "/v1/gateway-pairings/{id}",
    "/v1/gateways/self",
    "/v1/live",
    "/v1/shift-figures",
    "/v1/signals",
    "/health",
    "/openapi.json",
  ];
  const answers: Record<string, Answer> = {};
  const ask = async (path: string) => {
    const response = await fetch(client.url + path, { headers: { authorization: `Bearer ${client.token}` } });
    const type = response.headers.get("content-type") ?? "";
    const body = type.includes("json") ? await response.json() : Buffer.from(await response.arrayBuffer()).toString("base64");
    expect(response.status, path).toBe(200);
    answers[path] = body;
    return body;
  };
  const readable = Object.keys(paths).filter((path) => paths[path].get && !left.includes(path));
  const own = (path: string) => {
    const names: string[] = (paths[path].get.parameters ?? []).map((one: { name?: string }) => one.name);
    const limit = names.includes("limit") ? "&limit=500" : "";
    const group = names.includes("groupBy") ? "&groupBy=machine,day" : "";
    return names.includes("companyId") ? `?companyId=${companyId}${limit}${group}` : "";
  };
  for (const path of readable.filter((one) => !one.includes("{"))) await ask(special[path] ?? path + own(path));
  for (const path of readable.filter((one) => one.includes("{"))) {
    if (special[path]) {
      await ask(special[path]);
      continue;
    }
    const list = path.slice(0, path.indexOf("/{id}"));
    for (const { id, shiftIndicators } of answers[list + own(list)].data)
      await ask(
        path.replace("{id}", encodeURIComponent(id ?? shiftIndicators.indicatorId)) + own(path).replace("&limit=500", ""),
      );
  }
  const filter = { companyIds: [companyId], to: end };
  answers.metrics = await client.do("POST", "/v1/public/reports/metrics", filter);
  answers.stops = await client.do("POST", "/v1/public/reports/stops", { ...filter, includeDeleted: true });
  return answers;
}

test("a backup restores a wiped service, and the machines restore rows that the database lost", async () => {
  cpSync(migratedFolder(), stateFolder, { recursive: true });
  for (const name of ["package.json", "scripts", "node_modules"]) symlinkSync(join(root, name), join(home, name));
  const plant = await newPlant(stateFolder, 1);
  await executeSqlFile(stateFolder, plant.sqlFile);
  const port = await freePort();
  const start = () => startBuilt({ stateFolder, port });
  const { url } = await start();
  const { token } = answered(await apiClient(url).POST("/identity/login", { body: plant })).data.jwt;
  const client = new Client(url, token);
  const { id: companyId } = await client.do("POST", "/v1/companies", { name: "O'Hara's; DROP TABLE users; --", timezone: "UTC" });
  const filled = await fill(client, companyId);
  const units = filled.sent.events.filter((event) => "value" in event).length * 6;
  const total = (expected: number) => settledTotal(url, token, filled.machine.id, expected);
  expect(await total(units)).toBe(units);
  const [stop] = (await client.list(`/v1/stops?machineIds=${filled.machine.id}`)).filter((one) => one.durationInMinutes > 25);
  await client.do("PUT", `/v1/stops/${stop.id}/classification`, { generalCauseId: String(filled.cause.id) });
  const before = await answersOf(client, filled);
  expect(JSON.stringify(before)).toContain("stop.classify");

  const [save = "", restore = ""] = shellBlocks("docs/backup.md", "Local");
  await finished(save);
  expect([statSync(backup), statSync(join(backup, "manifest.json"))].map(({ mode }) => mode & 0o077)).toEqual([0, 0]);
  await stopBuilt();
  await finished(restore);

  const restored = await start();
  await nudge(restored.runtimeUrl);
  expect(await answersOf(client, filled)).toEqual(before);
  const { companyId: of, events } = filled.sent;
  const again = await client.do("POST", "/v1/ingest", { companyId: of, events: [...events, filled.late] });
  expect(again).toMatchObject({ accepted: 1, duplicates: events.length, rejected: [] });
  expect(await total(units + 10)).toBe(units + 10);
  const since = await answersOf(client, filled);

  // The objects keep running; the database is restored to an earlier state.
  await stopBuilt();
  const lost = join(home, "lost.sql");
  writeFileSync(lost, "DELETE FROM stops; DELETE FROM shift_records; UPDATE machines SET config_version = 1;");
  await executeSqlFile(stateFolder, lost);
  expect((await admin(stateFolder, ["republish"])).output).toMatch(/sends again what it holds/);
  const { runtimeUrl } = await start();
  expect(await reportedTotal(url, token, filled.machine.id)).toBe(0);
  await nudge(runtimeUrl);
  expect(await total(units + 10)).toBe(units + 10);
  expect(await answersOf(client, filled)).toEqual(since);
});
