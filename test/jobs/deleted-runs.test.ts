import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { companyDb } from "../../src/db/client.ts";
import { runJob } from "../../src/jobs/jobs.ts";
import { agedRows } from "../../src/jobs/retention/queries.ts";
import { withBudget } from "../../src/limits/budget.ts";
import { call } from "../support/call.ts";
import { DAY, HOUR, MINUTE, NOON, stopClockAtNoon } from "../support/clock.ts";
import { killedAfter } from "../support/databases.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { createSku, createUser, createWorkOrder } from "../support/factories.ts";
import { countAt, createLine, flushMachine, ingest, recordsOf, republish } from "../support/machines.ts";
import { overtakenBy } from "../support/overtaken.ts";
import { createShiftParts } from "../support/shift-parts.ts";
import { createOrderRun } from "../support/work-orders.ts";

// Runs of orders are deleted with their shifts, and the orders keep their totals.

stopClockAtNoon();
beforeEach(() => {
  vi.spyOn(console, "log").mockReturnValue(undefined);
});
afterEach(() => {
  vi.restoreAllMocks();
});

const LATER = NOON + 100 * DAY;
const iso = (at: number) => new Date(at).toISOString();

/** An order for which a machine made 60 units an hour from 8:00 to 9:00 and from 9:30 to 11:00, a tenth of them defects. */
async function createMadeOrder() {
  const { machine, token: gateway, companyId } = await createLine({ commissionedAt: NOON - 2 * DAY });
  const { skuId } = await createSku(companyId);
  const { workOrderId } = await createWorkOrder(machine, skuId, { status: "InProgress", estimatedDeliveryAt: NOON - HOUR });
  const { token } = await createUser(companyId, "admin");
  const switchTo = (order: string | null, at: number) => {
    return { type: "sku", at: iso(at), machineId: machine.id, skuId, workOrderId: order };
  };
  const counts = (from: number, to: number) =>
    Array.from({ length: (to - from) / MINUTE }, (_, i) => [
      countAt(machine.nodeId, from + i * MINUTE),
      ...(i % 10 === 9 ? [countAt(machine.nodeId, from + i * MINUTE, 1, { channel: 2 })] : []),
    ]).flat();
  const send = async (...events: object[]) => {
    expect((await ingest(gateway, events)).rejected).toEqual([]);
    await flushMachine(machine.id);
  };
  const make = (from: number, to: number) => send(switchTo(workOrderId, from), ...counts(from, to), switchTo(null, to));
  await make(NOON - 4 * HOUR, NOON - 3 * HOUR);
  await make(NOON - 2.5 * HOUR, NOON - HOUR);
  /** What the service says of the order, without what the database has. */
  const seen = async () => [
    (await call("GET", `/v1/work-orders/${workOrderId}`, { token })).body,
    (await call("GET", "/v1/work-orders?isLate=true", { token })).body.data,
  ];
  const total = async () => {
    const { progress } = (await call("GET", `/v1/work-orders/${workOrderId}`, { token })).body;
    return [progress[0].correct, progress[0].defects];
  };
  const report = (body: object, at: number, ...meanwhile: (() => Promise<unknown>)[]) =>
    call("PATCH", `/work/${workOrderId}/progress`, {
      ...{ token, body: { mode: "absolute", ...body, occurredAt: iso(at) } },
      ...(meanwhile.length > 0 && { via: overtakenBy(...meanwhile) }),
    });
  const forget = async (bindings: Partial<Env> = {}) => {
    const { env: own } = withBudget({ ...env, HISTORY_KEPT_DAYS: "93", ...bindings });
    await runJob(own, { job: "forget", at: LATER, companyIds: [companyId] });
  };
  return { companyId, machine, skuId, workOrderId, token, make, send, counts, seen, total, report, forget };
}

const runsOf = (machineId: number) =>
  env.DB_0.prepare("SELECT count(*) AS n FROM order_runs WHERE machine_id = ?").bind(machineId).first("n");

/** As the cron does: finds what is the oldest of the company, and deletes what is due. */
async function forgetAll({ forget }: Awaited<ReturnType<typeof createMadeOrder>>): Promise<void> {
  await forget();
  await forget();
}

describe("the runs of an order that are deleted with their shifts", () => {
  it("leave what the service says of the order as it was", async () => {
    const order = await createMadeOrder();
    const before = await order.seen();
    expect(await order.total()).toEqual([135, 15]);
    await forgetAll(order);
    expect([await runsOf(order.machine.id), await recordsOf(order.machine.id)]).toEqual([0, []]);
    expect(await order.seen()).toEqual(before);
    const path = `/v1/work-orders/${order.workOrderId}`;
    expectProblem(await call("DELETE", path, { token: order.token }), 409);
    const { skuId: other } = await createSku(order.companyId);
    const body = { workOrder: { id: order.workOrderId }, skus: [{ id: other, quantity: 1 }] };
    expectProblem(await call("PUT", "/work-order-target", { token: order.token, body }), 409, "/skus");
  });

  it("do not count twice or come back if their machine publishes them again", async () => {
    const order = await createMadeOrder();
    await forgetAll(order);
    await republish(order.machine.id);
    await flushMachine(order.machine.id);
    expect(await recordsOf(order.machine.id)).not.toEqual([]);
    expect([await runsOf(order.machine.id), await order.total()]).toEqual([0, [135, 15]]);
    await forgetAll(order);
    expect(await order.total()).toEqual([135, 15]);
  });

  it("are added to by later ones, which are deleted later", async () => {
    const order = await createMadeOrder();
    await forgetAll(order);
    vi.setSystemTime(NOON + HOUR);
    await order.make(NOON, NOON + HOUR);
    expect([await runsOf(order.machine.id), await order.total()]).toEqual([1, [189, 21]]);
    await forgetAll(order);
    expect([await runsOf(order.machine.id), await order.total()]).toEqual([0, [189, 21]]);
  });

  it("count from the total on that was stated last, whether stated before or after their deletion", async () => {
    const order = await createMadeOrder();
    // Good units from 9:30 on, defects from the beginning.
    expect((await order.report({ correct: 1000 }, NOON - 2.5 * HOUR)).status).toBe(204);
    const before = await order.seen();
    expect(await order.total()).toEqual([1081, 15]);
    await forgetAll(order);
    expect(await order.seen()).toEqual(before);
    // Nobody knows any more what was made when.
    const refused = await order.report({ correct: 1 }, NOON - 2 * HOUR);
    expectProblem(refused, 409, "/occurredAt");
    expect(refused.body.errors[0].code).toBe("settled");
    // One for a time before the last changes nothing, as ever.
    expect((await order.report({ correct: 1 }, NOON - 3 * HOUR)).status).toBe(204);
    expect(await order.total()).toEqual([1081, 15]);
    expect((await order.report({ correct: 5 }, NOON - MINUTE)).status).toBe(204);
    expect(await order.total()).toEqual([5, 15]);
    expect((await order.report({ defects: 2 }, NOON - MINUTE)).status).toBe(204);
    vi.setSystemTime(NOON + HOUR);
    await order.make(NOON, NOON + HOUR);
    expect(await order.total()).toEqual([59, 8]);
    await forgetAll(order);
    expect(await order.total()).toEqual([59, 8]);
  });

  it("may be deleted while a total is stated", async () => {
    const first = async () => undefined;
    for (const meanwhile of [[], [first]]) {
      const [inside, after] = [await createMadeOrder(), await createMadeOrder()];
      const refused = await inside.report({ correct: 1 }, NOON - 3.5 * HOUR, ...meanwhile, () => forgetAll(inside));
      expectProblem(refused, 409, "/occurredAt");
      expect(await inside.total()).toEqual([135, 15]);
      expect((await after.report({ correct: 1 }, NOON - MINUTE, ...meanwhile, () => forgetAll(after))).status).toBe(204);
      expect(await after.total()).toEqual([1, 15]);
      expect([await runsOf(inside.machine.id), await runsOf(after.machine.id)]).toEqual([0, 0]);
    }
  });

  it("are not lost or doubled if the job is killed anywhere", async () => {
    const order = await createMadeOrder();
    const before = await order.seen();
    await order.forget();
    for (let trips = 1; trips <= 12; trips++) {
      await env.DB_0.exec("DELETE FROM retention_runs");
      await order.forget(killedAfter(trips)).catch(() => undefined);
      expect(await order.seen(), `killed after ${trips} trips`).toEqual(before);
    }
    expect(await runsOf(order.machine.id)).toBe(0);
  });

  it("count for the expected end of the order", async () => {
    const { companyId, machine, skuId, workOrderId, token, seen, forget } = await createMadeOrder();
    await createOrderRun(machine.id, workOrderId, skuId, 500, 0, NOON - 30 * MINUTE, null);
    await createShiftParts(
      { companyId, machineId: machine.id, shiftId: 1, shiftStart: NOON - 30 * MINUTE, shiftEnd: NOON + 8 * HOUR },
      [
        {
          ...{ startAt: NOON - 30 * MINUTE, workOrderId, skuId, totalUnits: 500, defectUnits: 0, availableMs: 30 * MINUTE },
          ...{ asOf: NOON, openBucket: "available" as const },
        },
      ],
    );
    // 365 are left, at 1,000 an hour.
    await env.DB_0.prepare("UPDATE work_orders SET estimated_delivery_at = ? WHERE id = ?")
      .bind(NOON + 25 * MINUTE, workOrderId)
      .run();
    const punctual = async () => (await call("GET", "/v1/work-orders?isLate=false", { token })).body.data;
    const before = [await seen(), await punctual()];
    expect(before[1]).toMatchObject([{ id: workOrderId, remaining: 365, expectedAt: iso(NOON + 21.9 * MINUTE) }]);
    await forget();
    await forget();
    expect(await runsOf(machine.id)).toBe(1);
    expect([await seen(), await punctual()]).toEqual(before);
  });
});

it("the deletion of runs takes steps of 1,000, each of which reads little more than it deletes", async () => {
  const { companyId, machine, skuId, workOrderId, total } = await createMadeOrder();
  await env.DB_0.prepare(
    `INSERT INTO order_runs (machine_id, start_at, revision, work_order_id, sku_id, correct, defects, end_at)
      SELECT ?, key * 10, 1, ?, ?, 1, 0, key * 10 + 5 FROM json_each(?)`,
  )
    .bind(machine.id, workOrderId, skuId, JSON.stringify(Array(2500).fill(0)))
    .run();
  expect(await total()).toEqual([2635, 15]);
  const db = companyDb(env, "first-primary");
  const { deleteStep } = agedRows.orderRuns;
  const steps: number[] = [];
  for (const left of [1502, 502, 0]) {
    const before = db.usage.rowsRead;
    steps.push((await deleteStep?.(db, NOON, companyId)) ?? 0);
    expect(await runsOf(machine.id)).toBe(left);
    expect(db.usage.rowsRead - before).toBeLessThan(12_000);
    expect(await total()).toEqual([2635, 15]);
  }
  expect(steps).toEqual([1000, 1000, 502]);
});
