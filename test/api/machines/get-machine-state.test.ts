import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import { call } from "../../support/call.ts";
import { DAY, HOUR, MINUTE, NOON, SECOND, stopClockAtNoon } from "../../support/clock.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import {
  createCompany,
  createMachine,
  createOperator,
  createShift,
  createSku,
  createUser,
  createWorkOrder,
} from "../../support/factories.ts";
import { countAt, ingest } from "../../support/machines.ts";
import { counts, createStoppedLine, iso, START, stopsOf } from "../stops/stopped-line.ts";

stopClockAtNoon();

const stateOf = async ({ token, machineId }: { token: string; machineId: number }) =>
  (await call("GET", `/v1/machines/${machineId}/state`, { token })).body;

it("shows a machine's stop, and the second at which it runs again", async () => {
  const line = await createStoppedLine();
  const running = (await stopsOf(line)).at(-1);
  const midnight = START + DAY;
  const shift = { id: line.shiftId, startTime: iso(midnight), endTime: iso(midnight + DAY), isActive: true };
  const nobody = { sku: null, workOrderId: null, operators: [] };
  const state = await stateOf(line);
  expect(state).toMatchObject({ machineId: line.machineId, shift, ...nobody });
  expect(state).toMatchObject({ status: "N", since: iso(NOON - HOUR), stopId: running.id, lastEventAt: iso(NOON - HOUR) });
  await call("PATCH", `/v1/stops/${running.id}`, { token: line.token, body: { isProgrammed: true } });
  expect((await stateOf(line)).status).toBe("P");
  await call("PATCH", `/v1/stops/${running.id}`, { token: line.token, body: { isIncludedInAvailability: false } });
  expect((await stateOf(line)).status).toBe("O");

  await ingest(line.gateway, [countAt(line.machine.nodeId, NOON)]);
  expect(await stateOf(line)).toMatchObject({ status: "A", stopId: null, since: iso(NOON), lastEventAt: iso(NOON) });
  vi.setSystemTime(NOON + 120 * SECOND);
  expect((await stateOf(line)).status).toBe("A");
  // A stop shows when it is longer than a micro-stop, and began at the last count.
  vi.setSystemTime(NOON + 120 * SECOND + 1);
  expect(await stateOf(line)).toMatchObject({ status: "N", since: iso(NOON), stopId: expect.any(Number) });
});

it("shows what is made, for which order, and by whom", async () => {
  const line = await createStoppedLine();
  const { machineId, companyId } = line;
  const sku = await createSku(companyId);
  const { workOrderId } = await createWorkOrder(line.machine, sku.skuId);
  const [zoe, ann] = [await createOperator(companyId, { name: "Zoe" }), await createOperator(companyId, { name: "Ann" })];
  const sign = (operatorId: number, action: string, at: number) => ({
    type: "operator",
    at: iso(at),
    machineId,
    operatorId,
    action,
  });
  await ingest(line.gateway, [
    ...counts(line.machine.nodeId, NOON - 30 * MINUTE, NOON),
    { type: "sku", at: iso(NOON - MINUTE), machineId, skuId: sku.skuId, workOrderId },
    sign(zoe.operatorId, "in", NOON - 20 * MINUTE),
    sign(ann.operatorId, "in", NOON - 10 * MINUTE),
  ]);
  expect(await stateOf(line)).toMatchObject({
    status: "A",
    since: iso(NOON - 30 * MINUTE),
    sku: { id: sku.skuId, name: sku.name },
    workOrderId,
    operators: [
      { id: ann.operatorId, name: "Ann", since: iso(NOON - 10 * MINUTE) },
      { id: zoe.operatorId, name: "Zoe", since: iso(NOON - 20 * MINUTE) },
    ],
  });
});

it("shows missing data, time outside shifts, and a machine without events, before its service and after it", async () => {
  const line = await createStoppedLine({ noDataAfterSeconds: 300 });
  expect(await stateOf(line)).toMatchObject({ status: "D", since: iso(NOON - HOUR), stopId: null });

  const { companyId } = await createCompany();
  const { token } = await createUser(companyId, "readonly");
  await createShift(companyId, { start: "02:00", end: "10:00" });
  const machine = await createMachine(companyId, { commissionedAt: START, noDataAfterSeconds: null });
  expect(await stateOf({ token, machineId: machine.id })).toEqual({
    machineId: machine.id,
    status: "U",
    since: iso(NOON - 2 * HOUR),
    stopId: null,
    shift: null,
    sku: null,
    workOrderId: null,
    operators: [],
    lastEventAt: null,
    isDegraded: false,
    heldCounts: 0,
    isRecalculating: false,
  });
  const coming = await createMachine(companyId, { commissionedAt: NOON + HOUR });
  const gone = await createMachine(companyId, { commissionedAt: START, decommissionedAt: NOON - 5 * HOUR });
  expect(await stateOf({ token, machineId: coming.id })).toMatchObject({ status: "U", stopId: null, shift: null });
  expect(await stateOf({ token, machineId: gone.id })).toMatchObject({ status: "U", since: iso(NOON - 5 * HOUR), stopId: null });
});

it("hides another company's machines", async () => {
  const line = await createStoppedLine();
  const { token } = await createUser((await createCompany()).companyId, "superadmin");
  const ask = (as: string, id: number | string) => call("GET", `/v1/machines/${id}/state`, { token: as });
  expectProblem(await ask(token, line.machineId), 404);
  expectProblem(await ask(line.token, 999_999_999), 404);
  expectProblem(await ask(line.token, "x"), 400, "/path/id");
  expect((await ask(line.superuser, line.machineId)).status).toBe(200);
  await env.DB_0.prepare("UPDATE machines SET deleted_at = 1 WHERE id = ?").bind(line.machineId).run();
  expectProblem(await ask(line.token, line.machineId), 404);
});
