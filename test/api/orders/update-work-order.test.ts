import { describe, expect, it } from "vitest";
import { workOrderStatuses } from "../../../src/db/schema.ts";
import { call } from "../../support/call.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import { createUser } from "../../support/factories.ts";
import { addTarget, createOrderPlant, createOrderRun, storedOrder } from "../../support/work-orders.ts";

const path = "/work-order-target";

async function newPlant(...role: Parameters<typeof createOrderPlant>) {
  const plant = await createOrderPlant(...role);
  const put = (body: unknown) => call("PUT", path, { token: plant.token, body });
  const statusOf = async (id: string) => (await storedOrder(id)).order?.status;
  return { ...plant, put, statusOf };
}

describe("an update of a work order", () => {
  it("replaces the sent members, with nothing in the answer", async () => {
    const { second, bolt, nut, newOrder, put } = await newPlant();
    const id = await newOrder({ status: "Planned" });
    const code = `WO-${crypto.randomUUID()}`;
    const before = await storedOrder(id);
    const answer = await put({
      machines: [String(second.id)],
      skus: [
        { id: nut, quantity: 7.5 },
        { id: bolt, quantity: 8, more: true },
      ],
      workOrder: {
        id,
        name: "Renamed",
        code,
        status: "InProgress",
        priority: 9,
        estimatedDeliveryTime: "2030-01-31T12:00:00+01:00",
      },
    });
    expect([answer.status, answer.body]).toEqual([204, null]);
    const after = await storedOrder(id);
    expect(after.order).toEqual({
      ...before.order,
      name: "Renamed",
      code,
      status: "InProgress",
      priority: 9,
      estimated_delivery_at: Date.parse("2030-01-31T11:00:00Z"),
      updated_at: expect.any(Number),
    });
    expect(after.machineIds).toEqual([second.id]);
    expect(Object.fromEntries(after.targets?.map(({ skuId, quantity }) => [skuId, quantity]) ?? [])).toEqual({
      [bolt]: 8,
      [nut]: 7.5,
    });
  });

  it("keeps members that are not sent", async () => {
    const { newOrder, put, second } = await newPlant();
    const id = await newOrder({ status: "Paused" });
    const before = await storedOrder(id);
    expect((await put({ workOrder: { id } })).status).toBe(204);
    const same = { ...before, order: { ...before.order, updated_at: expect.any(Number) } };
    expect(await storedOrder(id)).toEqual(same);
    expect((await put({ workOrder: { id }, machines: [String(second.id)] })).status).toBe(204);
    expect(await storedOrder(id)).toEqual({ ...same, machineIds: [second.id] });
  });

  it("changes, keeps and removes the delivery time, and the audit has it", async () => {
    const { newOrder, put, companyId } = await newPlant();
    const id = await newOrder({ estimatedDeliveryAt: 5000, priority: 3 });
    const { token } = await createUser(companyId, "admin");
    const due = async () => {
      const { estimatedDeliveryTime, priority } = (await call("GET", `/v1/work-orders/${id}`, { token })).body;
      return [estimatedDeliveryTime, priority];
    };
    expect((await put({ workOrder: { id, priority: -1.5 } })).status).toBe(204);
    expect(await due()).toEqual(["1970-01-01T00:00:05.000Z", -1.5]);
    expect((await put({ workOrder: { id, estimatedDeliveryTime: "2030-02-14T12:00:00.007Z" } })).status).toBe(204);
    expect(await due()).toEqual(["2030-02-14T12:00:00.007Z", -1.5]);
    expect((await put({ workOrder: { id, estimatedDeliveryTime: null } })).status).toBe(204);
    expect(await due()).toEqual([null, -1.5]);
    const { data } = (await call("GET", "/v1/audit", { token })).body;
    const changes = data.filter(({ objectId }: { objectId: string }) => objectId === id).reverse();
    const of = (state: { estimatedDeliveryTime?: string; priority?: number }) => [state.estimatedDeliveryTime, state.priority];
    expect(changes.map(({ before, after }: { before: object; after: object }) => [of(before), of(after)])).toEqual([
      [
        [undefined, 3],
        [undefined, -1.5],
      ],
      [
        ["1970-01-01T00:00:05.000Z", undefined],
        ["2030-02-14T12:00:00.007Z", undefined],
      ],
      [
        ["2030-02-14T12:00:00.007Z", undefined],
        [null, undefined],
      ],
    ]);
    expectProblem(await put({ workOrder: { id, estimatedDeliveryTime: "soon" } }), 400, "/workOrder/estimatedDeliveryTime");
    expectProblem(await put({ workOrder: { id, priority: null } }), 400, "/workOrder/priority");
  });

  it("removes an SKU without production, and refuses to remove one with production", async () => {
    const { token, first, bolt, nut, newOrder, put } = await newPlant();
    const shown = async (id: string) => {
      const { progress } = (await call("GET", `/v1/work-orders/${id}`, { token })).body;
      return progress.map(({ skuId }: { skuId: string }) => skuId);
    };
    const report = (id: string, correct: number, more: object = {}) =>
      call("PATCH", `/work/${id}/progress`, { token, body: { skuId: nut, correct, ...more } });
    const without = (id: string) => put({ skus: [{ id: bolt, quantity: 20 }], workOrder: { id, name: "Shorter" } });
    const made: ((id: string) => Promise<unknown>)[] = [
      (id) => report(id, 4),
      (id) => report(id, 0, { mode: "absolute" }),
      (id) => createOrderRun(first.id, id, nut, 4, 0),
      (id) => createOrderRun(first.id, id, nut, 0, 1),
      (id) => createOrderRun(first.id, id, nut, 0, 0, undefined, null),
    ];
    for (const make of made) {
      const id = await newOrder();
      await addTarget(id, nut);
      await make(id);
      const before = await storedOrder(id);
      const answer = await without(id);
      expectProblem(answer, 409, "/skus");
      expect(answer.body.detail).toContain(nut);
      expect(await storedOrder(id)).toEqual(before);
    }
    const id = await newOrder();
    await addTarget(id, nut);
    // Units that were withdrawn do not count as produced, nor does a run without counts.
    await report(id, 4);
    await report(id, -4);
    await createOrderRun(first.id, id, nut, 0, 0);
    expect((await without(id)).status).toBe(204);
    expect(await shown(id)).toEqual([bolt]);
    expect((await storedOrder(id)).reports).toHaveLength(2);
    const back = [bolt, nut].map((sku) => ({ id: sku, quantity: 5 }));
    expect((await put({ skus: back, workOrder: { id } })).status).toBe(204);
    expect((await shown(id)).toSorted()).toEqual([bolt, nut].toSorted());
  });

  it("can be made by a superuser in any company, with that company's machines and SKUs", async () => {
    const { newOrder, second, nut } = await createOrderPlant();
    const { put, second: foreign, nut: foreignSku } = await newPlant("superuser");
    const id = await newOrder();
    const skus = [{ id: nut, quantity: 1 }];
    expect((await put({ machines: [String(second.id)], skus, workOrder: { id, name: "Theirs" } })).status).toBe(204);
    expect((await storedOrder(id)).order?.name).toBe("Theirs");
    const mixed = { machines: [String(second.id), String(foreign.id)], skus: [{ id: foreignSku, quantity: 1 }] };
    expectProblem(await put({ ...mixed, workOrder: { id } }), 400, "/machines/1", "/skus/0/id");
  });
});

describe("the status of a work order", () => {
  const ways: Record<string, readonly string[]> = {
    Backlog: ["Planned", "Cancelled"],
    Planned: ["Backlog", "InProgress", "Cancelled"],
    InProgress: ["Paused", "Completed", "Cancelled"],
    Paused: ["InProgress", "Completed", "Cancelled"],
    Completed: [],
    Cancelled: [],
  };
  const pairs = workOrderStatuses.flatMap((from) => workOrderStatuses.map((to) => ({ from, to })));

  it.each([
    ["user", []],
    ["admin", ["InProgress"]],
    ["superadmin", ["InProgress"]],
    ["superuser", ["InProgress"]],
  ] as const)("allows only the transitions that are open to %s", async (role, reopened) => {
    const { newOrder, put } = await newPlant(role);
    const open: typeof ways = { ...ways, Completed: reopened };
    for (const { from, to } of pairs) {
      const id = await newOrder({ status: from });
      const answer = await put({ workOrder: { id, status: to, name: "Changed" } });
      const { order } = await storedOrder(id);
      if (from === to || open[from]?.includes(to)) {
        expect([from, to, answer.status, order?.status, order?.name]).toEqual([from, to, 204, to, "Changed"]);
      } else {
        expectProblem(answer, 409);
        expect(answer.body.detail).toContain(`from ${from} to ${to}`);
        expect([order?.status, order?.name]).toEqual([from, "Order"]);
      }
    }
  });

  it("is changed by only one of two at the same time", async () => {
    const { newOrder, put, statusOf } = await newPlant();
    const changes = ["Completed", "Cancelled", "Completed", "Cancelled"];
    const id = await newOrder({ status: "InProgress" });
    const answers = await Promise.all(changes.map((status) => put({ workOrder: { id, status } })));
    const status = await statusOf(id);
    expect(changes).toContain(status);
    expect(answers.map((answer) => answer.status)).toEqual(changes.map((change) => (change === status ? 204 : 409)));
  });
});

describe("a refusal changes nothing and names", () => {
  it("an order that does not exist, is deleted, or another company's", async () => {
    const { newOrder, put } = await newPlant();
    const foreign = await (await createOrderPlant()).newOrder();
    const deleted = await newOrder({ deletedAt: 1 });
    const before = [await storedOrder(foreign), await storedOrder(deleted)];
    for (const id of [foreign, deleted, crypto.randomUUID(), "'; --"]) {
      const answer = await put({ workOrder: { id, name: "Mine" } });
      expectProblem(answer, 404);
      expect(answer.body.detail).toBe(`There is no work order ${id}.`);
    }
    expect([await storedOrder(foreign), await storedOrder(deleted)]).toEqual(before);
  });

  it("machines and SKUs that are not the company's, before a wrong status", async () => {
    const { newOrder, put, first, bolt } = await newPlant();
    const foreign = await createOrderPlant();
    const id = await newOrder();
    const before = await storedOrder(id);
    const body = {
      machines: [String(first.id), String(foreign.first.id), "999999999999999"],
      skus: [foreign.bolt, bolt, "none"].map((sku) => ({ id: sku, quantity: 1 })),
      workOrder: { id, status: "Completed" },
    };
    const answer = await put(body);
    expectProblem(answer, 400, "/machines/1", "/machines/2", "/skus/0/id", "/skus/2/id");
    for (const { code } of answer.body.errors) expect(code).toBe("not_found");
    expectProblem(await put({ machines: body.machines.slice(0, 2), workOrder: { id } }), 400, "/machines/1");
    expectProblem(await put({ skus: body.skus.slice(0, 2), workOrder: { id } }), 400, "/skus/0/id");
    expect(await storedOrder(id)).toEqual(before);
  });

  it("a code that another order of the company has, also if two set it at the same time", async () => {
    const { newOrder, put } = await newPlant();
    const [one, other] = [await newOrder({ code: "taken" }), await newOrder({ code: "mine" })];
    expectProblem(await put({ workOrder: { id: other, code: "taken", name: "Renamed" } }), 409, "/workOrder/code");
    expect((await storedOrder(other)).order).toMatchObject({ code: "mine", name: "Order" });
    expect((await put({ workOrder: { id: one, code: "taken" } })).status).toBe(204);
    const answers = await Promise.all([one, other].map((id) => put({ workOrder: { id, code: "wanted" } })));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
    const elsewhere = await newPlant();
    const id = await elsewhere.newOrder();
    expect((await elsewhere.put({ workOrder: { id, code: "wanted" } })).status).toBe(204);
  });

  it("members that the contract does not allow", async () => {
    const { newOrder, put, first, bolt } = await newPlant();
    const id = await newOrder();
    const before = await storedOrder(id);
    const machine = String(first.id);
    const sku = { id: bolt, quantity: 1 };
    const faulty: [string, object][] = [
      ["/machines", { machines: [] }],
      ["/machines", { machines: null }],
      ["/machines", { machines: Array.from({ length: 1001 }, (_, i) => String(i)) }],
      ["/machines/0", { machines: [first.id] }],
      ["/machines/0", { machines: [`${machine}.0`] }],
      ["/machines/1", { machines: [machine, `0${machine}`] }],
      ["/skus", { skus: [] }],
      ["/skus/1/id", { skus: [sku, { ...sku, quantity: 2 }] }],
      ["/skus/0/id", { skus: [{ quantity: 1 }] }],
      ["/skus/0/quantity", { skus: [{ ...sku, quantity: -1 }] }],
      ["/skus/0/quantity", { skus: [{ ...sku, quantity: "1" }] }],
      ["/skus/0/quantity", { skus: [{ id: bolt }] }],
      ["/workOrder", { workOrder: undefined }],
      ["/workOrder/id", { workOrder: { name: "A" } }],
      ["/workOrder/id", { workOrder: { id: 7 } }],
      ["/workOrder/id", { workOrder: { id: "\0" } }],
      ["/workOrder/id", { workOrder: { id: "x".repeat(101) } }],
      ["/workOrder/name", { workOrder: { id, name: "" } }],
      ["/workOrder/name", { workOrder: { id, name: null } }],
      ["/workOrder/code", { workOrder: { id, code: "a\0" } }],
      ["/workOrder/status", { workOrder: { id, status: "Done" } }],
    ];
    for (const [pointer, more] of faulty) expectProblem(await put({ workOrder: { id }, ...more }), 400, pointer);
    for (const body of ["", "{", "[]", "null"]) expectProblem(await put(body), 400, "");
    expect(await storedOrder(id)).toEqual(before);
  });
});
