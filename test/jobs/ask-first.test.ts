import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import { runDueReport } from "../../src/jobs/run-report.ts";
import { MINUTE, NOON, SECOND, stopClockAtNoon } from "../support/clock.ts";
import { createSku, createSubscription, createSubscriptionLog, createWorkOrder } from "../support/factories.ts";
import { doJob } from "../support/jobs.ts";
import { countAt, createLine, flushMachine, ingest, recordsOf } from "../support/machines.ts";

// Reads that the service does by itself also make the machines send their counts to D1 first, as a report does.

stopClockAtNoon();

/** A machine with an order, the last two units of which are not in D1. */
async function lineWithLastUnits() {
  const line = await createLine({ commissionedAt: NOON - MINUTE, stopAfterSeconds: 600, noDataAfterSeconds: null });
  const { companyId, machine, token } = line;
  const { skuId } = await createSku(companyId);
  const { workOrderId } = await createWorkOrder(machine, skuId, { status: "Planned", estimatedDeliveryAt: NOON + 30 * SECOND });
  await env.DB_0.prepare("update work_order_targets set target_quantity = 7 where work_order_id = ?").bind(workOrderId).run();
  const at = new Date(NOON - 30 * SECOND).toISOString();
  await ingest(token, [
    { type: "sku", at, machineId: machine.id, skuId, workOrderId },
    countAt(machine.nodeId, NOON - SECOND, 5),
  ]);
  await flushMachine(machine.id);
  vi.setSystemTime(NOON + 21 * SECOND);
  await ingest(token, [countAt(machine.nodeId, NOON + 19 * SECOND, 2)]);
  expect(await recordsOf(machine.id)).toMatchObject([{ totalUnits: 5 }]);
  return { ...line, workOrderId };
}

it("an order is not reported as late while its machine has the missing units but D1 does not", async () => {
  const { workOrderId, machine } = await lineWithLastUnits();
  await doJob("orders", NOON + 21 * SECOND);
  expect(await recordsOf(machine.id)).toMatchObject([{ totalUnits: 7 }]);
  const late = await env.DB_0.prepare("select key from events where key = ?").bind(`work_order.late:${workOrderId}`).all();
  expect(late.results).toEqual([]);
});

it("a mailed report makes its machines send their newest counts to D1 first", async () => {
  const { companyId, machine } = await lineWithLastUnits();
  const { id } = await createSubscription(companyId, { isActive: true, addresses: ["lead@example.test"] });
  const period = {
    nextAttemptAt: NOON,
    periodStart: NOON - MINUTE,
    periodEnd: NOON + 21 * SECOND,
    executeAt: NOON,
    executedAt: null,
  };
  const log = await createSubscriptionLog(id, { status: "scheduled", shiftId: null, ...period });
  await runDueReport(env, log.id, NOON + 21 * SECOND);
  expect(await recordsOf(machine.id)).toMatchObject([{ totalUnits: 7 }]);
});
