import { env } from "cloudflare:workers";
import { drizzle } from "drizzle-orm/d1";
import { expect, it } from "vitest";
import { orderRuns, workOrderTargets } from "../../../src/db/schema.ts";
import { call } from "../../support/call.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import { createCompany, createMachine, createSku, createUser, createWorkOrder } from "../../support/factories.ts";
import { listSuite, newestFirst } from "../../support/lists.ts";

const db = drizzle(env.DB_0);

listSuite({
  path: "/v1/work-orders",
  createFive: async (companyId) => {
    const machine = await createMachine(companyId);
    const { skuId } = await createSku(companyId);
    return newestFirst(async (createdAt) => ({ id: (await createWorkOrder(machine, skuId, { createdAt })).workOrderId }));
  },
});

async function createOrders() {
  const { companyId } = await createCompany();
  const [first, second] = [await createMachine(companyId), await createMachine(companyId)];
  const { skuId } = await createSku(companyId);
  const { token } = await createUser(companyId, "readonly");
  return { companyId, first, second, skuId, token };
}

it("have their progress per SKU: counted by the line and reported by people", async () => {
  const { companyId, first, skuId, token } = await createOrders();
  const { workOrderId } = await createWorkOrder(first, skuId, { status: "Paused", estimatedDeliveryAt: 5000, createdAt: 1000 });
  await db.insert(workOrderTargets).values({
    ...{ workOrderId, skuId: "A-first", targetQuantity: 50, reportedCorrect: 0.1, reportedDefects: 3 },
    ...{ createdAt: 1, updatedAt: 1 },
  });
  const run = { machineId: first.id, revision: 1, workOrderId, skuId };
  await db.insert(orderRuns).values([
    { ...run, startAt: 1, correct: 10, defects: 1 },
    { ...run, startAt: 2, correct: 20, defects: 2, correctOutsideShifts: 15 },
    { ...run, startAt: 3, skuId: "A-first", correct: 7, defects: 0 },
    { ...run, startAt: 4, skuId: "Z-last", correct: 4, defects: 0 },
  ]);
  await createWorkOrder(first, skuId);
  const { body } = await call("GET", `/v1/work-orders/${workOrderId}`, { token });
  expect(body).toEqual({
    id: workOrderId,
    companyId,
    code: expect.any(String),
    name: "Order",
    status: "Paused",
    priority: 0,
    source: "",
    estimatedDeliveryTime: new Date(5000).toISOString(),
    machineIds: [first.id],
    progress: [
      { skuId: "A-first", targetQuantity: 50, correct: 7.1, defects: 3, remaining: 42.9 },
      { skuId, targetQuantity: 1000, correct: 30, defects: 3, remaining: 970 },
      { skuId: "Z-last", targetQuantity: null, correct: 4, defects: 0, remaining: null },
    ],
    produced: 41.1,
    producedOutsideShifts: 15,
    remaining: 1012.9,
    expectedAt: null,
    isLate: true,
    createdAt: new Date(1000).toISOString(),
    updatedAt: expect.any(String),
    deletedAt: null,
  });
  const listed = (await call("GET", "/v1/work-orders?statuses=Paused", { token })).body.data;
  expect(listed).toEqual([body]);
});

it("are filtered by status and machine", async () => {
  const { first, second, skuId, token } = await createOrders();
  const backlog = await createWorkOrder(first, skuId);
  const paused = await createWorkOrder(second, skuId, { status: "Paused" });
  const select = async (query: string) =>
    (await call("GET", `/v1/work-orders?${query}`, { token })).body.data.map(({ id }: { id: string }) => id).sort();
  const both = [backlog.workOrderId, paused.workOrderId].sort();
  expect(await select("")).toEqual(both);
  expect(await select("statuses=Backlog")).toEqual([backlog.workOrderId]);
  expect(await select("statuses=Backlog,Paused")).toEqual(both);
  expect(await select("statuses=Completed")).toEqual([]);
  expect(await select(`machineIds=${second.id}`)).toEqual([paused.workOrderId]);
  expect(await select(`machineIds=${first.id}&machineIds=${second.id}`)).toEqual(both);
  expectProblem(await call("GET", "/v1/work-orders?statuses=Lost", { token }), 400, "/query/statuses/0");
});

it("of several statuses are listed newest first, page by page", async () => {
  const { first, second, skuId, token } = await createOrders();
  const statuses = ["Backlog", "Paused", "Planned", "Paused", "Completed", "Cancelled", "InProgress", "Backlog"] as const;
  const ids: string[] = [];
  for (const [i, status] of statuses.entries()) {
    const createdAt = 1000 + Math.floor(i / 2);
    ids.push((await createWorkOrder(i === 1 ? second : first, skuId, { status, createdAt })).workOrderId);
  }
  const pages = async (query: string) => {
    const listed: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const { body } = await call("GET", `/v1/work-orders?limit=2&${query}${cursor && `&cursor=${cursor}`}`, { token });
      listed.push(...body.data.map(({ id }: { id: string }) => id));
      cursor = body.cursor;
    }
    return listed;
  };
  const whole = await pages("");
  expect(whole.toSorted()).toEqual(ids.toSorted());
  const expected = (...wanted: string[]) => whole.filter((id) => wanted.includes(statuses[ids.indexOf(id)] ?? ""));
  expect(await pages("statuses=Backlog,Paused,Backlog")).toEqual(expected("Backlog", "Paused"));
  const five = ["Backlog", "Planned", "InProgress", "Paused", "Completed"];
  expect(await pages(`statuses=${five}`)).toEqual(expected(...five));
  expect(await pages(`statuses=${five},Cancelled`)).toEqual(whole);
  expect(await pages(`statuses=Backlog,Paused&machineIds=${second.id}`)).toEqual([ids[1]]);
});

it("are hidden from other companies", async () => {
  const { first, skuId } = await createOrders();
  const { workOrderId } = await createWorkOrder(first, skuId);
  const { companyId } = await createCompany();
  const as = async (role: "superadmin" | "superuser") => (await createUser(companyId, role)).token;
  expectProblem(await call("GET", `/v1/work-orders/${workOrderId}`, { token: await as("superadmin") }), 404);
  expect((await call("GET", `/v1/work-orders/${workOrderId}`, { token: await as("superuser") })).status).toBe(200);
  await env.DB_0.prepare("UPDATE work_orders SET deleted_at = 1 WHERE id = ?").bind(workOrderId).run();
  expectProblem(await call("GET", `/v1/work-orders/${workOrderId}`, { token: await as("superuser") }), 404);
});
