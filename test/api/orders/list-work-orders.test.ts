import { describe, expect, it } from "vitest";
import type { workOrders } from "../../../src/db/schema.ts";
import { call } from "../../support/call.ts";
import { HOUR, MINUTE, NOON, stopClockAtNoon } from "../../support/clock.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import { createMachine, createSku, createUser, createWorkOrder } from "../../support/factories.ts";
import { countAt, createLine, flushMachine, ingest } from "../../support/machines.ts";
import { createShiftParts } from "../../support/shift-parts.ts";
import { createOrderPlant, createOrderRun } from "../../support/work-orders.ts";

stopClockAtNoon();

type NewOrder = Partial<typeof workOrders.$inferInsert>;

async function newPlant() {
  const { first, second, bolt, nut, token, companyId } = await createOrderPlant();
  const add = async (options: NewOrder) => (await createWorkOrder(first, bolt, options)).workOrderId;
  const list = async (query: string) => {
    const answer = await call("GET", `/v1/work-orders?${query}`, { token });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body.data as { id: string; isLate: boolean; expectedAt: string | null; produced: number; remaining: number }[];
  };
  const ids = async (query: string) => (await list(query)).map(({ id }) => id);
  /** An open run: its production is in the parts of the machine's shift, which began these ms ago, as `[units, defects, available ms]`. */
  const run = async (workOrderId: string, machineId: number, parts: [number, [number, number, number]][], open = "available") => {
    const startAt = NOON - 20 * HOUR;
    const units = parts.reduce((sum, [, [total, defects]]) => sum + total - defects, 0);
    await createOrderRun(machineId, workOrderId, bolt, units, 0, startAt, null);
    await createShiftParts(
      { companyId, machineId, shiftId: 1, shiftStart: NOON - 6 * HOUR, shiftEnd: NOON + 2 * HOUR },
      parts.map(([ago, [totalUnits, defectUnits, availableMs]], i) => ({
        ...{ startAt: NOON - ago, workOrderId, skuId: bolt, totalUnits, defectUnits, availableMs },
        ...(i === parts.length - 1 && { asOf: NOON, openBucket: open as "available" }),
      })),
    );
  };
  return { first, second, bolt, nut, token, companyId, add, list, ids, run };
}

const iso = (at: number) => new Date(at).toISOString();

describe("the list of work orders", () => {
  it("is sorted by creation, delivery, priority or code, in both directions, page by page, with missing times last", async () => {
    const { add, ids, token } = await newPlant();
    const made = [
      await add({ code: "C", createdAt: 4, priority: 1.5, estimatedDeliveryAt: 20, status: "Paused" }),
      await add({ code: "A", createdAt: 2, priority: -1, estimatedDeliveryAt: null, status: "Planned" }),
      await add({ code: "D", createdAt: 3, priority: 7, estimatedDeliveryAt: 10, status: "Planned" }),
      await add({ code: "B", createdAt: 1, priority: 0, estimatedDeliveryAt: null, status: "Backlog" }),
      await add({ code: "E", createdAt: 5, priority: 3, estimatedDeliveryAt: 30, status: "InProgress" }),
    ] as const;
    const [c, a, d, b, e] = made;
    const withoutTime = [a, b].sort();
    const orders: Record<string, string[]> = {
      "": [e, c, d, a, b],
      createdAt: [b, a, d, c, e],
      "-createdAt": [e, c, d, a, b],
      estimatedDeliveryTime: [d, c, e, ...withoutTime],
      "-estimatedDeliveryTime": [e, c, d, ...withoutTime.toReversed()],
      priority: [a, b, c, e, d],
      "-priority": [d, e, c, b, a],
      code: [a, b, c, d, e],
      "-code": [e, d, c, b, a],
    };
    for (const [sort, expected] of Object.entries(orders)) {
      const query = sort && `sort=${sort}&`;
      expect(await ids(query), sort).toEqual(expected);
      for (const statuses of ["", "&statuses=Paused,Planned,Backlog,InProgress"]) {
        const paged: string[] = [];
        for (let cursor: string | null = ""; cursor !== null; ) {
          const path = `/v1/work-orders?${query}limit=1${statuses}${cursor && `&cursor=${cursor}`}`;
          const { status, body } = await call("GET", path, { token });
          expect(status, `${path} ${JSON.stringify(body)}`).toBe(200);
          paged.push(...body.data.map(({ id }: { id: string }) => id));
          cursor = body.cursor;
        }
        expect(paged, sort + statuses).toEqual(expected);
      }
    }
  });

  it("refuses an unknown order, and a cursor of another order", async () => {
    const { add, token } = await newPlant();
    await add({});
    await add({});
    const wrong = await call("GET", "/v1/work-orders?sort=name", { token });
    expectProblem(wrong, 400, "/query/sort");
    expect(wrong.body.errors[0].message).toContain('"-estimatedDeliveryTime"');
    const { cursor } = (await call("GET", "/v1/work-orders?limit=1", { token })).body;
    expectProblem(await call("GET", `/v1/work-orders?sort=code&cursor=${cursor}`, { token }), 400, "/query/cursor");
    expectProblem(await call("GET", "/v1/work-orders?late=true", { token }), 400, "/query/late");
  });

  it("filters by code, and by due time", async () => {
    const { add, ids } = await newPlant();
    const [one, other] = [
      await add({ code: "WO 1", estimatedDeliveryAt: 1000 }),
      await add({ code: "WO 2", estimatedDeliveryAt: 2000 }),
    ];
    await add({ code: "WO 3" });
    expect(await ids("code=WO%202")).toEqual([other]);
    expect(await ids("code=WO")).toEqual([]);
    expect(await ids(`dueBefore=${iso(2000)}`)).toEqual([one]);
    expect(await ids(`dueBefore=${iso(2001)}&sort=estimatedDeliveryTime`)).toEqual([one, other]);
    expect(await ids(`dueBefore=${iso(2001)}&sort=-estimatedDeliveryTime&statuses=Backlog,Paused`)).toEqual([other, one]);
  });
});

describe("a work order is late", () => {
  it("if its time has passed, unless it is completed or cancelled", async () => {
    const { add, ids, list } = await newPlant();
    const past = { estimatedDeliveryAt: NOON - 1 };
    const open = [];
    for (const status of ["Backlog", "Planned", "InProgress", "Paused"] as const) open.unshift(await add({ ...past, status }));
    const others = [await add({ ...past, status: "Completed" }), await add({ ...past, status: "Cancelled" })];
    others.push(await add({ estimatedDeliveryAt: NOON, status: "InProgress" }), await add({ status: "InProgress" }));
    expect((await ids("isLate=true")).toSorted()).toEqual(open.toSorted());
    expect((await ids("isLate=false")).toSorted()).toEqual(others.toSorted());
    expect(await ids("isLate=true&statuses=Completed")).toEqual([]);
    expect(await ids("isLate=true&sort=estimatedDeliveryTime&statuses=Paused")).toEqual([open[0]]);
    for (const { id, isLate } of await list("")) expect(isLate).toBe(open.includes(id));
  });

  it("if the rest takes longer than its time, at the rate of the machines that make it", async () => {
    const { first, second, add, list, ids, run } = await newPlant();
    // 300 good units in 50 minutes, and 100 in 50 minutes: 8 a minute. Of 1000, 600 are left.
    const order = { status: "InProgress", estimatedDeliveryAt: NOON + 75 * MINUTE } as const;
    const due = await add(order);
    const early = await add({ ...order, estimatedDeliveryAt: order.estimatedDeliveryAt - 1 });
    await run(due, first.id, [
      [3 * HOUR, [0, 0, HOUR]],
      [119 * MINUTE, [210, 10, 40 * MINUTE]],
      [10 * MINUTE, [100, 0, 10 * MINUTE]],
    ]);
    await run(due, second.id, [[50 * MINUTE, [110, 10, 50 * MINUTE]]]);
    const listed = (await list("statuses=InProgress&isLate=false")).find(({ id }) => id === due);
    expect(listed).toMatchObject({ produced: 400, remaining: 600, expectedAt: iso(NOON + 75 * MINUTE), isLate: false });
    expect(await ids("isLate=true")).toEqual([]);
    // The same, due a moment earlier.
    const third = await createMachine(first.companyId);
    await run(early, third.id, [[50 * MINUTE, [400, 0, 50 * MINUTE]]]);
    expect(await list("isLate=true")).toMatchObject([{ id: early, expectedAt: iso(NOON + 75 * MINUTE), isLate: true }]);
  });

  it("but not by a rate while it is not running", async () => {
    const { first, second, add, list, run, companyId } = await newPlant();
    const made: [number, [number, number, number]][] = [[30 * MINUTE, [100, 0, 30 * MINUTE]]];
    const running = await add({ status: "InProgress" });
    await run(running, first.id, made);
    const paused = await add({ status: "Paused" });
    await run(paused, second.id, made);
    const stopped = await add({ status: "InProgress" });
    await run(stopped, (await createMachine(companyId)).id, made, "nonProgrammed");
    const fruitless = await add({ status: "InProgress" });
    await run(fruitless, (await createMachine(companyId)).id, [[30 * MINUTE, [0, 0, 30 * MINUTE]]]);
    const done = await add({ status: "InProgress" });
    await run(done, (await createMachine(companyId)).id, [[30 * MINUTE, [1200, 0, 30 * MINUTE]]]);
    const ended = await add({ status: "InProgress" });
    await createOrderRun(first.id, ended, "x", 5, 0, NOON - HOUR, NOON - MINUTE);
    const expected = Object.fromEntries((await list("")).map(({ id, expectedAt }) => [id, expectedAt]));
    expect(expected).toEqual({
      [running]: iso(NOON + 270 * MINUTE),
      ...{ [paused]: null, [stopped]: null, [fruitless]: null, [done]: null, [ended]: null },
    });
  });
});

it("the expected end of an order uses the rate of its machine, in every operation", async () => {
  const { companyId, machine, token: gateway } = await createLine({ commissionedAt: NOON - 3 * HOUR });
  const { skuId } = await createSku(companyId);
  const { token } = await createUser(companyId, "readonly");
  const due = { status: "InProgress", estimatedDeliveryAt: NOON + 3 * HOUR } as const;
  const { workOrderId } = await createWorkOrder(machine, skuId, due);
  await ingest(gateway, [
    { type: "sku", at: iso(NOON - 50 * MINUTE), machineId: machine.id, skuId, workOrderId },
    ...Array.from({ length: 101 }, (_, i) => countAt(machine.nodeId, NOON - 50 * MINUTE + i * 30_000, 2)),
  ]);
  await flushMachine(machine.id);
  const { body } = await call("GET", `/v1/work-orders/${workOrderId}`, { token });
  expect(body).toMatchObject({ produced: 202, remaining: 798, isLate: true });
  const perMs = 202 / (50 * MINUTE);
  expect(Date.parse(body.expectedAt)).toBe(Math.ceil(NOON + 798 / perMs));
  expect((await call("GET", "/v1/work-orders?isLate=true", { token })).body.data).toEqual([body]);
  expect((await call("GET", "/v1/work-orders?isLate=false", { token })).body.data).toEqual([]);
});

it("work orders are found by parts of their code, name and SKUs", async () => {
  const { first, bolt, add, ids, token } = await newPlant();
  const [a, b] = [await add({ code: "WO-1001", name: "Große Charge" }), await add({ code: "WO-2001", name: "50% of the rest_" })];
  const mine = (found: string[]) => found.filter((id) => id === a || id === b).sort();
  const search = async (text: string, more = "") => mine(await ids(`search=${encodeURIComponent(text)}${more}`));
  expect(await search("wo-1")).toEqual([a]);
  expect(await search("001 große")).toEqual([a]);
  expect(await search("  REST  2001 ")).toEqual([b]);
  // What would be a pattern elsewhere is a text here.
  expect([await search("%"), await search("t_"), await search("_0")]).toEqual([[b], [b], []]);
  expect(await search("1001 2001")).toEqual([]);
  expect(await search("nothing of that kind")).toEqual([]);
  expect(await search(bolt.toUpperCase())).toEqual([a, b].sort());
  expect(await search(`${bolt.slice(1)} charge`, `&machineIds=${first.id}&sort=estimatedDeliveryTime`)).toEqual([a]);
  expect(await search(" ")).toEqual([a, b].sort());
  const words = await call("GET", "/v1/work-orders?search=a+b+c+d+e+f", { token });
  expectProblem(words, 400, "/query/search");
});
