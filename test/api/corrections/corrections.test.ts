import { evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { auditEntries } from "../../support/audit.ts";
import { call } from "../../support/call.ts";
import { DAY, HOUR, MINUTE, NOON, stopClockAtNoon } from "../../support/clock.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import {
  createApiToken,
  createDefectReason,
  createOperator,
  createSku,
  createUser,
  createWorkOrder,
} from "../../support/factories.ts";
import { machineObject } from "../../support/machine-object.ts";
import { configureMachine, countAt, createLine, flushMachine, ingest, recordsOf } from "../../support/machines.ts";

stopClockAtNoon();

const iso = (at: number) => new Date(at).toISOString();
const MIDNIGHT = NOON - 12 * HOUR;

/**
 * A machine with a 24 h shift and a standard of 10 s. Today it made 60 units of a SKU from 8:00, one a minute, for an order, of which 2 were rejected,
 * with an operator; and 30 of another one from 10:00, for none.
 */
async function createCorrected() {
  const line = await createLine({ standardCycleSeconds: 10, commissionedAt: NOON - 12 * DAY, stopAfterSeconds: 120 });
  const { machine, companyId, token: gateway } = line;
  const [bolt, nut, operator] = [await createSku(companyId), await createSku(companyId), await createOperator(companyId)];
  const { workOrderId } = await createWorkOrder(machine, bolt.skuId);
  const user = await createUser(companyId, "user");
  // Lasts longer than a login, whatever the clock.
  const { token } = await createApiToken({ ...user, companyId, role: "user" });
  const superuser = await createApiToken({ ...(await createUser(companyId, "superuser")), companyId, role: "superuser" });
  await configureMachine(machine.id);
  const of = { machineId: machine.id };
  await ingest(gateway, [
    { type: "operator", at: iso(NOON - 4 * HOUR), ...of, operatorId: operator.operatorId, action: "in" },
    { type: "sku", at: iso(NOON - 4 * HOUR), ...of, skuId: bolt.skuId, workOrderId },
    ...Array.from({ length: 60 }, (_, i) => countAt(machine.nodeId, NOON - 4 * HOUR + i * MINUTE)),
    countAt(machine.nodeId, NOON - 3 * HOUR, 2, { channel: 2 }),
    { type: "operator", at: iso(NOON - 2 * HOUR), ...of, operatorId: operator.operatorId, action: "out" },
    { type: "sku", at: iso(NOON - 2 * HOUR), ...of, skuId: nut.skuId },
    ...Array.from({ length: 30 }, (_, i) => countAt(machine.nodeId, NOON - 2 * HOUR + i * MINUTE)),
  ]);
  await flushMachine(machine.id);
  const correct = (body: object, headers: Record<string, string> = {}) =>
    call("POST", "/v1/corrections", { token, body: { machineId: machine.id, ...body }, headers });
  const undo = (id: number) => call("DELETE", `/v1/corrections/${id}`, { token });
  const read = async (path: string) => (await call("GET", path, { token })).body;
  /** Everything that contains units: the record, its parts, SKUs, orders and operators. */
  const sums = async () => {
    const range = `from=${iso(NOON - 12 * DAY)}&to=${iso(NOON + DAY)}`;
    const by = async (groupBy: string) =>
      (await read(`/v1/summary?groupBy=${groupBy}&${range}`)).data.map((row: Record<string, unknown>) => {
        const { total, defects, idealTime, oee, start, sku, workOrder, operator: who, ...rest } = row;
        return { total, defects, idealTime, oee, start, sku, workOrder, who, lost: rest.minutesLostByLowQuality };
      });
    const order = await read(`/v1/work-orders/${workOrderId}`);
    const report = await call("POST", "/v1/public/reports/metrics", {
      token: superuser.token,
      body: { machineIds: [machine.id] },
    });
    return {
      records: (await read("/v1/shift-records")).data.map(
        ({ shiftIndicators: _, revisionCount: __, ...record }: Record<string, unknown>) => record,
      ),
      report: report.body.metrics.map(({ productionMetrics }: Record<string, unknown>) => productionMetrics),
      ...{ sku: await by("sku"), hour: (await by("hour")).filter(({ total }: { total: number }) => total !== 0) },
      ...{ order: await by("order"), operator: await by("operator"), progress: order.progress },
      production: (await read(`/v1/production?machineIds=${machine.id}&${range.replace(iso(NOON - 12 * DAY), iso(MIDNIGHT))}`))
        .data,
      explained: (await read(`/v1/shift-records/${(await today(machine.id)).id}/explain`)) as Record<string, unknown>,
    };
  };
  return { ...line, bolt, nut, operator, workOrderId, user, userToken: token, correct, undo, read, sums };
}

/** The record of today's shift. */
async function today(machineId: number) {
  const record = (await recordsOf(machineId)).find(({ startAt }) => startAt === MIDNIGHT);
  if (!record) throw new Error("There is no record.");
  return record;
}

describe("a correction", () => {
  it("changes the sums of its shift, hour, SKU, order and operators, and is shown apart", async () => {
    const { machine, bolt, workOrderId, operator, correct, read, sums, user } = await createCorrected();
    const { status, body, headers } = await correct({
      at: iso(NOON - 3.5 * HOUR),
      total: 10,
      defects: 3,
      comment: "Found later",
    });
    expect([status, headers.get("location")]).toEqual([201, `/v1/corrections/${body.id}`]);
    expect(body).toEqual({
      ...{ id: body.id, machine: { id: machine.id, name: machine.name }, at: iso(NOON - 3.5 * HOUR) },
      ...{ sku: { id: bolt.skuId, name: bolt.name }, workOrder: { id: workOrderId, code: expect.any(String), name: "Order" } },
      ...{ total: 10, defects: 3, rework: 0, reason: null, comment: "Found later" },
      ...{ appliedTotal: 10, appliedDefects: 3, isAppliedInPart: false },
      ...{ userId: user.userId, createdAt: iso(NOON), undoneAt: null, undoneBy: null },
    });
    const after = await sums();
    expect(after.records.slice(0, 1)).toMatchObject([
      {
        corrected: { total: 10, defects: 3 },
        productionMetrics: { total: 100, defects: 5, correct: 95, cycleCount: 90, quality: 95 },
      },
    ]);
    const ofBolt = after.sku.find(({ sku }: { sku: { id: string } | null }) => sku?.id === bolt.skuId);
    expect(ofBolt).toMatchObject({ total: 70, defects: 5 });
    expect(after.hour.map(({ total, defects }: Record<string, number>) => [total, defects])).toEqual(
      [
        [70, 3],
        [0, 2],
        [30, 0],
      ].filter(([total]) => total !== 0),
    );
    expect(after.operator).toMatchObject([{ who: { id: operator.operatorId }, total: 70 }]);
    expect(after.progress).toMatchObject([{ correct: 65, defects: 5 }]);
    expect(await today(machine.id)).toMatchObject({
      totalUnits: 100,
      defectUnits: 5,
      correctedTotal: 10,
      correctedDefects: 3,
      idealMs: 100 * 10_000,
    });
    expect(after.explained).toMatchObject({
      skus: [{ total: 60, defects: 2 }, { total: 30 }],
      corrections: [
        {
          id: body.id,
          at: iso(NOON - 3.5 * HOUR),
          skuId: bolt.skuId,
          workOrderId,
          total: 10,
          defects: 3,
          appliedTotal: 10,
          appliedDefects: 3,
        },
      ],
      productionMetrics: { total: { value: 100 }, effectiveness: { inputs: { idealMs: 1_000_000 } } },
    });
    expect((await read("/v1/corrections")).data).toEqual([body]);
    expect(await read(`/v1/corrections/${body.id}`)).toEqual(body);
  });

  it("is undone, and all sums are as before", async () => {
    const { correct, undo, read, sums } = await createCorrected();
    const before = await sums();
    const { body } = await correct({ at: iso(NOON - 3.5 * HOUR), total: -7, defects: 3, rework: 1 });
    expect(await sums()).not.toEqual(before);
    expect((await undo(body.id)).status).toBe(204);
    expect(await sums()).toEqual(before);
    expect((await read("/v1/corrections")).data).toEqual([]);
    const undone = { ...body, appliedTotal: 0, appliedDefects: 0, undoneAt: iso(NOON), undoneBy: body.userId };
    expect((await read("/v1/corrections?includeUndone=true")).data).toEqual([undone]);
    expect(await read(`/v1/corrections/${body.id}`)).toEqual(undone);
    expectProblem(await undo(body.id), 404);
    const actions = (await auditEntries({ objectId: body.id })).map(({ action }) => action);
    expect(actions.sort()).toEqual(["correction.create", "correction.undo"]);
  });

  it("of less than the hour has takes the rest from the hours before, then from those after", async () => {
    const { nut, bolt, correct, sums } = await createCorrected();
    const { body } = await correct({ at: iso(NOON - MINUTE), total: -25 });
    expect(body).toMatchObject({ sku: { id: nut.skuId }, workOrder: null, appliedTotal: -25 });
    expect((await sums()).hour.map(({ total }: Record<string, number>) => total)).toEqual([60, 5]);
    // Of the SKU and order that are named, wherever in the shift they were made.
    expect((await correct({ at: iso(NOON), skuId: bolt.skuId, total: -10 })).body).toMatchObject({
      appliedTotal: -10,
      sku: { id: bolt.skuId },
    });
    expect((await sums()).hour.map(({ total }: Record<string, number>) => total)).toEqual([50, 5]);
    expect((await sums()).progress).toMatchObject([{ correct: 48, defects: 2 }]);
  });

  it("is refused if a sum would fall below 0, with what is there", async () => {
    const { bolt, correct, sums } = await createCorrected();
    const before = await sums();
    const at = iso(NOON - 3.5 * HOUR);
    const refused = async (body: object, member: string) => {
      const answer = await correct({ at, ...body });
      expectProblem(answer, 409);
      expect(answer.body.errors).toMatchObject([{ pointer: `/${member}`, code: "below_zero" }]);
      expect(answer.body.errors[0].message).toContain("60 units of this SKU and order are counted, 2 of them defects");
    };
    await refused({ total: -61 }, "total");
    await refused({ total: -59 }, "total");
    await refused({ defects: -3 }, "defects");
    await refused({ rework: -3 }, "rework");
    await refused({ defects: 59 }, "defects");
    expect(await sums()).toEqual(before);
    expect((await correct({ at, total: -58, skuId: bolt.skuId })).status).toBe(201);
    expect((await correct({ at, total: -2, defects: -2 })).status).toBe(201);
    expect((await correct({ at, total: -1 })).status).toBe(409);
  });

  it("may be of any age, and needs no events", async () => {
    const { machine, token: gateway, correct, undo, sums } = await createCorrected();
    const old = NOON - 10 * DAY;
    await ingest(
      gateway,
      Array.from({ length: 60 }, (_, i) => countAt(machine.nodeId, old + i * MINUTE)),
    );
    await flushMachine(machine.id);
    vi.setSystemTime(NOON + 5 * DAY);
    await ingest(gateway, [countAt(machine.nodeId, NOON + 5 * DAY)]);
    await flushMachine(machine.id);
    const before = await sums();
    const { body, status } = await correct({ at: iso(old + 30 * MINUTE), total: -10, defects: 5 });
    expect([status, body.appliedTotal, body.appliedDefects]).toEqual([201, -10, 5]);
    expect(await sums()).not.toEqual(before);
    const record = (await recordsOf(machine.id)).find(({ startAt, endAt }) => startAt <= old && old < endAt);
    expect(record).toMatchObject({ totalUnits: 50, defectUnits: 5, correctedTotal: -10, correctedDefects: 5 });
    await evictDurableObject(machineObject(env, machine.id));
    await undo(body.id);
    expect(await sums()).toEqual(before);
  });

  it("is applied in part if fewer units are left later, and says so", async () => {
    const { machine, nut, token: gateway, correct, read, sums } = await createCorrected();
    const { body } = await correct({ at: iso(NOON - 2 * HOUR + 29 * MINUTE), total: -30 });
    expect(body).toMatchObject({ appliedTotal: -30, isAppliedInPart: false });
    // It turns out that the last 20 of them were of another SKU.
    const other = await createSku(machine.companyId);
    await ingest(gateway, [{ type: "sku", at: iso(NOON - 2 * HOUR + 10 * MINUTE), machineId: machine.id, skuId: other.skuId }]);
    await flushMachine(machine.id);
    expect(await read(`/v1/corrections/${body.id}`)).toMatchObject({
      sku: { id: other.skuId },
      appliedTotal: -20,
      isAppliedInPart: true,
    });
    const { sku, explained } = await sums();
    expect(sku.find((one: { sku: { id: string } }) => one.sku?.id === other.skuId)).toMatchObject({ total: 0 });
    expect(sku.find((one: { sku: { id: string } }) => one.sku?.id === nut.skuId)).toMatchObject({ total: 10 });
    expect(explained.corrections).toMatchObject([{ total: -30, appliedTotal: -20 }]);
  });

  it("changes nothing while a calendar day takes its shift away, and counts again with the shift", async () => {
    const { machine, companyId, correct, read } = await createCorrected();
    const { body } = await correct({ at: iso(NOON - 3.5 * HOUR), total: 10, defects: 3 });
    const { token } = await createUser(companyId, "admin");
    const day = { date: iso(NOON).slice(0, 10), scope: "company", closed: true };
    const closed = await call("POST", "/v1/calendar-days", { token, body: day });
    expect(closed.status, JSON.stringify(closed.body)).toBe(201);
    await configureMachine(machine.id);
    await flushMachine(machine.id);
    const lost = { total: 10, appliedTotal: 0, appliedDefects: 0, isAppliedInPart: true };
    expect(await read(`/v1/corrections/${body.id}`)).toMatchObject(lost);
    expect((await recordsOf(machine.id)).filter(({ correctedTotal }) => correctedTotal !== null)).toEqual([]);
    expect((await call("DELETE", `/v1/calendar-days/${closed.body.id}`, { token })).status).toBe(204);
    await configureMachine(machine.id);
    await flushMachine(machine.id);
    expect(await read(`/v1/corrections/${body.id}`)).toEqual(body);
    expect(await today(machine.id)).toMatchObject({ totalUnits: 100, correctedTotal: 10 });
  });

  it("says why units are rejected, and a summary sums up the reasons", async () => {
    const { machine, companyId, bolt, userToken: token, correct, undo, read } = await createCorrected();
    const [scratch, dent] = [await createDefectReason(companyId), await createDefectReason(companyId)];
    const at = iso(NOON - 3.5 * HOUR);
    await correct({ at, defects: 3, reasonId: scratch.reasonId });
    await correct({ at, defects: 4, rework: 2, reasonId: String(dent.reasonId) });
    await correct({ at: iso(NOON - 2 * HOUR), rework: 1, reasonId: scratch.reasonId });
    await correct({ at, defects: 1 });
    await undo((await correct({ at, defects: 5, reasonId: scratch.reasonId })).body.id);
    const range = `from=${iso(MIDNIGHT)}&to=${iso(NOON)}`;
    const { data, total } = await read(`/v1/summary?groupBy=defectReason&${range}`);
    const shown = data.map(({ defectReason, defects, total: all }: Record<string, { name: string } | null>) => [
      defectReason?.name,
      defects,
      all,
    ]);
    expect(shown).toEqual([
      [dent.name, 6, null],
      [scratch.name, 4, null],
      [undefined, 1, null],
    ]);
    // With those that were counted.
    expect(total.defects).toBe(13);
    const bySku = (await read(`/v1/summary?groupBy=defectReason,sku&skuIds=${bolt.skuId}&machineIds=${machine.id}&${range}`))
      .data;
    expect(bySku.map(({ defects }: { defects: number }) => defects)).toEqual([6, 3, 1]);
    expectProblem(await call("GET", `/v1/summary?groupBy=defectReason,cause&${range}`, { token }), 400);
    expect((await read(`/v1/corrections?reasonIds=${dent.reasonId}`)).data).toMatchObject([
      { reason: { name: dent.name }, rework: 2 },
    ]);
  });

  it("is entered once for an Idempotency-Key", async () => {
    const { machine, correct } = await createCorrected();
    const headers = { "idempotency-key": "once" };
    const body = { at: iso(NOON - 3.5 * HOUR), total: 5 };
    const first = await correct(body, headers);
    const again = await correct(body, headers);
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(await today(machine.id)).toMatchObject({ correctedTotal: 5 });
  });

  it("is no sample: it changes neither the machine's state nor its silence", async () => {
    const { machine, correct, read } = await createCorrected();
    const before = await read(`/v1/machines/${machine.id}/state`);
    await correct({ at: iso(NOON), total: 5 });
    const after = await read(`/v1/machines/${machine.id}/state`);
    expect([after.status, after.since, after.heardAt]).toEqual([before.status, before.since, before.heardAt]);
  });

  it("is refused if it names what is not there, or a time without a shift", async () => {
    const { machine, correct } = await createCorrected();
    const elsewhere = await createCorrected();
    const at = iso(NOON - 3.5 * HOUR);
    const refused = async (body: object, code: string, member: string) => {
      const answer = await correct({ at, total: 1, ...body });
      expectProblem(answer, 400);
      expect(answer.body.errors).toMatchObject([{ pointer: member && `/${member}`, code }]);
    };
    await refused({ machineId: elsewhere.machine.id }, "not_found", "machineId");
    await refused({ skuId: elsewhere.bolt.skuId }, "not_made", "skuId");
    await refused({ workOrderId: elsewhere.workOrderId }, "not_made", "workOrderId");
    await refused({ defects: 1, reasonId: 999_999 }, "not_found", "reasonId");
    await refused({ at: iso(NOON - 13 * DAY) }, "before_commissioning", "at");
    await refused({ at: iso(NOON + HOUR) }, "custom", "at");
    await refused({ total: 0 }, "custom", "");
    const { body } = await correct({ at, total: 1 });
    expectProblem(await call("DELETE", `/v1/corrections/${body.id}`, { token: elsewhere.userToken }), 404);
    expectProblem(await call("GET", `/v1/corrections/${body.id}`, { token: elsewhere.userToken }), 404);
    expect((await call("GET", "/v1/corrections", { token: elsewhere.userToken })).body.data).toEqual([]);
    expect(await today(machine.id)).toMatchObject({ correctedTotal: 1 });
  });
});

describe("a defect reason", () => {
  it("has a name of its own in its company, until it is deleted", async () => {
    const { companyId } = await createLine();
    const { token } = await createUser(companyId, "admin");
    const post = (name: string) => call("POST", "/v1/defect-reasons", { token, body: { name } });
    const { body: scratch } = await post("Scratch");
    const { body: burr } = await post("Burr");
    expectProblem(await post("Scratch"), 409, "/name");
    const path = `/v1/defect-reasons/${burr.id}`;
    expectProblem(await call("PATCH", path, { token, body: { name: "Scratch" } }), 409, "/name");
    expect((await call("DELETE", `/v1/defect-reasons/${scratch.id}`, { token })).status).toBe(204);
    expect((await call("PATCH", path, { token, body: { name: "Scratch" } })).body.name).toBe("Scratch");
  });
});
