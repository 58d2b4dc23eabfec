import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { call } from "../../support/call.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import {
  createCompany,
  createLine,
  createMachine,
  createOperator,
  createOperatorShift,
  createShift,
  createShiftPart,
  createShiftRecord,
  createSku,
  createUser,
  createWorkOrder,
} from "../../support/factories.ts";
import { createRunningLine } from "../../support/running-line.ts";

const path = "/v1/shift-records";
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

type Query = Record<string, string | number | boolean>;

/** A company with two machines, one of them in a line, and a user who may read its numbers. */
async function plant() {
  const { companyId } = await createCompany();
  const { lineId, name } = await createLine(companyId);
  const first = await createMachine(companyId, { lineId });
  const second = await createMachine(companyId);
  const { shiftId } = await createShift(companyId);
  const { token } = await createUser(companyId, "readonly");
  const ask = (query: Query) => call("GET", `${path}?${new URLSearchParams(query as Record<string, string>)}`, { token });
  /** A shift of eight hours, which started this many days ago. */
  const record = (machineId: number, daysAgo: number, options: Parameters<typeof createShiftRecord>[1] = {}) => {
    const startAt = Math.floor(Date.now() / day - daysAgo) * day;
    return createShiftRecord({ companyId, machineId, shiftId, startAt, endAt: startAt + 8 * hour }, options);
  };
  return { companyId, line: { id: lineId, name }, first, second, shiftId, ask, record };
}

// biome-ignore lint/suspicious/noExplicitAny: bodies.
const idsIn = (body: any): number[] => body.data.map((item: any) => item.shiftIndicators.indicatorId);

/** The ids of all pages, two rows at a time. */
async function allPages(ask: (query: Query) => ReturnType<typeof call>, query: Query): Promise<number[]> {
  const found: number[] = [];
  let cursor: string | undefined;
  do {
    const { status, body } = await ask({ ...query, limit: 2, ...(cursor && { cursor }) });
    expect(status, JSON.stringify(body)).toBe(200);
    found.push(...idsIn(body));
    cursor = body.cursor;
  } while (cursor);
  return found;
}

describe("the list of shift records", () => {
  it("has the items of the report with their line", async () => {
    const { companyId, machine } = await createRunningLine();
    const { lineId, name } = await createLine(companyId);
    await env.DB_0.prepare("UPDATE shift_records SET line_id = ? WHERE machine_id = ?").bind(lineId, machine.id).run();
    const admin = await createUser(companyId, "admin");
    const superuser = await createUser((await createCompany()).companyId, "superuser");
    const listed = await call("GET", path, { token: admin.token });
    const body = { companyIds: [companyId] };
    const reported = await call("POST", "/v1/public/reports/metrics", { token: superuser.token, body });
    expect(listed.status, JSON.stringify(listed.body)).toBe(200);
    const [{ line, ...item }] = listed.body.data;
    expect(line).toEqual({ id: lineId, name });
    // The shift continues between the two.
    const { shiftIndicators, productionMetrics, ...about } = reported.body.metrics[0];
    expect(item).toMatchObject({ ...about, productionMetrics: { total: productionMetrics.total } });
    expect(Object.keys(item.shiftIndicators)).toEqual(Object.keys(shiftIndicators));
    expect(item.shiftIndicators.availableTime).toBe(shiftIndicators.availableTime);
    const ofCompany = await call("GET", `${path}?companyId=${companyId}`, { token: superuser.token });
    expect(ofCompany.body.data).toHaveLength(1);
  });

  it("has only the own company's records, newest first", async () => {
    const [own, other] = [await plant(), await plant()];
    await other.record(other.first.id, 1);
    const records = [await own.record(own.first.id, 2), await own.record(own.second.id, 1), await own.record(own.first.id, 3)];
    const [b, a, c] = records.map(({ id }) => id);
    expect(idsIn((await own.ask({})).body)).toEqual([a, b, c]);
    expect(idsIn((await own.ask({ sort: "start" })).body)).toEqual([c, b, a]);
    expectProblem(await own.ask({ companyId: other.companyId }), 404, "/companyId");
  });

  it("filters by machine, line, shift, time and whether the shift runs", async () => {
    const { companyId, first, second, line, shiftId, ask, record } = await plant();
    const now = Date.now();
    const running = await createShiftRecord({
      ...{ companyId, machineId: second.id, shiftId: (await createShift(companyId, { name: "Other" })).shiftId },
      ...{ startAt: now - hour, endAt: now + hour },
    });
    const old = await record(first.id, 4);
    const older = await record(second.id, 5);
    const found = async (query: Query) => idsIn((await ask(query)).body);
    expect(await found({ machineIds: `${first.id}` })).toEqual([old.id]);
    expect(await found({ machineIds: `${first.id},${second.id}` })).toEqual([running.id, old.id, older.id]);
    expect(await found({ lineIds: `${line.id}` })).toEqual([old.id]);
    expect(await found({ lineIds: `${line.id}`, machineIds: `${second.id}` })).toEqual([]);
    expect(await found({ shiftIds: `${shiftId}` })).toEqual([old.id, older.id]);
    expect(await found({ isActive: true })).toEqual([running.id]);
    expect(await found({ isActive: false })).toEqual([old.id, older.id]);
    // The range is half-open.
    const at = (startAt: number) => new Date(startAt).toISOString();
    expect(await found({ from: at(older.startAt), to: at(old.startAt) })).toEqual([older.id]);
    expect(await found({ from: at(older.startAt + 1), to: at(old.startAt + 1) })).toEqual([old.id]);
  });

  it("filters by SKU, order and operator", async () => {
    const { companyId, first, ask, record } = await plant();
    const [one, other] = [await record(first.id, 1), await record(first.id, 2)];
    const { skuId } = await createSku(companyId);
    const unused = await createSku(companyId);
    const { workOrderId } = await createWorkOrder(first, skuId);
    const { operatorId } = await createOperator(companyId);
    const of = ({ machineId, shiftId, startAt, endAt }: typeof one) => {
      return { companyId, machineId, shiftId, shiftStart: startAt, shiftEnd: endAt };
    };
    const part = { startAt: one.startAt + 2 * hour, endAt: one.startAt + 3 * hour };
    await createShiftPart({ ...of(one), ...part }, { skuId, workOrderId });
    await createShiftPart({ ...of(other), startAt: other.startAt, endAt: other.endAt });
    await createOperatorShift({ ...of(other), operatorId });
    expect(idsIn((await ask({ skuIds: skuId })).body)).toEqual([one.id]);
    expect(idsIn((await ask({ skuIds: unused.skuId })).body)).toEqual([]);
    expect(idsIn((await ask({ workOrderIds: workOrderId })).body)).toEqual([one.id]);
    expect(idsIn((await ask({ operatorIds: `${operatorId}` })).body)).toEqual([other.id]);
    expect(idsIn((await ask({ operatorIds: `${operatorId}`, skuIds: skuId })).body)).toEqual([]);
  });

  it("refuses and names ids that do not exist in the company", async () => {
    const [own, other] = [await plant(), await plant()];
    const foreign = {
      machineIds: other.first.id,
      lineIds: other.line.id,
      shiftIds: other.shiftId,
      skuIds: (await createSku(other.companyId)).skuId,
      workOrderIds: (await createWorkOrder(other.first, "none")).workOrderId,
      operatorIds: (await createOperator(other.companyId)).operatorId,
    };
    for (const [member, id] of Object.entries(foreign)) {
      const answer = await own.ask({ [member]: id });
      expectProblem(answer, 404, `/query/${member}`);
      expect(answer.body.errors[0].message).toContain(String(id));
    }
    const superuser = await createUser(own.companyId, "superuser");
    const nowhere = await call("GET", `${path}?companyId=${2 ** 40}`, { token: superuser.token });
    expectProblem(nowhere, 404, "/query/companyId");
  });

  it("counts all records on request", async () => {
    const { first, ask, record } = await plant();
    for (const daysAgo of [1, 2, 3]) await record(first.id, daysAgo);
    expect((await ask({ limit: 1, total: true })).body).toMatchObject({ total: 3 });
    expect((await ask({ limit: 1 })).body).not.toHaveProperty("total");
  });
});

describe("sorted shift records", () => {
  const range = () => ({ from: new Date(Date.now() - 60 * day).toISOString(), to: new Date(Date.now() + day).toISOString() });

  it.each([
    ["oee", (item) => item.productionMetrics.oee],
    ["availability", (item) => item.shiftIndicators.availability],
    ["availableTime", (item) => item.shiftIndicators.availableTime],
    ["unavailableTime", (item) => item.shiftIndicators.unavailableTime],
    ["programmedDowntime", (item) => item.shiftIndicators.programmedDowntime],
    ["nonProgrammedDowntime", (item) => item.shiftIndicators.nonProgrammedDowntime],
    ["otherStopsTime", (item) => item.shiftIndicators.otherStopsTime],
    ["noDataTime", (item) => item.shiftIndicators.noDataTime],
    ["lateStartTime", (item) => item.shiftIndicators.lateStartTime],
    ["earlyStopTime", (item) => item.shiftIndicators.earlyStopTime],
    ["annotatedDowntime", (item) => item.shiftIndicators.annotatedDowntime],
    // biome-ignore lint/suspicious/noExplicitAny: items.
  ] as [string, (item: any) => number][])("by %s are in the order of the values that they show", async (sort, shown) => {
    const { companyId, first, shiftId, ask, record } = await plant();
    const ms = () => Math.floor(Math.random() * 5) * 17 * minute;
    const random = () => {
      const [programmedMs, nonProgrammedMs] = [ms(), ms()];
      return {
        ...{ availableMs: ms(), programmedMs, nonProgrammedMs, otherMs: ms(), noDataMs: ms() },
        ...{ lateStartMs: Math.min(ms(), nonProgrammedMs), nonProgrammedSinceAvailableMs: ms(), annotatedMs: ms() },
        ...{ idealMs: ms() * 0.7, totalUnits: ms() / minute, defectUnits: 3 },
      };
    };
    for (let daysAgo = 1; daysAgo <= 12; daysAgo++) await record(first.id, daysAgo, random());
    // Running ones, with open buckets that have grown since.
    const now = Date.now();
    for (const openBucket of ["available", "noData", "programmed", "nonProgrammed", "other"] as const) {
      const { machineId } = await createMachine(companyId);
      const running = { companyId, machineId, shiftId, startAt: now - 5 * hour, endAt: now + hour };
      await createShiftRecord(running, { ...random(), asOf: now - 2 * hour, openBucket, openIsAnnotated: true });
    }
    for (const direction of ["", "-"]) {
      const { body } = await ask({ ...range(), sort: `${direction}${sort}`, limit: 500 });
      const values: number[] = body.data.map(shown);
      expect(values).toHaveLength(17);
      const sign = direction === "-" ? -1 : 1;
      expect(values).toEqual(values.toSorted((a, b) => sign * (a - b)));
      expect(await allPages(ask, { ...range(), sort: `${direction}${sort}` })).toEqual(idsIn(body));
    }
  });

  it("have pages that neither repeat nor skip records with equal values", async () => {
    const { first, ask, record } = await plant();
    const ids: number[] = [];
    for (let daysAgo = 1; daysAgo <= 7; daysAgo++) ids.push((await record(first.id, daysAgo, { availableMs: hour })).id);
    const ascending = ids.toSorted((a, b) => a - b);
    expect(await allPages(ask, { ...range(), sort: "availability" })).toEqual(ascending);
    expect(await allPages(ask, { ...range(), sort: "-availableTime" })).toEqual(ascending.toReversed());
  });

  it("are all as of the first page", async () => {
    const { companyId, first, second, shiftId, ask } = await plant();
    const now = Date.now();
    const running = { companyId, shiftId, startAt: now - hour, endAt: now + hour };
    const growing = await createShiftRecord(
      { ...running, machineId: first.id },
      { asOf: now - 40 * minute, openBucket: "available" },
    );
    const still = await createShiftRecord({ ...running, machineId: second.id }, { availableMs: 20 * minute });
    const { body } = await ask({ ...range(), sort: "-availableTime", limit: 1 });
    expect(idsIn(body)).toEqual([growing.id]);
    const [sort, asOf] = JSON.parse(Buffer.from(body.cursor, "base64url").toString());
    expect(Math.abs(asOf - Date.now())).toBeLessThan(minute);
    // As if the first page had been read half an hour ago, when the other one was ahead.
    const cursor = Buffer.from(JSON.stringify([sort, asOf - 30 * minute, 2 ** 50, 0])).toString("base64url");
    const later = await ask({ ...range(), sort: "-availableTime", cursor });
    expect(idsIn(later.body)).toEqual([still.id, growing.id]);
    expect(later.body.data[1].shiftIndicators.availableTime).toBeCloseTo(10, 0);
  });

  it("accept a range of at most 366 days", async () => {
    const { ask } = await plant();
    const [from, to] = [new Date(Date.now() - 367 * day).toISOString(), new Date().toISOString()];
    expectProblem(await ask({ sort: "-oee" }), 400, "/query/from", "/query/to");
    expectProblem(await ask({ sort: "oee", from }), 400, "/query/to");
    expectProblem(await ask({ sort: "oee", from, to }), 400, "/query/to");
    expect((await ask({ sort: "oee", from: new Date(Date.now() - 365 * day).toISOString(), to })).status).toBe(200);
    // An index has them in order of their start.
    expect((await ask({ sort: "start", from, to })).status).toBe(200);
  });

  it("are at most 50,000", { timeout: 120_000 }, async () => {
    const { first, shiftId, ask, record } = await plant();
    const { id } = await record(first.id, 1);
    const more = (count: number, firstId: number) =>
      env.DB_0.prepare(
        `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?1)
         INSERT INTO shift_records (id, revision, company_id, machine_id, shift_id, start_at, end_at, as_of, open_bucket,
           open_is_annotated, available_ms, no_data_ms, programmed_ms, non_programmed_ms, other_ms, late_start_ms,
           non_programmed_since_available_ms, annotated_ms, cycles, total_units, defect_units, ideal_ms, cycles_with_standard,
           lost_by_defects_ms, standard_cycle_ms, recent_units, recent_ms, created_at, updated_at, no_data_spans, units_without_time)
         SELECT ?2 + n, revision, company_id, machine_id, shift_id, start_at + n, end_at + n, as_of, open_bucket,
           open_is_annotated, available_ms, no_data_ms, programmed_ms, non_programmed_ms, other_ms, late_start_ms,
           non_programmed_since_available_ms, annotated_ms, cycles, total_units, defect_units, ideal_ms, cycles_with_standard,
           lost_by_defects_ms, standard_cycle_ms, recent_units, recent_ms, created_at, updated_at, no_data_spans,
          units_without_time
         FROM numbers CROSS JOIN shift_records WHERE id = ?3`,
      )
        .bind(count, firstId, id)
        .run();
    await more(49_999, 2 ** 49);
    expect((await ask({ ...range(), sort: "oee", limit: 2 })).status).toBe(200);
    await more(1, 2 ** 50);
    const refused = await ask({ ...range(), sort: "oee", limit: 2 });
    expectProblem(refused, 400, "/query/from");
    expect(refused.body.errors).toMatchObject([{ code: "too_many" }]);
    expect((await ask({ ...range(), sort: "-start", limit: 2, shiftIds: shiftId })).status).toBe(200);
  });

  it("refuse an unknown order, and the cursor of another order", async () => {
    const { first, ask, record } = await plant();
    for (const daysAgo of [1, 2]) await record(first.id, daysAgo);
    const refused = await ask({ sort: "name" });
    expectProblem(refused, 400, "/query/sort");
    expect(refused.body.errors[0].message).toContain("-oee");
    const { cursor } = (await ask({ limit: 1 })).body;
    expectProblem(await ask({ limit: 1, sort: "start", cursor }), 400, "/query/cursor");
    expectProblem(await ask({ orderBy: "oee" }), 400, "/query/orderBy");
  });
});
