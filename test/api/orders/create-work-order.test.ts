import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { call } from "../../support/call.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import { createMachine, createSku } from "../../support/factories.ts";
import { createOrderPlant, storedOrder } from "../../support/work-orders.ts";

const path = "/work-orders/production-full";
const newCode = () => `WO-${crypto.randomUUID()}`;

async function newPlant(...role: Parameters<typeof createOrderPlant>) {
  const plant = await createOrderPlant(...role);
  const { token, first, bolt } = plant;
  const order = (more: object = {}) => ({
    machines: [{ machineId: first.id }],
    targets: [{ targetQuantity: 500, skuId: bolt }],
    workOrder: { name: "Bolts", code: newCode() },
    ...more,
  });
  const post = (body: unknown, headers: Record<string, string> = {}) => call("POST", path, { token, body, headers });
  return { ...plant, order, post };
}

async function ordersOf(companyId: number) {
  const found = await env.DB_0.prepare("select id from work_orders where company_id = ?").bind(companyId).all<{ id: string }>();
  return Promise.all(found.results.map(({ id }) => storedOrder(id)));
}

describe("a new work order", () => {
  it("is stored with its machines and targets, answered with an empty object", async () => {
    const { companyId, first, second, bolt, nut, post } = await newPlant();
    const code = newCode();
    const answer = await post({
      machines: [{ machineId: first.id }, { machineId: second.id, name: "?" }],
      targets: [
        { targetQuantity: 500, skuId: bolt },
        { targetQuantity: 0.5, skuId: nut },
      ],
      workOrder: {
        estimatedDeliveryTime: "2026-03-01T10:00:00.000+02:00",
        priority: -1.5,
        source: "ERP",
        status: "Planned",
        name: "Bolts and nuts",
        code,
        id: "mine",
      },
      more: true,
    });
    expect([answer.status, answer.body]).toEqual([200, {}]);
    expect(await ordersOf(companyId)).toEqual([
      {
        order: {
          id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
          company_id: companyId,
          code,
          name: "Bolts and nuts",
          status: "Planned",
          priority: -1.5,
          source: "ERP",
          estimated_delivery_at: Date.parse("2026-03-01T08:00:00Z"),
          created_at: expect.any(Number),
          updated_at: expect.any(Number),
          deleted_at: null,
          closed_at: null,
          late_told_for: null,
          number: expect.any(Number),
        },
        machineIds: [first.id, second.id],
        targets: [
          { skuId: bolt, quantity: 500, reported: [0, 0] },
          { skuId: nut, quantity: 0.5, reported: [0, 0] },
        ],
        reports: [],
      },
    ]);
  });

  it("needs a name and a code, and has defaults for the rest", async () => {
    const { companyId, order, post } = await newPlant();
    expect((await post(order())).status).toBe(200);
    const [stored] = await ordersOf(companyId);
    expect(stored?.order).toMatchObject({ status: "Backlog", priority: 0, source: "", estimated_delivery_at: null });
    const workOrder = { name: "B", code: newCode(), estimatedDeliveryTime: null, status: "InProgress" };
    expect((await post(order({ workOrder }))).status).toBe(200);
    expect((await ordersOf(companyId)).map((one) => one.order?.status).sort()).toEqual(["Backlog", "InProgress"]);
  });

  it("can have a thousand machines and targets", async () => {
    const { companyId, order, post } = await newPlant();
    const indexes = JSON.stringify(Array.from({ length: 1000 }, (_, i) => i));
    await env.DB_0.batch([
      env.DB_0.prepare(
        `insert into machines (company_id, name, ref, node_id, signal, commissioned_at, created_at, updated_at)
         select ?, 'Machine', 'M-' || value, 7, 'counts', 0, 0, 0 from json_each(?)`,
      ).bind(companyId, indexes),
      env.DB_0.prepare(
        "insert into skus (company_id, id, name, created_at, updated_at) select ?, 'S-' || value, 'SKU', 0, 0 from json_each(?)",
      ).bind(companyId, indexes),
    ]);
    const all = await env.DB_0.prepare("select id from machines where company_id = ? and node_id = 7").bind(companyId).all();
    const machines = all.results.map(({ id }) => ({ machineId: id }));
    const targets = machines.map((_, i) => ({ targetQuantity: i + 1, skuId: `S-${i}` }));
    expect((await post(order({ machines, targets }))).status).toBe(200);
    const [stored] = await ordersOf(companyId);
    expect([stored?.machineIds?.length, stored?.targets?.length]).toEqual([1000, 1000]);
    const [tooMany, more] = [
      [...machines, { machineId: 1 }],
      [...targets, { targetQuantity: 1, skuId: "x" }],
    ];
    expectProblem(await post(order({ machines: tooMany, targets: more })), 400, "/machines", "/targets");
  });

  it("may have a code that another company has", async () => {
    const [one, other] = [await newPlant(), await newPlant()];
    const workOrder = { name: "Same", code: newCode() };
    expect((await one.post(one.order({ workOrder }))).status).toBe(200);
    expect((await other.post(other.order({ workOrder }))).status).toBe(200);
    const answer = await one.post(one.order({ workOrder }));
    expectProblem(answer, 409, "/workOrder/code");
    expect(await ordersOf(one.companyId)).toHaveLength(1);
  });

  it("of a superuser belongs to the company of its machines, which must be the same", async () => {
    const { companyId, first, bolt } = await createOrderPlant();
    const other = await newPlant("superuser");
    const machines = [{ machineId: first.id }];
    const targets = [{ targetQuantity: 1, skuId: bolt }];
    expect((await other.post(other.order({ machines, targets }))).status).toBe(200);
    expect((await ordersOf(companyId))[0]?.order?.company_id).toBe(companyId);
    const mixed = [...machines, { machineId: other.first.id }];
    expectProblem(await other.post(other.order({ machines: mixed, targets })), 400, "/machines/1/machineId");
    const turned = await other.post(other.order({ machines: mixed.toReversed() }));
    expectProblem(turned, 400, "/machines/1/machineId");
    expectProblem(await other.post(other.order({ machines })), 400, "/targets/0/skuId");
    expectProblem(await other.post(other.order({ machines: [{ machineId: 2 ** 40 }] })), 400, "/machines/0/machineId");
    expect(await ordersOf(other.companyId)).toEqual([]);
  });
});

describe("a refusal creates nothing and names", () => {
  it("machines and SKUs that are unknown, deleted or another company's", async () => {
    const { companyId, first, bolt, order, post } = await newPlant();
    const foreign = await createOrderPlant();
    const gone = await createMachine(companyId, { deletedAt: 1 });
    const { skuId: goneSku } = await createSku(companyId);
    await env.DB_0.prepare("update skus set deleted_at = 1 where company_id = ? and id = ?").bind(companyId, goneSku).run();
    const machineIds = [foreign.first.id, first.id, gone.id, 2 ** 53 - 1];
    const skuIds = [foreign.bolt, bolt, goneSku, "none", "'; --"];
    const answer = await post(
      order({
        machines: machineIds.map((machineId) => ({ machineId })),
        targets: skuIds.map((skuId) => ({ skuId, targetQuantity: 1 })),
      }),
    );
    const pointers = [0, 2, 3].map((i) => `/machines/${i}/machineId`);
    expectProblem(answer, 400, ...pointers, ...[0, 2, 3, 4].map((i) => `/targets/${i}/skuId`));
    for (const { code } of answer.body.errors) expect(code).toBe("not_found");
    const alone = await post(order({ machines: [{ machineId: foreign.first.id }] }));
    expectProblem(alone, 400, "/machines/0/machineId");
    expect(await ordersOf(companyId)).toEqual([]);
    expect(await ordersOf(foreign.companyId)).toEqual([]);
  });

  it("members that the contract does not allow", async () => {
    const { companyId, first, bolt, order, post } = await newPlant();
    const machine = { machineId: first.id };
    const target = { targetQuantity: 1, skuId: bolt };
    const faulty: [string, object][] = [
      ["/machines", { machines: undefined }],
      ["/machines", { machines: [] }],
      ["/machines", { machines: machine }],
      ["/machines/1/machineId", { machines: [machine, machine] }],
      ["/machines/0/machineId", { machines: [{ machineId: String(first.id) }] }],
      ["/machines/0/machineId", { machines: [{ machineId: 1.5 }] }],
      ["/machines/0/machineId", { machines: [{ machineId: 2 ** 53 }] }],
      ["/machines/0", { machines: [first.id] }],
      ["/targets", { targets: [] }],
      ["/targets/1/skuId", { targets: [target, { ...target, targetQuantity: 2 }] }],
      ["/targets/0/targetQuantity", { targets: [{ skuId: bolt }] }],
      ["/targets/0/targetQuantity", { targets: [{ ...target, targetQuantity: 0 }] }],
      ["/targets/0/targetQuantity", { targets: [{ ...target, targetQuantity: "1" }] }],
      ["/targets/0/targetQuantity", { targets: [{ ...target, targetQuantity: 2 ** 53 + 2 }] }],
      ["/targets/0/skuId", { targets: [{ ...target, skuId: 7 }] }],
      ["/targets/0/skuId", { targets: [{ ...target, skuId: "s".repeat(101) }] }],
      ["/targets/0/skuId", { targets: [{ ...target, skuId: "a\0" }] }],
      ["/workOrder", { workOrder: null }],
    ];
    const members: [string, unknown][] = [
      ["name", undefined],
      ["name", ""],
      ["name", "n".repeat(201)],
      ["name", "a\0b"],
      ["name", "\ud800"],
      ["code", undefined],
      ["code", ""],
      ["code", "c".repeat(101)],
      ["code", 12],
      ["code", "c\0"],
      ["source", "\udfff"],
      ["source", null],
      ["priority", "1"],
      ["priority", -(2 ** 53) - 2],
      ["status", "Paused"],
      ["status", "Completed"],
      ["status", "backlog"],
      ["estimatedDeliveryTime", "tomorrow"],
      ["estimatedDeliveryTime", "2026-03-01"],
      ["estimatedDeliveryTime", 1_700_000_000],
    ];
    for (const [member, value] of members) {
      faulty.push([`/workOrder/${member}`, { workOrder: { name: "A", code: newCode(), [member]: value } }]);
    }
    for (const [pointer, more] of faulty) expectProblem(await post(order(more)), 400, pointer);
    const infinite = JSON.stringify(order({ workOrder: { name: "A", code: newCode(), priority: 9 } })).replace(":9", ":1e999");
    expectProblem(await post(infinite), 400, "/workOrder/priority");
    expectProblem(await post({}), 400, "/machines", "/targets", "/workOrder");
    for (const body of ["", "{", "[]", "null"]) expectProblem(await post(body), 400, "");
    expect(await ordersOf(companyId)).toEqual([]);
  });
});

describe("at the same time", () => {
  it("two orders of one code leave one order and one conflict", async () => {
    const { companyId, order, post } = await newPlant();
    const workOrder = { name: "A", code: newCode() };
    const answers = await Promise.all([1, 2, 3, 4].map(() => post(order({ workOrder }))));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    for (const answer of answers) if (answer.status === 409) expectProblem(answer, 409, "/workOrder/code");
    expect(await ordersOf(companyId)).toHaveLength(1);
  });

  it("two requests with one Idempotency-Key create one order and get the same answer", async () => {
    const { companyId, order, post } = await newPlant();
    const key = { "idempotency-key": crypto.randomUUID() };
    const body = order();
    const answers = await Promise.all([1, 2, 3].map(() => post(body, key)));
    expect(answers.map((answer) => [answer.status, answer.body])).toEqual(Array(3).fill([200, {}]));
    expect(await ordersOf(companyId)).toHaveLength(1);
  });
});

describe("with an Idempotency-Key", () => {
  it("the same request gets the first answer, another body a conflict, and a refusal is not stored", async () => {
    const { companyId, order, post } = await newPlant();
    const key = { "idempotency-key": crypto.randomUUID() };
    const body = order();
    expectProblem(await post({ ...body, machines: [{ machineId: 2 ** 40 }] }, key), 400, "/machines/0/machineId");
    const first = await post(body, key);
    const again = await post(body, key);
    expect([first.status, again.status, again.body]).toEqual([200, 200, first.body]);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(again.headers.get("content-type")).toBe(first.headers.get("content-type"));
    expectProblem(await post(order(), key), 409);
    expectProblem(await post(body, { "idempotency-key": crypto.randomUUID() }), 409, "/workOrder/code");
    expect(await ordersOf(companyId)).toHaveLength(1);
  });

  it("a key belongs to its user", async () => {
    const one = await newPlant();
    const other = await newPlant();
    const key = { "idempotency-key": "shared" };
    expect((await one.post(one.order(), key)).status).toBe(200);
    expect((await other.post(other.order(), key)).status).toBe(200);
    expect([(await ordersOf(one.companyId)).length, (await ordersOf(other.companyId)).length]).toEqual([1, 1]);
  });
});
