import { describe, expect, it } from "vitest";
import { call } from "../../support/call.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import { overtakenBy } from "../../support/overtaken.ts";
import { createOrderPlant, storedOrder } from "../../support/work-orders.ts";

async function newPlant() {
  const plant = await createOrderPlant("admin");
  const ask = (method: string, path: string, body?: unknown, ...others: (() => Promise<unknown>)[]) =>
    call(method, path, { token: plant.token, body, ...(others.length > 0 && { via: overtakenBy(...others) }) });
  const report = (id: string, correct: number) => () => ask("PATCH", `/work/${id}/progress`, { correct });
  return { ...plant, ask, report };
}

describe("a write to a work order that another one overtakes between reading and commit", () => {
  it("adds to reports of the meantime", async () => {
    const { ask, report, newOrder } = await newPlant();
    const id = await newOrder();
    expect((await ask("PATCH", `/work/${id}/progress`, { correct: 5 }, report(id, 3), report(id, 4))).status).toBe(204);
    const { targets, reports } = await storedOrder(id);
    expect(targets?.[0]?.reported).toEqual([12, 0]);
    expect(reports).toHaveLength(3);
  });

  it("is checked against the order's new status", async () => {
    const { ask, newOrder } = await newPlant();
    const id = await newOrder();
    const cancel = () => ask("PUT", "/work-order-target", { workOrder: { id, status: "Cancelled" } });
    expectProblem(await ask("PATCH", `/work/${id}/progress`, { correct: 5 }, cancel), 409);
    expect(await storedOrder(id)).toMatchObject({ order: { status: "Cancelled" }, reports: [] });
  });

  it("does not delete an order with new production", async () => {
    const { ask, report, newOrder } = await newPlant();
    const id = await newOrder();
    expectProblem(await ask("DELETE", `/v1/work-orders/${id}`, undefined, report(id, 1)), 409);
    expect((await storedOrder(id)).order?.deleted_at).toBeNull();
  });

  it("does not refer to an SKU that was deleted in the meantime", async () => {
    const { ask, first, nut } = await newPlant();
    const body = {
      machines: [{ machineId: first.id }],
      targets: [{ skuId: nut, targetQuantity: 1 }],
      workOrder: { name: "Order", code: crypto.randomUUID() },
    };
    const gone = () => ask("DELETE", `/v1/skus/${nut}`);
    expectProblem(await ask("POST", "/work-orders/production-full", body, gone), 400, "/targets/0/skuId");
  });
});
