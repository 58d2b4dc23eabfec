import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { auditEntries } from "../../support/audit.ts";
import { call } from "../../support/call.ts";
import {
  createChannels,
  createCompany,
  createMachine,
  createOperator,
  createOperatorPlan,
  createShift,
  createUser,
  createUserConfig,
} from "../../support/factories.ts";
import { machineObject } from "../../support/machine-object.ts";
import { countAt, createLine, flushMachine, ingest } from "../../support/machines.ts";
import { createDashboard, createWidget } from "../../support/widgets.ts";
import { addTarget, createOrderPlant } from "../../support/work-orders.ts";

const password = "correct horse battery";

/** A company's entries, in the order in which they were stored. */
const entriesOf = (companyId: number) => auditEntries({ companyId });

/** The contents of a company's entries, without actor and time. */
async function changesOf(companyId: number) {
  return (await entriesOf(companyId)).map(({ action, objectId, before, after }) => ({ action, objectId, before, after }));
}

async function newOffice(role: Parameters<typeof createUser>[1] = "superuser") {
  const { companyId } = await createCompany();
  const { token, userId } = await createUser(companyId, role);
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await call(method, path, { token, body });
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body;
  };
  return { companyId, userId, ask };
}

describe("logins", () => {
  const login = (email: string, attempt: string, address: string) =>
    call("POST", "/identity/login", { body: { email, password: attempt }, headers: { "cf-connecting-ip": address } });

  it("to a known account are logged with their address, also if they fail", async () => {
    const { companyId } = await createCompany();
    const [user, other] = [await createUser(companyId, "user", { password }), await createUser(companyId, "user")];
    const away = await createUser(companyId, "user", { password, isActive: false });
    const answers = [
      await login(user.email, password, "192.0.2.1"),
      await login(user.email, "wrong", "192.0.2.2"),
      await login(away.email, password, "192.0.2.3"),
    ];
    await login(`x${other.email}`, password, "192.0.2.4");
    const entries = await entriesOf(companyId);
    const shown = entries.map(({ action, userId, requestId, after }) => [action, userId, requestId, after]);
    const ids = answers.map(({ headers }) => headers.get("x-request-id"));
    expect(shown).toEqual([
      ["login.success", user.userId, ids[0], { address: "192.0.2.1" }],
      ["login.failure", user.userId, ids[1], { address: "192.0.2.2" }],
      ["login.failure", away.userId, ids[2], { address: "192.0.2.3" }],
    ]);
    const trips = answers.map(({ headers }) => /desc="(\d+) trips/.exec(headers.get("server-timing") ?? "")?.[1]);
    expect(trips).toEqual(["4", "3", "3"]);
  });

  it("to an unknown account take as many trips as a failing one to a known account, and are not logged", async () => {
    const count = () => env.DB_0.prepare("SELECT count(*) AS entries FROM audit").first("entries");
    const before = await count();
    const answer = await login(`${crypto.randomUUID()}@example.test`, password, "192.0.2.5");
    expect(answer.headers.get("server-timing")).toContain('desc="3 trips"');
    expect(await count()).toBe(before);
  });

  it("that are refused after too many failures are not logged", async () => {
    const user = await createUser((await createCompany()).companyId, "user", { password });
    const statuses = [];
    for (let i = 0; i < 12; i++) statuses.push((await login(user.email, "wrong", "192.0.2.6")).status);
    expect(statuses.at(-1)).toBe(429);
    const tried = statuses.filter((status) => status === 401).length;
    expect(await entriesOf(user.companyId)).toHaveLength(tried);
  });
});

describe("before and after", () => {
  it("are what the transaction saw: each of several changes at the same time begins where another one ended", async () => {
    const { token, companyId, bolt, newOrder } = await createOrderPlant();
    const workOrderId = await newOrder();
    const quantities = [1, 2, 3, 4, 5, 6];
    const set = (targetQuantity: number) =>
      call("PATCH", `/work-order-target/${workOrderId}/${bolt}`, { token, body: { targetQuantity } });
    await Promise.all(quantities.map(set));
    const steps = new Map<number, number>();
    for (const { before, after } of await entriesOf(companyId)) {
      const [from, to] = [before, after] as { targetQuantity: number }[];
      steps.set(from?.targetQuantity ?? 0, to?.targetQuantity ?? 0);
    }
    const seen = [];
    for (let at = steps.get(1000); at !== undefined; at = steps.get(at)) seen.push(at);
    expect(seen.toSorted()).toEqual(quantities);
  });

  it("of a work order are its status and the members of the request", async () => {
    const { token, companyId, first, second, bolt, nut, newOrder } = await createOrderPlant("admin");
    const workOrderId = await newOrder({ code: "A", name: "One", status: "Planned" });
    await addTarget(workOrderId, nut);
    const send = async (method: string, path: string, body: unknown) =>
      expect((await call(method, path, { token, body })).status).toBe(204);
    await send("PUT", "/work-order-target", { workOrder: { id: workOrderId, name: "Two" } });
    const machines = [String(second.id)];
    await send("PUT", "/work-order-target", {
      workOrder: { id: workOrderId, code: "B" },
      machines,
      skus: [{ id: nut, quantity: 2.5 }],
    });
    await send("PATCH", `/work/${workOrderId}/progress`, { correct: 3 });
    await send("PATCH", `/work/${workOrderId}/progress`, { correct: 2.1, defects: 1 });
    await send("PATCH", `/work/${workOrderId}/progress`, { status: "Paused" });
    const targets = [
      { skuId: bolt, targetQuantity: 1000 },
      { skuId: nut, targetQuantity: 10 },
    ].sort((a, b) => (a.skuId < b.skuId ? -1 : 1));
    const [renamed, replaced, , made, paused] = await changesOf(companyId);
    expect(renamed).toEqual({
      action: "work-order.change",
      objectId: workOrderId,
      before: { name: "One" },
      after: { name: "Two" },
    });
    expect(replaced).toMatchObject({
      before: { code: "A", machineIds: [first.id], targets: expect.arrayContaining(targets) },
      after: { code: "B", machineIds: [second.id], targets: [{ skuId: nut, targetQuantity: 2.5 }] },
    });
    expect(made).toMatchObject({
      action: "work-order.report-progress",
      before: { skuId: nut, reportedCorrect: 3, reportedDefects: 0 },
      after: { skuId: nut, reportedCorrect: 5.1, reportedDefects: 1 },
    });
    expect(paused).toMatchObject({ before: { status: "InProgress" }, after: { status: "Paused" } });
  });

  it("of a tag, a plan, a grant and a promoted widget are the old and the new values", async () => {
    const { companyId, ask } = await newOffice();
    const tag = { companyId, sort: 1, subject: "Machines", tagKey: "hall", description: "A", color: "#000", isDefault: true };
    const made = await ask("POST", "/tags/key", tag);
    await ask("POST", "/tags/key", { ...tag, color: "#fff", isDefault: false });
    await ask("POST", "/tags/key", { ...tag, id: made.id, tagKey: "line" });
    const widget = await createWidget(companyId);
    const copy = await ask("POST", "/widgets/system/promote", { sourceCompanyId: companyId, widgetId: widget.id });
    await ask("PATCH", `/v1/widgets/${widget.id}`, { title: { en: "New", es: "Nuevo" }, spec: { long: "x".repeat(3000) } });
    await ask("POST", "/widgets/system/promote", { sourceCompanyId: companyId, widgetId: widget.id });
    const shown = (await changesOf(companyId)).filter(({ action }) => /tag|promote/.test(action));
    expect(shown.map(({ before, after }) => [before, after])).toEqual([
      [null, made],
      [
        { color: "#000", isDefault: true },
        { color: "#fff", isDefault: false },
      ],
      [
        { color: "#fff", isDefault: false, tagKey: "hall" },
        { color: "#000", isDefault: true, tagKey: "line" },
      ],
      [null, { id: copy.id, title: widget.title, spec: widget.spec, deletedAt: null }],
      [
        { title: widget.title, spec: widget.spec },
        { title: { en: "New", es: "Nuevo" }, spec: { characters: 3011 } },
      ],
    ]);
  });

  it("store only the length of long members", async () => {
    const { companyId, userId, ask } = await newOffice();
    await createMachine(companyId, { ref: "PRESS" });
    await createShift(companyId, { name: "Day", start: "00:00", end: "00:00" });
    const codes = Array.from({ length: 60 }, (_, i) => `O-${i}`);
    await Promise.all(codes.map((code) => createOperator(companyId, { code })));
    const configs = Array.from({ length: 64 }, (_, channel) => ({ type: "total", countingFactor: 1, channel, nodeId: 1 }));
    const entry = { machineRef: "PRESS", isCountEnabled: true, configs };
    const count = { sensors: { count: 1 } };
    await ask("PATCH", "/backoffice/machines/count-sensors", { companyId, added: [entry] });
    await ask("PATCH", "/backoffice/machines/count-sensors", { companyId, deleted: [{ machineRef: "PRESS" }] });
    const csv = ["operatorCode,machineRef,shiftName", ...codes.map((code) => `${code},PRESS,Day`)].join("\n");
    const query = "title=Week&since=2050-01-01T00:00:00Z&until=2050-01-08T00:00:00Z";
    const { token } = await createUser(companyId, "admin");
    const headers = { "content-type": "text/csv" };
    expect((await call("POST", `/v1/operator-plans/csv?${query}`, { token, headers, body: csv })).status).toBe(201);
    await ask("PUT", "/v1/config", { config: { theme: "of my own" } });
    const [added, deleted, uploaded, saved] = await changesOf(companyId);
    expect([added?.before, added?.after]).toEqual([{ sensors: [] }, count]);
    expect([deleted?.before, deleted?.after]).toEqual([count, { sensors: [] }]);
    expect(uploaded?.after).toMatchObject({ title: "Week", operatorCount: 60, machineCount: 1, assignments: { count: 60 } });
    expect(saved).toEqual({ action: "config.save", objectId: String(userId), before: null, after: { characters: 21 } });
  });

  it("of a user say that the password changed; objects of the whole system have the company of the caller", async () => {
    const { companyId, ask } = await newOffice();
    const { userId } = await createUser((await createCompany()).companyId, "user");
    await ask("PATCH", `/v1/users/${userId}`, { password: "quiet river under seven bridges" });
    const systems = await createDashboard(null);
    await ask("PATCH", `/widgets/dashboards/${systems.id}/archive`);
    expect(await changesOf(companyId)).toMatchObject([{ action: "dashboard.archive", objectId: systems.id }]);
    const { company_id } = (await env.DB_0.prepare("SELECT company_id FROM users WHERE id = ?").bind(userId).first()) ?? {};
    const [changed] = await changesOf(Number(company_id));
    expect(changed).toMatchObject({ action: "user.change", after: { password: "(not shown)" } });
    expect(changed?.before).not.toHaveProperty("password");
  });
});

it("a request that changes nothing is not logged", async () => {
  const { companyId, userId, ask } = await newOffice();
  const { id } = await createDashboard(companyId);
  await createUserConfig(userId, companyId);
  for (let i = 0; i < 2; i++) {
    await ask("PATCH", `/widgets/dashboards/${id}/archive`);
    await ask("DELETE", "/config", { userId, companyId });
    await ask("GET", "/webhook-subscriptions/secret");
    await ask("PATCH", "/notifications/markRead", { notificationIds: ["none"] });
  }
  const actions = (await changesOf(companyId)).map(({ action }) => action);
  expect(actions).toEqual(["dashboard.archive", "config.delete", "webhook-secret.create"]);
});

it("a refused request is not logged", async () => {
  const { companyId, token, bolt, first, newOrder } = await createOrderPlant("superuser");
  const closed = await newOrder({ code: "closed", status: "Completed" });
  const open = await newOrder({ code: "open", status: "InProgress" });
  const past = await createOperatorPlan(companyId, { until: Date.now() - 1 });
  const active = await createOperatorPlan(companyId);
  const grants = await env.DIRECTORY.prepare("SELECT id, role_id, permission_id FROM role_permissions LIMIT 2").all();
  const [grant, taken] = grants.results;
  const tag = { companyId, sort: 1, subject: "Machines", description: "", color: "", isDefault: false };
  const { body: hall } = await call("POST", "/tags/key", { token, body: { ...tag, tagKey: "hall" } });
  await call("POST", "/tags/key", { token, body: { ...tag, tagKey: "line" } });
  const until = "2050-01-01T00:00:00Z";
  const order = { machines: [{ machineId: first.id }], targets: [{ skuId: bolt, targetQuantity: 1 }] };
  const members = { estimatedDeliveryTime: until, priority: 1, source: "", status: "Backlog", name: "Order" };
  const requests: [method: string, path: string, body: object][] = [
    ["PUT", `/operator-plan/${past.id}`, { until }],
    ["PUT", `/operator-plan/${active.id}`, { until, title: "Other" }],
    ["PUT", `/role-permissions/${grant?.id}`, { roleId: taken?.role_id, permissionId: taken?.permission_id }],
    ["POST", "/tags/key", { ...tag, id: hall.id, tagKey: "line" }],
    ["POST", "/work-orders/production-full", { ...order, workOrder: { ...members, code: "open" } }],
    [
      "POST",
      "/work-orders/production-full",
      { ...order, machines: [{ machineId: 0.5e15 }], workOrder: { ...members, code: "new" } },
    ],
    ["PUT", "/work-order-target", { workOrder: { id: open, code: "closed" } }],
    ["PUT", "/work-order-target", { workOrder: { id: closed, status: "Backlog" } }],
    ["PUT", "/work-order-target", { workOrder: { id: open }, machines: ["500000000000000"] }],
    ["PATCH", `/work-order-target/${closed}/${bolt}`, { targetQuantity: 5 }],
    ["PATCH", `/work/${open}/progress`, { correct: -1 }],
    ["PATCH", `/work/${open}/progress`, { correct: 1, machineId: 0.5e15 }],
    ["PATCH", `/work/${closed}/progress`, { correct: 1 }],
    ["PATCH", `/v1/machines/${first.id}`, { commissionedAt: until, decommissionedAt: "2049-01-01T00:00:00Z" }],
  ];
  const before = await changesOf(companyId);
  for (const [method, path, body] of requests) {
    const { status } = await call(method, path, { token, body });
    expect([400, 409], `${method} ${path} ${JSON.stringify(body)}`).toContain(status);
  }
  expect(await changesOf(companyId)).toEqual(before);
});

describe("events", () => {
  it("that a person sends are logged once for all machines, and not again when they are repeated", async () => {
    const { companyId, machine, token: gateway } = await createLine();
    const other = await createMachine(companyId);
    await createChannels(other, [{ channel: 1, type: "total" }]);
    const { token, userId } = await createUser(companyId, "admin");
    const now = Date.now();
    const events = [countAt(machine.nodeId, now), countAt(other.nodeId, now), countAt(-1, now)];
    await ingest(gateway, [countAt(machine.nodeId, now - 1000)]);
    expect(await ingest(token, events)).toMatchObject({ accepted: 2, rejected: [{ index: 2 }] });
    expect(await ingest(token, events)).toMatchObject({ accepted: 0, duplicates: 2 });
    for (const { id } of [machine, other]) await flushMachine(id);
    const entries = await entriesOf(companyId);
    const machineIds = [machine.id, other.id];
    expect(entries).toMatchObject([
      { userId, action: "events.ingest", objectId: String(companyId), after: { events: 2, rejected: 1, machineIds } },
    ]);
  });

  it("are logged if any is stored, even if the request fails; the repeat is logged as its own request", async () => {
    const { companyId, machine } = await createLine();
    const other = await createMachine(companyId);
    await createChannels(other, [{ channel: 1, type: "total" }]);
    const { token } = await createUser(companyId, "admin");
    const now = Date.now();
    const events = [countAt(machine.nodeId, now), countAt(other.nodeId, now)];
    const send = () => call("POST", "/v1/ingest", { token, body: { events } });
    const rename = (from: string, to: string) =>
      runInDurableObject(machineObject(env, other.id), (_, { storage }) => {
        storage.sql.exec(`ALTER TABLE ${from} RENAME TO ${to}`);
      });
    await rename("checkpoints", "lost");
    const failed = await send();
    expect(failed.status).toBeGreaterThanOrEqual(500);
    await rename("lost", "checkpoints");
    const again = await send();
    expect(again.body).toMatchObject({ accepted: 1, duplicates: 1 });
    for (const { id } of [machine, other]) await flushMachine(id);
    const ids = (await entriesOf(companyId)).map(({ requestId }) => requestId);
    expect(ids).toEqual([failed, again].map(({ headers }) => headers.get("x-request-id")));
  });
});
