import { env } from "cloudflare:workers";
import { and, eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { describe, expect, it } from "vitest";
import { usageKinds } from "../../../../src/core/quotas.ts";
import { idempotencyKeys, usage } from "../../../../src/db/schema.ts";
import { call } from "../../../support/call.ts";
import { expectProblem } from "../../../support/expect-problem.ts";
import { createCompany, createUser } from "../../../support/factories.ts";
import { countAt, createLine, flushMachine, ingest } from "../../../support/machines.ts";

const title = { en: "Stops", es: "Paradas" };

async function newCompany() {
  const { companyId } = await createCompany();
  const { token, userId } = await createUser(companyId, "admin");
  const owner = await createUser((await createCompany()).companyId, "superuser");
  const limit = async (limits: object) => {
    const answer = await call("PATCH", "/v1/usage/limits", { token: owner.token, body: { companyId, limits } });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  };
  const usageNow = async () => {
    const { body } = await call("GET", "/v1/usage", { token });
    const of = (kind: string) => body.kinds.find((one: { kind: string }) => one.kind === kind);
    const quota = (name: string) => body.quotas.find((one: { quota: string }) => one.quota === name);
    return { body, of, quota };
  };
  const operator = (n: number) => call("POST", "/v1/operators", { token, body: { name: `Operator ${n}`, code: `O-${n}` } });
  const widget = (spec: object = {}) => call("POST", "/v1/widgets", { token, body: { title, description: title, spec } });
  return { companyId, token, userId, limit, usageNow, operator, widget };
}

/** A body of POST for each kind that takes one alone. */
const bodies: Record<string, [path: string, body: object]> = {
  machines: ["machines", { name: "Press", ref: "P-1", nodeId: 1, signal: "counts" }],
  lines: ["lines", { name: "Line", order: 1 }],
  shifts: ["shifts", { name: "Early", start: "06:00", end: "14:00", days: ["monday"] }],
  operators: ["operators", { name: "Ada", code: "A-1" }],
  skus: ["skus", { id: "CAP", name: "Cap", standards: [] }],
  "stop-causes": ["stop-causes", { level: "general", name: "Jam", isProgrammed: false, isIncludedInAvailability: true }],
  widgets: ["widgets", { title, description: title, spec: {} }],
  dashboards: ["dashboards", { title, description: title, spec: {} }],
  "gateway-tokens": ["gateway-tokens", { name: "Hall" }],
  "api-tokens": ["api-tokens", { name: "ERP", role: "readonly", isReadOnly: true }],
};

describe("the usage of a company", () => {
  it("counts each kind once when it is created, and no longer when it is deleted; its bytes stay", async () => {
    const { token, usageNow } = await newCompany();
    for (const [kind, [path, body]] of Object.entries(bodies)) {
      const made = await call("POST", `/v1/${path}`, { token, body });
      expect(made.status, `${kind} ${JSON.stringify(made.body)}`).toBe(201);
      const { of } = await usageNow();
      expect(of(kind), kind).toMatchObject({ items: 1, bytes: expect.toSatisfy((bytes: number) => bytes >= 60) });
      expect((await call("DELETE", `/v1/${path}/${made.body.id}`, { token })).status, kind).toBe(204);
      expect((await usageNow()).of(kind), kind).toEqual({ ...of(kind), items: 0 });
    }
  });

  it("has counters in the database for every kind, and for the rows that belong to them", async () => {
    const { results } = await env.DB_0.prepare(
      "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND name LIKE '%_usage_%' ORDER BY name",
    ).all<{ name: string; sql: string }>();
    for (const kind of usageKinds) expect(results.filter(({ sql }) => sql.includes(`'${kind}'`)).length, kind).toBeGreaterThan(1);
    const added = results.flatMap(({ name }) => /^(\w+)_usage_added$/.exec(name)?.[1] ?? []);
    const removed = results.flatMap(({ name }) => /^(\w+)_usage_removed$/.exec(name)?.[1] ?? []);
    expect(removed).toEqual(added);
    // Tables of rows that people and programs make. Each is counted, or its rows are bounded by something else.
    expect(added).toEqual(expect.arrayContaining(["widget_instances", "work_order_progress", "help_calls", "count_channels"]));
  });

  it("counts the bytes of what belongs to a row: assignments, standards, targets, progress and calls", async () => {
    const { companyId, machine, shiftId } = await createLine();
    const { token } = await createUser(companyId, "admin");
    const bytesOf = async (kind: string) => {
      const { kinds } = (await call("GET", "/v1/usage", { token })).body;
      return kinds.find((one: { kind: string }) => one.kind === kind).bytes as number;
    };
    const grows = async (kind: string, least: number, request: () => Promise<{ status: number; body: unknown }>) => {
      const before = await bytesOf(kind);
      const { status, body } = await request();
      expect(status, `${kind} ${JSON.stringify(body)}`).toBeLessThan(300);
      expect((await bytesOf(kind)) - before, kind).toBeGreaterThanOrEqual(least);
      return body as { id: string };
    };
    const post = (path: string, body: object) => () => call("POST", path, { token, body });
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

    const standards = [{ machineId: machine.id, standardCycleSeconds: 3 }];
    await grows("skus", 120, post("/v1/skus", { id: "LID", name: "Lid", standards }));

    const workOrder = {
      priority: 1,
      source: "ERP",
      status: "Backlog",
      name: "Lids",
      code: "WO 1",
      estimatedDeliveryTime: inDays(1),
    };
    const targets = [{ targetQuantity: 100, skuId: "LID" }];
    const body = { machines: [{ machineId: machine.id }], targets, workOrder };
    await grows("work-orders", 200, post("/work-orders/production-full", body));
    const { data } = (await call("GET", "/v1/work-orders", { token })).body;
    const progress = { skuId: "LID", correct: 1, comment: "x".repeat(500) };
    await grows("work-orders", 600, () => call("PATCH", `/work/${data[0].id}/progress`, { token, body: progress }));

    await grows("help-calls", 100, post(`/v1/machines/${machine.id}/help-calls`, { message: "Help" }));

    const { body: operator } = await call("POST", "/v1/operators", { token, body: { name: "Ada", code: "A-1" } });
    const assignments = [{ operatorId: operator.id, machineId: machine.id, shiftId }];
    await grows(
      "operator-plans",
      120,
      post("/v1/operator-plans", { title: "Plan", since: inDays(1), until: inDays(2), assignments }),
    );
  });

  it("grows and shrinks by the bytes of what is changed", async () => {
    const { token, usageNow, widget } = await newCompany();
    const { body } = await widget({ a: "x".repeat(10_000) });
    const before = (await usageNow()).of("widgets").bytes;
    expect(before).toBeGreaterThan(10_000);
    const spec = { a: "x".repeat(30_000) };
    expect((await call("PATCH", `/v1/widgets/${body.id}`, { token, body: { spec } })).status).toBe(200);
    expect((await usageNow()).of("widgets").bytes).toBe(before + 20_000);
    const instances = [{ widgetId: body.id, specOverride: { b: "y".repeat(5000) } }];
    const dashboard = { title, description: title, spec: {}, instances };
    expect((await call("POST", "/v1/dashboards", { token, body: dashboard })).status).toBe(201);
    expect((await usageNow()).of("dashboards")).toMatchObject({ items: 1 });
    expect((await usageNow()).of("dashboards").bytes).toBeGreaterThan(5000);
  });
});

describe("a quota", () => {
  it("refuses what would exceed it, with its name, limit and use, and changes nothing", async () => {
    const { limit, usageNow, operator } = await newCompany();
    await limit({ "skus-and-operators": 3 });
    for (let n = 1; n <= 3; n++) expect((await operator(n)).status).toBe(201);
    const refused = await operator(4);
    expectProblem(refused, 409);
    expect(refused.body.quota).toEqual({ name: "skus-and-operators", limit: 3, used: 3 });
    expect(refused.body.detail).toContain("skus-and-operators");
    expect((await usageNow()).quota("skus-and-operators")).toEqual({ quota: "skus-and-operators", limit: 3, used: 3 });
    await limit({ "skus-and-operators": null });
    expect((await operator(4)).status).toBe(201);
    expect((await usageNow()).quota("skus-and-operators").limit).toBe(200_000);
  });

  it("is not exceeded by twenty requests at once", async () => {
    const { limit, usageNow, operator } = await newCompany();
    await limit({ "skus-and-operators": 5 });
    const statuses = (await Promise.all(Array.from({ length: 20 }, (_, n) => operator(n)))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 201).length).toBeLessThanOrEqual(5);
    expect(statuses.every((status) => [201, 409, 503].includes(status))).toBe(true);
    expect((await usageNow()).of("operators").items).toBeLessThanOrEqual(5);
  });

  it("of bytes counts all kinds together, changes too, and what gets smaller is allowed", async () => {
    const { token, limit, widget } = await newCompany();
    const { body } = await widget({ a: "x".repeat(40_000) });
    await limit({ bytes: 60_000 });
    expectProblem(await widget({ a: "x".repeat(40_000) }), 409);
    const change = (length: number) =>
      call("PATCH", `/v1/widgets/${body.id}`, { token, body: { spec: { a: "x".repeat(length) } } });
    const refused = await change(60_000);
    expect(refused.body.quota).toMatchObject({ name: "bytes", limit: 60_000 });
    await limit({ bytes: 1000 });
    expect((await change(20_000)).status).toBe(200);
  });

  it("never refuses events, and what follows from them", async () => {
    const { companyId, machine, token } = await createLine();
    const owner = await createUser((await createCompany()).companyId, "superuser");
    const body = { companyId, limits: { bytes: 0, machines: 0, "open-orders": 0, "skus-and-operators": 0 } };
    expect((await call("PATCH", "/v1/usage/limits", { token: owner.token, body })).status).toBe(200);
    const now = Date.now();
    expect((await ingest(token, [countAt(machine.nodeId, now - 60_000), countAt(machine.nodeId, now)])).accepted).toBe(2);
    await flushMachine(machine.id);
    const { made } = (await call("GET", `/v1/usage?companyId=${companyId}`, { token: owner.token })).body;
    expect(made.shiftRecords).toBeGreaterThan(0);
  });

  it("is changed by superusers alone", async () => {
    const { token, companyId } = await newCompany();
    expectProblem(await call("PATCH", "/v1/usage/limits", { token, body: { companyId, limits: { bytes: 1 } } }), 403);
    const owner = await createUser((await createCompany()).companyId, "superuser");
    const nobodys = { companyId: 999_999_999, limits: { bytes: 1 } };
    expectProblem(await call("PATCH", "/v1/usage/limits", { token: owner.token, body: nobodys }), 404, "/companyId");
  });
});

describe("a long answer", () => {
  it("is not kept whole for its Idempotency-Key: a retry does nothing, and gets the id of what was made", async () => {
    const { token, userId, companyId } = await newCompany();
    const db = drizzle(env.DB_0);
    const key = crypto.randomUUID();
    const body = { title, description: title, spec: { a: "x".repeat(20_000) } };
    const send = () => call("POST", "/v1/widgets", { token, body, headers: { "idempotency-key": key } });
    const first = await send();
    expect(first.status).toBe(201);
    const again = await send();
    expectProblem(again, 409);
    expect(again.body.detail).toContain(`the object with the id ${first.body.id}`);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    const [kept] = await db.select().from(idempotencyKeys).where(eq(idempotencyKeys.userId, userId));
    expect(kept?.body).toBe(JSON.stringify({ id: first.body.id }));
    // Neither is a short one, once the company has as many as its quota allows.
    const owner = await createUser((await createCompany()).companyId, "superuser");
    const limits = { companyId, limits: { "kept-answers": 500 } };
    expect((await call("PATCH", "/v1/usage/limits", { token: owner.token, body: limits })).status).toBe(200);
    const line = (n: number) => {
      const headers = { "idempotency-key": `line-${n}` };
      return call("POST", "/v1/lines", { token, body: { name: `Line ${n}`, order: n }, headers });
    };
    for (let n = 1; n <= 10; n++) expect((await line(n)).status).toBe(201);
    expect((await line(1)).status).toBe(201);
    const late = await line(10);
    expectProblem(late, 409);
    expect(late.headers.get("idempotent-replayed")).toBe("true");
    const { quotas } = (await call("GET", "/v1/usage", { token })).body;
    const use = quotas.find(({ quota }: { quota: string }) => quota === "kept-answers");
    expect(use.used).toBeGreaterThan(0);
    expect(use.used).toBeLessThanOrEqual(500);

    const isWidgets = and(eq(usage.companyId, companyId), eq(usage.kind, "widgets"));
    expect(await db.select({ items: usage.items }).from(usage).where(isWidgets)).toEqual([{ items: 1 }]);
  });
});
