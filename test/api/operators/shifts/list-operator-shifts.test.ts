import { expect, it } from "vitest";
import { call } from "../../../support/call.ts";
import { HOUR, MINUTE } from "../../../support/clock.ts";
import { expectProblem } from "../../../support/expect-problem.ts";
import {
  createCompany,
  createMachine,
  createOperator,
  createOperatorShift,
  createShift,
  createShiftRecord,
  createSku,
  createUser,
} from "../../../support/factories.ts";
import { recordsOf } from "../../../support/machines.ts";
import { createRunningLine } from "../../../support/running-line.ts";

const iso = (at: number) => new Date(at).toISOString();

it("lists the shifts of an operator, newest first, page by page", async () => {
  const { companyId } = await createCompany();
  const { token } = await createUser(companyId, "readonly");
  const [ana, bo] = [await createOperator(companyId, { name: "Ana" }), await createOperator(companyId)];
  const machines = [await createMachine(companyId), await createMachine(companyId)];
  const shift = await createShift(companyId);
  const sku = await createSku(companyId);
  const at = Date.parse("2026-03-02T06:00:00Z");
  for (const [m, machine] of machines.entries()) {
    for (const k of [0, 1, 2]) {
      const of = { companyId, machineId: machine.id, shiftId: shift.id };
      const times = { shiftStart: at + 24 * k * HOUR, shiftEnd: at + (24 * k + 8) * HOUR };
      const did = { uptimeMs: 6 * HOUR, downtimeMs: 2 * HOUR, units: 100 * k + m, skuId: sku.skuId };
      await createOperatorShift({ ...of, ...times, operatorId: ana.id }, did);
      await createOperatorShift({ ...of, ...times, operatorId: bo.id });
    }
  }
  const [first, second] = machines;
  const record = await createShiftRecord({
    companyId,
    machineId: first?.id ?? 0,
    shiftId: shift.id,
    startAt: at,
    endAt: at + 8 * HOUR,
  });
  const list = async (query: string) => {
    const { status, body } = await call("GET", `/v1/operators/${ana.id}/shifts${query}`, { token });
    expect(status, JSON.stringify(body)).toBe(200);
    return body;
  };
  const { data, cursor } = await list("");
  expect(cursor).toBeNull();
  expect(data.map(({ production }: { production: number }) => production)).toEqual([201, 200, 101, 100, 1, 0]);
  expect(data[5]).toEqual({
    operator: { id: ana.id, name: "Ana" },
    machine: { id: first?.id, name: first?.name },
    shift: { id: shift.id, name: shift.name, isActive: false, startTime: iso(at), endTime: iso(at + 8 * HOUR) },
    indicatorId: record.id,
    uptime: 360,
    downtime: 120,
    availability: 75,
    production: 0,
    sku: { id: sku.skuId, name: sku.name },
  });
  const pages: unknown[] = [];
  for (let next: string | null = ""; next !== null; ) {
    const page: { data: unknown[]; cursor: string | null } = await list(`?limit=1${next && `&cursor=${next}`}`);
    pages.push(...page.data);
    next = page.cursor;
  }
  expect(pages).toEqual(data);
  expect((await list(`?machineIds=${second?.id}`)).data).toHaveLength(3);
  expect((await list(`?from=${iso(at + HOUR)}&to=${iso(at + 48 * HOUR)}`)).data).toEqual(data.slice(2, 4));
  expect((await list("?total=true&limit=2")).total).toBe(6);
  const faulty = await call("GET", `/v1/operators/${ana.id}/shifts?from=${iso(at)}&to=${iso(at - 1)}`, { token });
  expectProblem(faulty, 400);

  const stranger = (await createUser((await createCompany()).companyId, "admin")).token;
  expectProblem(await call("GET", `/v1/operators/${ana.id}/shifts`, { token: stranger }), 404);
  const idle = await createOperator(companyId);
  expect((await call("GET", `/v1/operators/${idle.id}/shifts`, { token })).body).toEqual({ data: [], cursor: null });
});

it("shows who works in a running shift and what they make, and agrees with its record", async () => {
  const { companyId, machine, operator, shift, sku, startAt } = await createRunningLine();
  const { token } = await createUser(companyId, "readonly");
  const [record] = await recordsOf(machine.id);
  const own = await call("GET", `/v1/operators/${operator.id}/shifts`, { token });
  expect(own.body.data).toMatchObject([
    {
      operator: { id: operator.id, name: operator.name },
      machine: { id: machine.id },
      shift: { id: shift.shiftId, isActive: true, startTime: iso(startAt) },
      indicatorId: record?.id,
      production: 364,
      sku: { id: sku.skuId },
    },
  ]);
  const path = `/v1/shift-records/${record?.id}`;
  expect((await call("GET", `${path}/operators`, { token })).body).toEqual({ data: own.body.data, cursor: null });
  const live = await call("GET", `/machines/realtime/operators?machineId=${machine.id}`, { token });
  const [now] = live.body.data;
  expect(own.body.data[0].uptime).toBeCloseTo(now.uptime, 0);
  expect(Math.abs(own.body.data[0].downtime - now.downtime)).toBeLessThan(1);
  expect(own.body.data[0].production).toBe(now.production);

  const explained = await call("GET", `${path}/explain`, { token });
  const byStart = await call("GET", `/v1/machines/${machine.id}/shifts/${iso(startAt)}/explain`, { token });
  expect(explained.status, JSON.stringify(explained.body)).toBe(200);
  expect(explained.body).toMatchObject({ indicatorId: record?.id, machine: { id: machine.id } });
  expect(explained.body.skus).toEqual(byStart.body.skus);
  expect(explained.body.segments.slice(0, -1)).toEqual(byStart.body.segments.slice(0, -1));

  const stranger = (await createUser((await createCompany()).companyId, "admin")).token;
  for (const of of ["operators", "explain"]) {
    expectProblem(await call("GET", `${path}/${of}`, { token: stranger }), 404);
    expectProblem(await call("GET", `/v1/shift-records/999999999/${of}`, { token }), 404);
  }
  expect(startAt % MINUTE).toBe(0);
});
