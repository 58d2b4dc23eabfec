import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inDatabase } from "../../scripts/service.ts";
import { insertSql } from "../../scripts/sql.ts";
import type { ApiSchema } from "../../src/client/client.ts";
import { hashPassword } from "../../src/core/password.ts";
import { companies, personas, users } from "../../src/db/schema.ts";
import { ingest, login } from "./api.ts";
import { migratedFolder, startBuilt, stopBuilt } from "./built-service.ts";
import { Terminal } from "./fresh-clone.ts";
import { freePort } from "./plant.ts";

// Every call in the guides, with a plant that has data for it.

const folder = "docs/guides";
const guides = readdirSync(resolve(import.meta.dirname, "../..", folder)).filter((name) => /^(?!README).*\.md$/.test(name));
const textOf = (name: string) => readFileSync(resolve(import.meta.dirname, "../..", folder, name), "utf8");
const stateFolder = migratedFolder();
const desk = join(stateFolder, "desk");
const account = { email: "admin@demo.test", password: "andon-demo-plant" };
const minute = 60_000;
let url: string;

beforeAll(async () => {
  mkdirSync(desk);
  url = (await startBuilt({ stateFolder, port: await freePort() })).url;
  await createPlant();
}, 600_000);

afterAll(async () => {
  await stopBuilt();
  rmSync(stateFolder, { recursive: true, force: true });
});

/** Two machines in a line with two days of work, with stops, an operator, and a late order. */
async function createPlant(): Promise<void> {
  const now = Date.now();
  const stamps = { createdAt: now, updatedAt: now };
  const person = { id: 1, companyId: 1, name: "Admin", role: "admin" as const, email: account.email, ...stamps };
  const passwordHash = await hashPassword(account.password);
  await inDatabase(stateFolder, ({ run }) =>
    run([
      insertSql(companies, [{ id: 1, name: "Plant", timezone: "UTC", ...stamps }]),
      insertSql(users, [{ ...person, passwordHash }]),
      insertSql(personas, [persona(stamps)]),
    ]),
  );
  const token = await login(url, account);
  // biome-ignore lint/suspicious/noExplicitAny: bodies of many operations.
  const send = async (method: string, path: string, body?: object): Promise<any> => {
    const headers = { authorization: `Bearer ${token}`, ...(body && { "content-type": "application/json" }) };
    const response = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
    return response.status === 204 ? null : await response.json();
  };
  const begin = now - 46 * 60 * minute;
  const days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
  await send("POST", "/v1/shifts", { name: "Morning", start: "06:00", end: "14:00", days });
  await send("POST", "/v1/shifts", { name: "Afternoon", start: "14:00", end: "22:00", days });
  await send("POST", "/v1/shifts", { name: "Night", start: "22:00", end: "06:00", days });
  const line = await send("POST", "/v1/lines", { name: "Hall 1" });
  const cause = await send("POST", "/v1/stop-causes", { level: "general", name: "Jam" });
  const operator = await send("POST", "/v1/operators", { name: "Ana", code: "1" });
  await send("POST", "/v1/skus", { id: "CAP", name: "Cap", standards: [{ machineId: null, standardCycleSeconds: 10 }] });
  const machines: { id: number; nodeId: number }[] = [];
  for (const nodeId of [1, 2]) {
    const commissionedAt = new Date(begin).toISOString();
    const machine = { name: `Press ${nodeId}`, ref: `PRESS-${nodeId}`, nodeId, lineId: line.id, commissionedAt };
    const { id } = await send("POST", "/v1/machines", machine);
    const configs = [{ type: "total", channel: 1, nodeId, countingFactor: 2 }];
    await send("PUT", `/v1/machines/${id}/count-sensor`, { isCountEnabled: true, configs });
    machines.push({ id, nodeId });
  }
  const estimatedDeliveryTime = new Date(now - 60 * minute).toISOString();
  await send("POST", "/work-orders/production-full", {
    workOrder: { code: "WO-1", name: "Caps", status: "InProgress", priority: 1, source: "ERP", estimatedDeliveryTime },
    machines: machines.map(({ id }) => ({ machineId: id })),
    targets: [{ skuId: "CAP", targetQuantity: 1_000_000 }],
  });
  const [order] = (await send("GET", "/v1/work-orders")).data;
  for (const { id, nodeId } of machines) {
    const at = (n: number) => new Date(begin + n * minute).toISOString();
    const events: ApiSchema<"IngestEvent">[] = [{ type: "sku", at: at(0), machineId: id, skuId: "CAP", workOrderId: order.id }];
    for (let n = 1; n <= 46 * 60; n++) {
      // The end of a shift signs operators out.
      if (n % 60 === 1) events.push({ type: "operator", at: at(n), machineId: id, operatorId: operator.id, action: "in" });
      // For a quarter of an hour in every three hours the machine is stopped, and sends counts of zero.
      events.push({ type: "count", at: at(n), nodeId, channel: 1, value: n % 180 < 15 ? 0 : 4 + nodeId });
    }
    for (let i = 0; i < events.length; i += 1000) await ingest(url, token, events.slice(i, i + 1000));
  }
  // Both ran a minute ago: the newest stop is within the last three hours.
  const known = async () => (await send("GET", "/v1/stop-records?limit=500")).data as { stop: { id: string } }[];
  for (const deadline = Date.now() + 60_000; (await known()).length < 30; await new Promise((done) => setTimeout(done, 500))) {
    if (Date.now() > deadline) throw new Error(`Only ${(await known()).length} stops are there`);
  }
  const [first] = await known();
  await send("PUT", `/v1/stops/${first?.stop.id}/classification`, { generalCauseId: String(cause.id) });
}

/** The admin's persona. */
function persona(stamps: { createdAt: number; updatedAt: number }) {
  const contact = (value = "") => ({ id: randomUUID(), value, isActive: value !== "", reference: "" });
  const day = { start: "00:00", end: "24:00" };
  return {
    ...{ id: randomUUID(), companyId: 1, name: "Admin", isActive: true, isUser: true, language: "english" },
    ...{ sms: contact(), whatsapp: contact(), email: contact(account.email), push: [], alertIds: [] },
    alertHours: { sunday: day, monday: day, tuesday: day, wednesday: day, thursday: day, friday: day, saturday: day },
    ...stamps,
  };
}

/** Runs a page's blocks after the preparing ones, in one shell that stops at the first failure. Returns the output of each. */
async function run(blocks: string[]): Promise<string[]> {
  const mark = "----- next block";
  const script = ["set -eo pipefail", ...blocks].join(`\necho '${mark}'\n`).replaceAll("http://localhost:8787", url);
  const terminal = new Terminal(script, desk);
  expect(await terminal.ended, terminal.output).toBe(0);
  return terminal.output.split(`${mark}\n`).slice(1);
}

const blocksOf = (name: string) => [...textOf(name).matchAll(/^```sh\n(.*?)^```$/gms)].flatMap(([, block]) => block ?? []);
const before = blocksOf("README.md");

describe("the guides", () => {
  test.each(guides)("%s: every call has a non-empty answer", async (name) => {
    const blocks = blocksOf(name);
    expect(blocks.length).toBeGreaterThan(0);
    const outputs = await run([...before, ...blocks]);
    expect(outputs).toHaveLength(before.length + blocks.length);
    for (const [i, output] of outputs.entries()) {
      const block = [...before, ...blocks][i];
      expect(output, block).not.toContain("urn:andon:problem");
      if (/^get |^send (?!DELETE)|^wc|^curl/m.test(block ?? "")) expect(output.trim(), block).not.toBe("");
      // A file with only its header, or an empty list, means that the call does not show its purpose.
      expect(output, block).not.toMatch(/"data":\[\]/);
    }
    if (name === "excel-power-bi-grafana.md") expect(outputs.at(-1)).toMatch(/^(304|200)\n$/);
  });
});

describe("the dashboard for Grafana", () => {
  interface Panel {
    title: string;
    targets: { url: string; root_selector: string; columns: { selector: string }[] }[];
  }
  const { panels } = JSON.parse(textOf("grafana-dashboard.json")) as { panels: Panel[] };

  test.each(panels)("$title: uses members that the answer has", async ({ targets }) => {
    const token = await login(url, account);
    for (const { url: path, root_selector, columns } of targets) {
      const from = new Date(Date.now() - 7 * 86_400_000).toISOString();
      // biome-ignore lint/suspicious/noTemplateCurlyInString: Grafana's own.
      const asked = path.replace("${__from:date:iso}", from).replace("${__to:date:iso}", new Date().toISOString());
      const response = await fetch(url + asked, { headers: { authorization: `Bearer ${token}` } });
      expect(response.status, asked).toBe(200);
      const [row] = ((await response.json()) as Record<string, unknown[]>)[root_selector] ?? [];
      for (const { selector } of columns) {
        const members = selector.split(".");
        const parent = members.slice(0, -1).reduce((value, name) => (value as Record<string, unknown>)[name], row);
        // The cause of a row may be null.
        if (parent !== null) expect(parent, `${asked} ${selector}`).toHaveProperty([members.at(-1) ?? ""]);
      }
    }
  });

  test("the query for Power BI is answered", async () => {
    const [, path = ""] = /RelativePath = "([^"]+)"/.exec(textOf("excel-power-bi-grafana.md")) ?? [];
    const response = await fetch(url + path, { headers: { authorization: `Bearer ${await login(url, account)}` } });
    expect([response.status, (await response.text()).split("\r\n")[0]]).toEqual([200, expect.stringContaining("machine.name")]);
  });
});
