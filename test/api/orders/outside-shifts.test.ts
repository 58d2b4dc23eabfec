import { expect, it } from "vitest";
import { call } from "../../support/call.ts";
import { DAY, HOUR, MINUTE } from "../../support/clock.ts";
import {
  createChannels,
  createCompany,
  createGatewayToken,
  createMachine,
  createShift,
  createSku,
  createUser,
  createWorkOrder,
} from "../../support/factories.ts";
import { countAt, flushMachine, ingest, recordsOf } from "../../support/machines.ts";

it("an order says how many of its good units were counted outside every shift", async () => {
  const day = Math.floor(Date.now() / DAY) * DAY - DAY;
  const { companyId } = await createCompany();
  await createShift(companyId, { start: "06:00", end: "14:00" });
  const machine = await createMachine(companyId, { commissionedAt: day - 10 * DAY });
  await createChannels(machine, [
    { channel: 1, type: "total" },
    { channel: 2, type: "defect" },
  ]);
  const { token: gateway } = await createGatewayToken(companyId);
  const { skuId } = await createSku(companyId);
  const { workOrderId } = await createWorkOrder(machine, skuId);
  const { token } = await createUser(companyId, "admin");
  const at = day + 13 * HOUR;
  const sku = { type: "sku", at: new Date(at).toISOString(), machineId: machine.id, skuId, workOrderId };
  // Up to the end of the shift at 14:00, and after it.
  const counts = [0, 30, 59, 60, 90].map((minute) => countAt(machine.nodeId, at + minute * MINUTE, 10));
  const rejected = { ...countAt(machine.nodeId, at + 91 * MINUTE, 3), channel: 2 };
  await ingest(gateway, [sku, ...counts, rejected]);
  await flushMachine(machine.id);

  const { body } = await call("GET", `/v1/work-orders/${workOrderId}`, { token });
  expect(body).toMatchObject({ produced: 47, producedOutsideShifts: 17 });
  const reported = (await recordsOf(machine.id)).reduce((sum, { totalUnits, defectUnits }) => sum + totalUnits - defectUnits, 0);
  expect(reported).toBe(47 - 17);
});
