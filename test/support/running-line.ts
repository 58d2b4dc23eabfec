import {
  createChannels,
  createCompany,
  createGatewayToken,
  createMachine,
  createOperator,
  createShift,
  createSku,
} from "./factories.ts";
import { countAt, flushMachine, ingest } from "./machines.ts";

const minute = 60_000;

/**
 * A company whose 24 h shift began some six hours ago, with a machine in service since then. Its events went through the API:
 * counts of 2 every 30 s in the first hour, then a stop of 30 minutes, counts for 30 minutes more, and a stop since.
 * One operator was signed in from the start, with one SKU in work.
 */
export async function createRunningLine() {
  const { companyId } = await createCompany();
  const startAt = Math.floor(Date.now() / minute) * minute - 360 * minute;
  const clock = new Date(startAt).toISOString().slice(11, 16);
  const machine = await createMachine(companyId, {
    commissionedAt: startAt,
    stopAfterSeconds: 60,
    noDataAfterSeconds: null,
    standardCycleSeconds: 15,
  });
  const shift = await createShift(companyId, { start: clock, end: clock, machineIds: [machine.id] });
  await createChannels(machine, [{ channel: 1, type: "total" }]);
  const operator = await createOperator(companyId);
  const sku = await createSku(companyId);
  const { token } = await createGatewayToken(companyId);
  const at = new Date(startAt).toISOString();
  const halfMinutes = [...Array.from({ length: 121 }, (_, i) => i), ...Array.from({ length: 61 }, (_, i) => 180 + i)];
  const answer = await ingest(token, [
    { type: "operator", at, machineId: machine.id, operatorId: operator.operatorId, action: "in" },
    { type: "sku", at, machineId: machine.id, skuId: sku.skuId },
    ...halfMinutes.map((i) => countAt(machine.nodeId, startAt + i * 30_000, 2)),
  ]);
  if (answer.rejected.length > 0) throw new Error(JSON.stringify(answer.rejected));
  await flushMachine(machine.id);
  return { companyId, shift, machine, operator, sku, gatewayToken: token, startAt, endAt: startAt + 24 * 60 * minute };
}
