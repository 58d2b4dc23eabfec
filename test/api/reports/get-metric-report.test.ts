import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { call } from "../../support/call.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import { createCompany, createMachine, createShift, createShiftRecord, createUser } from "../../support/factories.ts";
import { createRunningLine } from "../../support/running-line.ts";

const path = "/v1/public/reports/metrics";
const minute = 60_000;
const hour = 60 * minute;

let token: string;
beforeAll(async () => {
  token = (await createUser((await createCompany()).companyId, "superuser")).token;
  // From here on the account is cached: only the operation's own trip remains.
  await ask({ pageSize: 1 });
});
const ask = (body: unknown) => call("POST", path, { token, body });

const name = z.string().min(1);
const exact = (members: string, type: z.ZodType) =>
  z.strictObject(Object.fromEntries(members.split(" ").map((member) => [member, type])));
const report = z.strictObject({
  totalCount: z.int(),
  totalPages: z.int(),
  currentPage: z.int(),
  metrics: z.array(
    z.strictObject({
      company: z.strictObject({ name, id: z.int() }),
      machine: z.strictObject({ nodeId: z.int(), name, id: z.int() }),
      shift: z.strictObject({
        isActive: z.boolean(),
        endTime: z.iso.datetime(),
        startTime: z.iso.datetime(),
        name,
        id: z.int(),
      }),
      shiftIndicators: exact(
        "unavailableTime otherStopsTime programmedDowntime nonProgrammedDowntime noDataTime netAvailability lateStartTime " +
          "earlyStopTime availableTime availability annotatedDowntime indicatorId",
        z.number(),
      ),
      productionMetrics: exact(
        "averageCycleSpeed cycleSpeed cycleCount actualSpeed averageSpeed defects correct total minutesLostByLowSpeed " +
          "minutesLostByLowQuality effectiveness quality netOee oee netAvailability availability",
        z.int(),
      ),
    }),
  ),
});

async function plant() {
  const company = await createCompany();
  const machine = await createMachine(company.companyId);
  const shift = await createShift(company.companyId);
  const of = { companyId: company.companyId, machineId: machine.machineId, shiftId: shift.shiftId };
  return { company, machine, shift, of };
}

/** An eight-hour shift of the company, which started this many hours ago. */
const run = (hoursAgo: number) => {
  const startAt = Math.floor(Date.now() / hour - hoursAgo) * hour;
  return { startAt, endAt: startAt + 8 * hour };
};

describe("metric report", () => {
  it("gives a closed shift in the contract's shape, to the digit, in one database trip", async () => {
    const { company, machine, shift, of } = await plant();
    const { startAt, endAt } = run(100);
    const record = await createShiftRecord(
      { ...of, startAt, endAt },
      {
        availableMs: 340 * minute,
        noDataMs: 10 * minute,
        programmedMs: 40 * minute,
        nonProgrammedMs: 60 * minute,
        otherMs: 30 * minute,
        lateStartMs: 12 * minute,
        nonProgrammedSinceAvailableMs: 8 * minute,
        annotatedMs: 80 * minute,
        cycles: 1445,
        totalUnits: 2890,
        defectUnits: 58,
        idealMs: 289 * minute,
        cyclesWithStandard: 1445,
        lostByDefectsMs: 348_000,
        recentUnits: 90,
        recentMs: 10 * minute,
      },
    );
    // The first request also finds out which shifts run, because their machines must be queried.
    await ask({ companyIds: [company.companyId] });
    const { status, body, headers } = await ask({ companyIds: [company.companyId] });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(report.parse(body)).toEqual({
      totalCount: 1,
      totalPages: 1,
      currentPage: 1,
      metrics: [
        {
          company: { name: company.name, id: company.companyId },
          machine: { nodeId: machine.nodeId, name: machine.name, id: machine.machineId },
          shift: {
            isActive: false,
            startTime: new Date(startAt).toISOString(),
            endTime: new Date(endAt).toISOString(),
            name: shift.name,
            id: shift.shiftId,
          },
          shiftIndicators: {
            unavailableTime: 100,
            otherStopsTime: 30,
            programmedDowntime: 40,
            nonProgrammedDowntime: 60,
            noDataTime: 10,
            netAvailability: 85,
            lateStartTime: 12,
            earlyStopTime: 8,
            availableTime: 340,
            availability: 77.27,
            annotatedDowntime: 80,
            indicatorId: record.id,
          },
          productionMetrics: {
            averageCycleSpeed: 255,
            cycleSpeed: 300,
            cycleCount: 1445,
            actualSpeed: 540,
            averageSpeed: 510,
            defects: 58,
            correct: 2832,
            total: 2890,
            minutesLostByLowSpeed: 51,
            minutesLostByLowQuality: 6,
            effectiveness: 85,
            quality: 98,
            netOee: 71,
            oee: 64,
            netAvailability: 85,
            availability: 77,
          },
        },
      ],
    });
    expect(headers.get("server-timing")).toContain('desc="1 trip"');
  });

  it("extends a running shift to now", async () => {
    const { of } = await plant();
    const now = Date.now();
    await createShiftRecord(
      { ...of, startAt: now - 60 * minute, endAt: now + 60 * minute },
      { asOf: now - 12 * minute, openBucket: "nonProgrammed", openIsAnnotated: true, availableMs: 48 * minute },
    );
    const { body } = await ask({ machineIds: [of.machineId] });
    const { shift, shiftIndicators, productionMetrics } = body.metrics[0];
    expect(shift.isActive).toBe(true);
    expect(shiftIndicators).toMatchObject({ availableTime: 48, earlyStopTime: 0, lateStartTime: 0, programmedDowntime: 0 });
    expect(shiftIndicators.nonProgrammedDowntime).toBeGreaterThanOrEqual(12);
    expect(shiftIndicators.nonProgrammedDowntime).toBeLessThan(12.5);
    expect(shiftIndicators.annotatedDowntime).toBe(shiftIndicators.nonProgrammedDowntime);
    expect(productionMetrics.availability).toBeGreaterThanOrEqual(79);
    expect(productionMetrics.availability).toBeLessThanOrEqual(80);
  });

  it("extends a shift that ended after its last record to its end", async () => {
    const { of } = await plant();
    const now = Date.now();
    await createShiftRecord(
      { ...of, startAt: now - 60 * minute, endAt: now - 5 * minute },
      { asOf: now - 12 * minute, openBucket: "nonProgrammed", availableMs: 48 * minute },
    );
    const { body } = await ask({ machineIds: [of.machineId] });
    const { shift, shiftIndicators } = body.metrics[0];
    expect(shift.isActive).toBe(false);
    expect(shiftIndicators).toMatchObject({ availableTime: 48, nonProgrammedDowntime: 7, earlyStopTime: 7 });
  });

  it("has pages, by default newest first", async () => {
    const { of } = await plant();
    const runs = [300, 200, 100, 80, 50].map(run);
    for (const one of runs) await createShiftRecord({ ...of, ...one });
    // A second machine at the same time: the id decides, so that no two pages show the same row.
    const { machineId } = await createMachine(of.companyId);
    for (const one of runs) await createShiftRecord({ ...of, machineId, ...one });

    const everything = (await ask({ companyIds: [of.companyId] })).body;
    expect(everything).toMatchObject({ totalCount: 10, totalPages: 1, currentPage: 1 });
    const starts = everything.metrics.map((item: { shift: { startTime: string } }) => Date.parse(item.shift.startTime));
    expect(starts).toEqual(runs.flatMap(({ startAt }) => [startAt, startAt]).sort((a, b) => b - a));

    for (const direction of ["asc", "desc"]) {
      const paged = [];
      for (const page of [1, 2, 3, 4]) {
        const { body } = await ask({ companyIds: [of.companyId], pageSize: 3, page, direction });
        expect(body).toMatchObject({ totalCount: 10, totalPages: 4, currentPage: page });
        paged.push(...body.metrics);
      }
      if (direction === "asc") paged.reverse();
      expect(paged).toEqual(everything.metrics);
    }

    for (const page of [5, Number.MAX_SAFE_INTEGER]) {
      const { body } = await ask({ companyIds: [of.companyId], pageSize: 3, page });
      expect(body).toEqual({ totalCount: 10, totalPages: 4, currentPage: page, metrics: [] });
    }
  });

  it("filters by company, machine, shift and start, and by all of them together", async () => {
    const first = await plant();
    const second = await plant();
    const other = await createShift(first.of.companyId);
    const [early, late] = [run(60), run(40)];
    const a = await createShiftRecord({ ...first.of, ...early });
    const b = await createShiftRecord({ ...first.of, shiftId: other.shiftId, ...late });
    const c = await createShiftRecord({ ...second.of, ...early });
    const companyIds = [first.of.companyId, second.of.companyId];
    const iso = (at: number) => new Date(at).toISOString();
    const selected = async (filter: object) => {
      const { body, status } = await ask(filter);
      expect(status, JSON.stringify(body)).toBe(200);
      const ids = body.metrics.map((item: { shiftIndicators: { indicatorId: number } }) => item.shiftIndicators.indicatorId);
      expect(body.totalCount).toBe(ids.length);
      return ids.sort();
    };
    const ids = (...records: { id: number }[]) => records.map(({ id }) => id).sort();

    expect(await selected({ companyIds })).toEqual(ids(a, b, c));
    expect(await selected({ companyIds: [second.of.companyId] })).toEqual(ids(c));
    expect(await selected({ companyIds, machineIds: [first.of.machineId] })).toEqual(ids(a, b));
    expect(await selected({ companyIds, shiftIds: [other.shiftId, second.of.shiftId] })).toEqual(ids(b, c));
    expect(await selected({ companyIds, from: iso(late.startAt) })).toEqual(ids(b));
    expect(await selected({ companyIds, to: iso(late.startAt) })).toEqual(ids(a, c));
    expect(await selected({ companyIds, from: iso(early.startAt), to: iso(late.startAt + 1) })).toEqual(ids(a, b, c));
    expect(await selected({ companyIds, from: iso(early.startAt), to: iso(early.startAt) })).toEqual([]);
    const zoned = iso(late.startAt + 2 * hour).replace("Z", "+02:00");
    expect(await selected({ companyIds, from: zoned })).toEqual(ids(b));
    expect(await selected({ companyIds, machineIds: [second.of.machineId], from: iso(late.startAt) })).toEqual([]);
    expect(await selected({ companyIds: [] })).toEqual([]);
  });

  it("returns everything for an empty filter", async () => {
    const { of } = await plant();
    // The newest of all: other tests in this database also have rows on page one.
    const startAt = Date.UTC(2100, 0);
    const record = await createShiftRecord({ ...of, startAt, endAt: startAt + hour });
    const { status, body } = await ask({});
    expect(status).toBe(200);
    expect(body.totalCount).toBeGreaterThan(0);
    expect(body.currentPage).toBe(1);
    expect(JSON.stringify(report.parse(body).metrics)).toContain(`"indicatorId":${record.id}`);
  });

  it("adds up a machine's counts", async () => {
    const { companyId, startAt, endAt } = await createRunningLine();
    const { body } = await ask({ companyIds: [companyId] });
    const { metrics } = report.parse(body);
    expect(metrics).toMatchObject([
      {
        shift: { isActive: true, startTime: new Date(startAt).toISOString(), endTime: new Date(endAt).toISOString() },
        shiftIndicators: { availableTime: 90, noDataTime: 0, otherStopsTime: 0, programmedDowntime: 0, lateStartTime: 0 },
        productionMetrics: { cycleCount: 364, total: 364, defects: 0, effectiveness: 101, quality: 100, cycleSpeed: 240 },
      },
    ]);
    const elapsed = (Date.now() - startAt) / minute;
    const { nonProgrammedDowntime } = metrics[0]?.shiftIndicators ?? {};
    expect(nonProgrammedDowntime).toBeGreaterThan(elapsed - 90 - 0.2);
    expect(nonProgrammedDowntime).toBeLessThanOrEqual(elapsed - 90 + 0.01);
  });

  it("names each fault of the filter", async () => {
    const faults: [unknown, ...string[]][] = [
      [{ machineId: [1], pagesize: 3 }, "/machineId", "/pagesize"],
      [{ companyIds: 1, machineIds: ["1"], shiftIds: [1.5] }, "/companyIds", "/machineIds/0", "/shiftIds/0"],
      [{ machineIds: Array.from({ length: 1001 }, (_, i) => i) }, "/machineIds"],
      [{ from: "2026-01-02T00:00:00Z", to: "2026-01-01T00:00:00Z" }, "/from"],
      [{ from: "yesterday", to: "2026-02-30T00:00:00Z" }, "/from", "/to"],
      [{ from: "2026-01-02T00:00:00" }, "/from"],
      [{ page: 0 }, "/page"],
      [{ page: 1.5, pageSize: 0 }, "/page", "/pageSize"],
      [{ pageSize: 1001, direction: "up" }, "/pageSize", "/direction"],
      [{ page: "1" }, "/page"],
      [[], ""],
      ["{", ""],
    ];
    for (const [body, ...pointers] of faults) expectProblem(await ask(body), 400, ...pointers);
    expectProblem(await call("POST", path, { token }), 400, "");
    expectProblem(await call("POST", path, { token, body: "{}", headers: { "content-type": "text/plain" } }), 415);
  });
});
