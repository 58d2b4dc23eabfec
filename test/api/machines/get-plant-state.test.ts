import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { call } from "../../support/call.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import {
  createLine,
  createMachine,
  createOperator,
  createSku,
  createStopCause,
  createUser,
  createWorkOrder,
} from "../../support/factories.ts";
import { countAt, flushMachine, ingest } from "../../support/machines.ts";
import { createRunningLine } from "../../support/running-line.ts";
import { changed, serviceWith } from "../../support/service.ts";

const path = "/v1/state";

/** A running line, and a user who reads its state. */
async function plant() {
  const line = await createRunningLine();
  const { token } = await createUser(line.companyId, "readonly");
  const get = async (at: string) => (await call("GET", at, { token })).body;
  const state = async (query = "") => (await get(path + query)).data;
  return { ...line, token, get, state };
}

describe("the state of all machines", () => {
  it("agrees with each machine's state and record and with the summary", async () => {
    const { machine, operator, sku, get, state } = await plant();
    const [own, [record], summary] = [
      await get(`/v1/machines/${machine.id}/state`),
      (await get("/v1/shift-records")).data,
      await get("/v1/summary?groupBy=shift"),
    ];
    const [only, ...others] = await state();
    expect(others).toEqual([]);
    const { status, since, shift, sku: shownSku, operators, lastEventAt } = own;
    expect(only).toMatchObject({
      ...{ machine: { id: machine.id, name: machine.name, ref: machine.ref }, line: null, isReachable: true },
      ...{ status, since, shift, sku: shownSku, workOrder: null, operators, lastEventAt },
    });
    expect(only).toMatchObject({ status: "N", sku: { id: sku.skuId, name: sku.name }, operators: [{ name: operator.name }] });
    expect(only.stop).toEqual({
      ...{ id: own.stopId, since, name: "Stop", generalCause: null, specificCause: null, component: null },
    });
    const { total, defects, quality, effectiveness, oee } = record.productionMetrics;
    expect(only).toMatchObject({ total, defects, quality });
    expect(total).toBeGreaterThan(0);
    // One is in whole percent, the other has two decimals, and some milliseconds pass in between.
    expect(Math.abs(only.effectiveness - effectiveness)).toBeLessThanOrEqual(0.51);
    expect(Math.abs(only.oee - oee)).toBeLessThanOrEqual(0.51);
    expect(only.availability).toBeCloseTo(record.shiftIndicators.availability, 0);
    expect(only.target).toBeGreaterThan(0);
    expect(Math.abs(only.target - summary.total.target)).toBeLessThan(1);
  });

  it("has what began since the last flush, and the causes of the stop", async () => {
    const { companyId, machine, shift, operator, gatewayToken, state } = await plant();
    const [sku, { causeId, name }] = [await createSku(companyId), await createStopCause(companyId)];
    const specific = await createStopCause(companyId, { level: "specific", parentId: causeId });
    const { workOrderId } = await createWorkOrder(machine, sku.skuId);
    const second = await createOperator(companyId);
    const admin = await createUser(companyId, "admin");
    const [{ stop }] = await state();
    const body = { generalCauseId: causeId, specificCauseId: specific.causeId, componentId: null, description: "Belt" };
    const classified = await call("PUT", `/v1/stops/${stop.id}/classification`, { token: admin.token, body });
    expect(classified.status, JSON.stringify(classified.body)).toBe(200);
    const at = new Date(Date.now() - 1000).toISOString();
    await ingest(gatewayToken, [
      { type: "sku", at, machineId: machine.id, skuId: sku.skuId, workOrderId },
      { type: "operator", at, machineId: machine.id, operatorId: second.operatorId, action: "in" },
    ]);
    const expected = {
      shift: { id: shift.shiftId, name: shift.name },
      sku: { id: sku.skuId, name: sku.name },
      workOrder: { id: workOrderId, name: "Order", code: expect.stringMatching(/^WO-/) },
      operators: expect.arrayContaining(
        [operator, second].map((one) => expect.objectContaining({ id: one.operatorId, name: one.name })),
      ),
      stop: {
        ...{ id: stop.id, name: specific.name, component: null },
        ...{ generalCause: { id: causeId, name }, specificCause: { id: specific.causeId, name: specific.name } },
      },
    };
    expect((await state())[0]).toMatchObject(expected);
    await flushMachine(machine.id);
    expect((await state())[0]).toMatchObject(expected);
  });

  it("includes new counts at once", async () => {
    const { machine, gatewayToken, state } = await plant();
    const [before] = await state();
    await ingest(gatewayToken, [countAt(machine.nodeId, Date.now(), 5)]);
    const [after] = await state();
    expect(after).toMatchObject({ status: "A", stop: null, total: before.total + 5 });
  });

  it("has the machines of the company or of some lines, in the order of the lines", async () => {
    const { companyId, machine, token, state } = await plant();
    const [last, first] = [await createLine(companyId, { order: 2 }), await createLine(companyId, { order: 1 })];
    const b = await createMachine(companyId, { name: "M 10", lineId: last.lineId });
    const a = await createMachine(companyId, { name: "M 9", lineId: last.lineId });
    const c = await createMachine(companyId, { lineId: first.lineId });
    await createMachine(companyId, { lineId: first.lineId, deletedAt: 1 });
    // biome-ignore lint/suspicious/noExplicitAny: items.
    const ids = async (query = "") => (await state(query)).map((item: any) => item.machine.id);
    expect(await ids()).toEqual([c.id, a.id, b.id, machine.id]);
    expect(await ids(`?lineIds=${last.lineId}`)).toEqual([a.id, b.id]);
    expect(await ids(`?lineIds=${last.lineId},${first.lineId}&machineIds=${a.id},${machine.id}`)).toEqual([a.id]);
    expect((await state(`?machineIds=${c.id}`))[0]).toMatchObject({
      ...{ line: { id: first.lineId, name: first.name }, status: "U", shift: null, stop: null, oee: null, total: null },
      ...{ operators: [], lastEventAt: null, isReachable: true },
    });

    const other = await plant();
    expectProblem(await call("GET", `${path}?machineIds=${other.machine.id}`, { token }), 404, "/query/machineIds");
    expectProblem(await call("GET", `${path}?companyId=${other.companyId}`, { token }), 404, "/companyId");
    const superuser = await createUser(other.companyId, "superuser");
    const seen = await call("GET", `${path}?companyId=${companyId}&lineIds=${first.lineId}`, { token: superuser.token });
    expect(seen.body.data).toHaveLength(1);
  });

  it("shows only the set-up of a machine that does not answer", async () => {
    const { companyId, machine, token } = await plant();
    const silent = await createMachine(companyId);
    const getByName = (name: string) =>
      name === String(silent.id) ? { overview: () => new Promise(() => undefined) } : env.MACHINES.getByName(name);
    const via = serviceWith({ MACHINES: changed(env.MACHINES, { getByName }) });
    const { status, body } = await call("GET", path, { token, via });
    expect(status).toBe(200);
    // biome-ignore lint/suspicious/noExplicitAny: items.
    const item = (id: number) => body.data.find((one: any) => one.machine.id === id);
    expect(item(machine.id)).toMatchObject({ isReachable: true, status: "N" });
    const { machine: known, line, isReachable, ...state } = item(silent.id);
    expect({ known, line, isReachable }).toEqual({
      ...{ known: { id: silent.id, name: silent.name, ref: silent.ref }, line: null, isReachable: false },
    });
    expect(Object.keys(state).sort()).toEqual(
      Object.keys(item(machine.id))
        .filter((name) => name in state)
        .sort(),
    );
    expect(new Set(Object.values(state))).toEqual(new Set([null]));
  });

  it("is also available as a file", async () => {
    const { machine, token } = await plant();
    const { body, status } = await call("GET", `${path}?format=csv`, { token });
    expect(status).toBe(200);
    const [head, row] = String(body).split("\r\n");
    expect(head).toContain("machine.id");
    expect(row).toContain(String(machine.id));
  });
});
