import { expect, it } from "vitest";
import { call } from "../../support/call.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import { createGatewayToken, createUser } from "../../support/factories.ts";
import { ingest } from "../../support/machines.ts";
import { createOrderPlant, createOrderRun, storedOrder } from "../../support/work-orders.ts";

async function newPlant(...role: Parameters<typeof createOrderPlant>) {
  const plant = await createOrderPlant(...role);
  const remove = (id: string, headers: Record<string, string> = {}) =>
    call("DELETE", `/v1/work-orders/${id}`, { token: plant.token, headers });
  return { ...plant, remove };
}

it("an order without production is deleted, and its code is free again", async () => {
  const { remove, newOrder, token, first, bolt, companyId } = await newPlant();
  const id = await newOrder({ code: "WO-1", priority: 2, estimatedDeliveryAt: 7 });
  await createOrderRun(first.id, id, bolt, 0, 0);
  const answer = await remove(id);
  expect([answer.status, answer.body]).toEqual([204, null]);
  expectProblem(await call("GET", `/v1/work-orders/${id}`, { token }), 404);
  expect((await call("GET", "/v1/work-orders", { token })).body.data).toEqual([]);
  const body = {
    machines: [{ machineId: first.id }],
    targets: [{ skuId: bolt, targetQuantity: 5 }],
    workOrder: { name: "Again", code: "WO-1" },
  };
  expect((await call("POST", "/work-orders/production-full", { token, body })).status).toBe(200);
  const admin = await createUser(companyId, "admin");
  const { data } = (await call("GET", "/v1/audit", { token: admin.token })).body;
  const entry = data.find(({ action }: { action: string }) => action === "work-order.delete");
  expect(entry).toMatchObject({
    objectId: id,
    before: {
      code: "WO-1",
      status: "Backlog",
      priority: 2,
      estimatedDeliveryTime: "1970-01-01T00:00:00.007Z",
      machineIds: [first.id],
      targets: [{ skuId: bolt, targetQuantity: 1000 }],
    },
    after: null,
  });
});

it("an order with production, or that a machine is working on, cannot be deleted", async () => {
  const { remove, newOrder, token, first, bolt } = await newPlant();
  const report = (id: string, correct: number, mode = "delta") =>
    call("PATCH", `/work/${id}/progress`, { token, body: { correct, mode } });
  const made: ((id: string) => Promise<unknown>)[] = [
    (id) => createOrderRun(first.id, id, bolt, 1, 0),
    (id) => createOrderRun(first.id, id, "no target", 0, 1),
    (id) => createOrderRun(first.id, id, bolt, 0, 0, undefined, null),
    (id) => report(id, 1),
    (id) => report(id, 0, "absolute"),
    (id) => report(id, 1).then(() => report(id, -1)),
  ];
  for (const make of made) {
    const id = await newOrder();
    await make(id);
    expectProblem(await remove(id), 409);
    expect((await storedOrder(id)).order?.deleted_at).toBeNull();
  }
  const id = await newOrder();
  await call("PATCH", `/work/${id}/progress`, { token, body: { status: "Planned" } });
  expect((await remove(id)).status).toBe(204);
});

it("a deleted order does not exist for anybody", async () => {
  const { remove, newOrder, token, first, bolt, companyId } = await newPlant();
  const id = await newOrder();
  expect((await remove(id)).status).toBe(204);
  expectProblem(await remove(id), 404);
  expectProblem(await call("PATCH", `/work/${id}/progress`, { token, body: { correct: 1 } }), 404);
  expectProblem(await call("PATCH", `/work/${id}/progress`, { token, body: { correct: 1, mode: "absolute" } }), 404);
  expectProblem(await call("PATCH", `/work-order-target/${id}/${bolt}`, { token, body: { targetQuantity: 1 } }), 404);
  expectProblem(await call("PUT", "/work-order-target", { token, body: { workOrder: { id, name: "Back" } } }), 404);
  const gateway = await createGatewayToken(companyId);
  const sku = { type: "sku", at: new Date().toISOString(), machineId: first.id, skuId: bolt, workOrderId: id };
  const { rejected } = await ingest(gateway.token, [sku]);
  expect(rejected).toMatchObject([{ index: 0, code: "unknown_work_order" }]);
});

it("another company's order does not exist, except for superusers", async () => {
  const { remove } = await newPlant("superadmin");
  const theirs = await newPlant();
  const id = await theirs.newOrder();
  expectProblem(await remove(id), 404);
  const superuser = await newPlant("superuser");
  expect((await superuser.remove(id)).status).toBe(204);
});

it("with an Idempotency-Key the first answer is returned again", async () => {
  const { remove, newOrder } = await newPlant();
  const id = await newOrder();
  const key = { "idempotency-key": crypto.randomUUID() };
  expect((await remove(id, key)).status).toBe(204);
  const again = await remove(id, key);
  expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([204, "true"]);
});
