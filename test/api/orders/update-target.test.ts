import { describe, expect, it } from "vitest";
import { workOrderStatuses } from "../../../src/db/schema.ts";
import { call } from "../../support/call.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import { createSku, createWorkOrder } from "../../support/factories.ts";
import { addTarget, createOrderPlant, storedOrder } from "../../support/work-orders.ts";

async function newPlant(...role: Parameters<typeof createOrderPlant>) {
  const plant = await createOrderPlant(...role);
  const patch = (workOrderId: string, skuId: string, body: unknown) =>
    call("PATCH", `/work-order-target/${workOrderId}/${encodeURIComponent(skuId)}`, { token: plant.token, body });
  return { ...plant, patch };
}

describe("a target", () => {
  it("changes without any other, with nothing in the answer", async () => {
    const { newOrder, patch, bolt, nut } = await newPlant();
    const id = await newOrder();
    await addTarget(id, nut, 4);
    const before = await storedOrder(id);
    const answer = await patch(id, nut, { targetQuantity: 12.5, skuId: bolt });
    expect([answer.status, answer.body]).toEqual([204, null]);
    const targets = [
      { skuId: bolt, quantity: 1000, reported: [0, 0] },
      { skuId: nut, quantity: 12.5, reported: [4, 0] },
    ];
    const order = { ...before.order, updated_at: expect.any(Number) };
    expect(await storedOrder(id)).toEqual({ ...before, order, targets });
  });

  it("of an order that is not closed changes", async () => {
    const { newOrder, patch, bolt } = await newPlant();
    for (const status of workOrderStatuses) {
      const id = await newOrder({ status });
      const answer = await patch(id, bolt, { targetQuantity: 5 });
      const isClosed = status === "Completed" || status === "Cancelled";
      if (isClosed) {
        expectProblem(answer, 409);
        expect(answer.body.detail).toContain(status);
      } else expect(answer.status).toBe(204);
      expect((await storedOrder(id)).targets?.[0]?.quantity).toBe(isClosed ? 1000 : 5);
    }
  });

  it("of an SKU with any name is found", async () => {
    const { companyId, first, patch } = await newPlant();
    const { skuId } = await createSku(companyId, { id: `a/b ?#%é${crypto.randomUUID()}` });
    const { workOrderId } = await createWorkOrder(first, skuId);
    expect((await patch(workOrderId, skuId, { targetQuantity: 5 })).status).toBe(204);
    expect((await storedOrder(workOrderId)).targets?.[0]?.quantity).toBe(5);
  });

  it("is a 404 if it is unknown, deleted or another company's, except for a superuser", async () => {
    const { newOrder, patch, bolt, nut } = await newPlant();
    const foreign = await createOrderPlant();
    const [own, deleted, theirs] = [await newOrder(), await newOrder({ deletedAt: 1 }), await foreign.newOrder()];
    const missing = [
      [own, nut],
      [own, "none"],
      [deleted, bolt],
      [theirs, foreign.bolt],
      [crypto.randomUUID(), bolt],
      [await newOrder({ status: "Completed" }), nut],
    ] as const;
    for (const [id, skuId] of missing) expectProblem(await patch(id, skuId, { targetQuantity: 5 }), 404);
    expect((await storedOrder(theirs)).targets?.[0]?.quantity).toBe(1000);
    const { patch: patchAny } = await newPlant("superuser");
    expect((await patchAny(theirs, foreign.bolt, { targetQuantity: 5 })).status).toBe(204);
    expect((await storedOrder(theirs)).targets?.[0]?.quantity).toBe(5);
  });

  it("gets one of the values if several change it at the same time", async () => {
    const { newOrder, patch, bolt } = await newPlant();
    const id = await newOrder();
    const answers = await Promise.all([1, 2, 3].map((targetQuantity) => patch(id, bolt, { targetQuantity })));
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204]);
    expect([1, 2, 3]).toContain((await storedOrder(id)).targets?.[0]?.quantity);
  });

  it("must be a number above 0", async () => {
    const { newOrder, patch, bolt } = await newPlant();
    const id = await newOrder();
    for (const targetQuantity of [undefined, null, "5", 0, -1, 2 ** 53 + 2, [5]]) {
      expectProblem(await patch(id, bolt, { targetQuantity }), 400, "/targetQuantity");
    }
    for (const body of ["", "{", "[]", "null"]) expectProblem(await patch(id, bolt, body), 400, "");
    expectProblem(await patch(id, "x".repeat(101), { targetQuantity: 1 }), 400, "/path/skuId");
    expectProblem(await patch(id, "a\0", { targetQuantity: 1 }), 400, "/path/skuId");
    expect((await storedOrder(id)).targets?.[0]?.quantity).toBe(1000);
  });
});
