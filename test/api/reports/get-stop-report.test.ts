import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { call } from "../../support/call.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import {
  createCompany,
  createMachine,
  createShift,
  createStopCause,
  createStopSlice,
  createUser,
} from "../../support/factories.ts";
import { createRunningLine } from "../../support/running-line.ts";

const path = "/v1/public/reports/stops";
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
const time = z.iso.datetime();
const numbered = z.strictObject({ name, id: z.int() });
const cause = z.strictObject({ name, id: z.string().regex(/^\d+$/) }).nullable();
const flag = z.boolean();
const report = z.strictObject({
  totalCount: z.int(),
  totalPages: z.int(),
  currentPage: z.int(),
  stops: z.array(
    z.strictObject({
      classification: z
        .strictObject({
          description: z.string().nullable(),
          generalCause: cause,
          specificCause: cause,
          component: cause,
          updatedAt: time,
          createdAt: time,
          id: z.int(),
        })
        .nullable(),
      company: numbered,
      machine: numbered,
      shift: z.strictObject({ isActive: flag, endTime: time, startTime: time, name, id: z.int() }),
      stop: z.strictObject({
        durationInMinutes: z.number(),
        deletedAt: time.nullable(),
        updatedAt: time,
        createdAt: time,
        isManual: flag,
        isIncludedInStops: flag,
        isIncludedInAvailability: flag,
        isProgrammed: flag,
        endTime: time.nullable(),
        startTime: time,
        name,
        id: z.int(),
      }),
    }),
  ),
});

const iso = (at: number) => new Date(at).toISOString();

/** A company with a machine and a shift, and a function that creates stop slices in occurrences of that shift. */
async function plant() {
  const company = await createCompany();
  const machine = await createMachine(company.companyId);
  const shift = await createShift(company.companyId);
  const of = { companyId: company.companyId, machineId: machine.machineId, shiftId: shift.shiftId };
  /** A slice of `minutes` (null: open) in the eight-hour shift that started this many hours ago, this many minutes after its start. */
  const slice = (
    hoursAgo: number,
    after: number,
    minutes: number | null,
    options: Parameters<typeof createStopSlice>[1] = {},
  ) => {
    const shiftStart = Math.floor(Date.now() / hour - hoursAgo) * hour;
    const sliceStart = shiftStart + after * minute;
    const sliceEnd = minutes === null ? null : sliceStart + minutes * minute;
    return createStopSlice({ ...of, shiftStart, shiftEnd: shiftStart + 8 * hour, sliceStart, sliceEnd }, options);
  };
  return { company, machine, shift, of, slice };
}

/** The ids of the stops that a filter selects, in ascending order. */
async function selected(filter: object): Promise<number[]> {
  const { body, status } = await ask(filter);
  expect(status, JSON.stringify(body)).toBe(200);
  const found = report.parse(body).stops.map((item) => item.stop.id);
  expect(body.totalCount).toBe(found.length);
  return found.sort();
}
const ids = (...stops: { id: number }[]) => stops.map(({ id }) => id).sort();

describe("stop report", () => {
  it("gives a classified stop in the contract's shape, in one database trip", async () => {
    const { company, machine, shift, of, slice } = await plant();
    const general = await createStopCause(of.companyId);
    const specific = await createStopCause(of.companyId, { level: "specific", parentId: general.causeId });
    const component = await createStopCause(of.companyId, { level: "component" });
    const classifiedAt = Date.now() - hour;
    const row = await slice(100, 30, 12.345, {
      classificationId: 77,
      description: "Belt torn",
      generalCauseId: general.causeId,
      specificCauseId: specific.causeId,
      componentId: component.causeId,
      classifiedAt,
      isManual: true,
      isProgrammed: true,
      isIncludedInAvailability: false,
    });
    const { status, body, headers } = await ask({ companyIds: [of.companyId] });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(report.parse(body)).toEqual({
      totalCount: 1,
      totalPages: 1,
      currentPage: 1,
      stops: [
        {
          classification: {
            description: "Belt torn",
            generalCause: { name: general.name, id: String(general.causeId) },
            specificCause: { name: specific.name, id: String(specific.causeId) },
            component: { name: component.name, id: String(component.causeId) },
            updatedAt: iso(classifiedAt),
            createdAt: iso(classifiedAt),
            id: 77,
          },
          company: { name: company.name, id: company.companyId },
          machine: { name: machine.name, id: machine.machineId },
          shift: {
            isActive: false,
            startTime: iso(row.shiftStart),
            endTime: iso(row.shiftEnd),
            name: shift.name,
            id: shift.shiftId,
          },
          stop: {
            durationInMinutes: 12.35,
            deletedAt: null,
            updatedAt: iso(row.updatedAt),
            createdAt: iso(row.createdAt),
            isManual: true,
            isIncludedInStops: true,
            isIncludedInAvailability: false,
            isProgrammed: true,
            startTime: iso(row.sliceStart),
            endTime: iso(row.sliceStart + Math.floor(12.345 * minute)),
            name: specific.name,
            id: row.id,
          },
        },
      ],
    });
    expect(headers.get("server-timing")).toContain('desc="1 trip"');
  });

  it("names a stop by its specific cause, else the general one, else its break, else Stop", async () => {
    const { of, slice } = await plant();
    const { causeId: generalCauseId, name: general } = await createStopCause(of.companyId);
    const reclassifiedAt = Date.now();
    await slice(50, 0, 5);
    await slice(50, 10, 5, { breakName: "Lunch" });
    await slice(50, 20, 5, { breakName: "Lunch", classificationId: 1, generalCauseId, classifiedAt: 1000, reclassifiedAt });
    const { body } = await ask({ companyIds: [of.companyId], direction: "asc" });
    expect(body.stops.map((item: { stop: { name: string } }) => item.stop.name)).toEqual(["Stop", "Lunch", general]);
    expect(body.stops[1].classification).toBeNull();
    const none = { description: null, specificCause: null, component: null };
    expect(body.stops[2].classification).toMatchObject({ ...none, createdAt: iso(1000), updatedAt: iso(reclassifiedAt) });
  });

  it("has one item per shift that a stop touches, as long as its slice", async () => {
    const { of, slice } = await plant();
    const first = await slice(32, 7 * 60, 60);
    await slice(24, 0, 45, { id: first.id });
    const { body } = await ask({ companyIds: [of.companyId] });
    expect(body.totalCount).toBe(2);
    expect(body.stops.map((item: { stop: object }) => item.stop)).toMatchObject([
      { id: first.id, durationInMinutes: 45, startTime: iso(first.shiftEnd) },
      { id: first.id, durationInMinutes: 60, endTime: iso(first.shiftEnd) },
    ]);
  });

  it("extends an open stop to now, or to the end of its shift", async () => {
    const { of, slice } = await plant();
    await slice(20, 7.5 * 60, null);
    const open = await slice(1, 10, null);
    const elapsed = () => (Date.now() - open.sliceStart) / minute;
    const least = elapsed();
    const { body } = await ask({ companyIds: [of.companyId] });
    expect(body.stops[0]).toMatchObject({ shift: { isActive: true }, stop: { endTime: null, id: open.id } });
    expect(body.stops[0].stop.durationInMinutes).toBeGreaterThanOrEqual(least - 0.01);
    expect(body.stops[0].stop.durationInMinutes).toBeLessThanOrEqual(elapsed() + 0.01);
    const endTime = body.stops[1].shift.endTime;
    expect(body.stops[1]).toMatchObject({ shift: { isActive: false }, stop: { endTime, durationInMinutes: 30 } });
  });

  it("has pages by start, by default newest first", async () => {
    const { of, slice } = await plant();
    for (const hoursAgo of [300, 200, 100]) {
      for (const after of [0, 60]) await slice(hoursAgo, after, 5);
    }
    // Two stops at the same time: the id decides, so that no two pages show the same row.
    await slice(100, 60, 5);
    const everything = (await ask({ companyIds: [of.companyId] })).body;
    expect(everything).toMatchObject({ totalCount: 7, totalPages: 1, currentPage: 1 });
    const starts = everything.stops.map((item: { stop: { startTime: string } }) => item.stop.startTime);
    expect(starts).toEqual(starts.toSorted().reverse());
    const paged = [];
    for (const page of [1, 2, 3, 4]) {
      const { body } = await ask({ companyIds: [of.companyId], pageSize: 3, page, direction: "asc" });
      expect(body).toMatchObject({ totalCount: 7, totalPages: 3, currentPage: page });
      paged.push(...body.stops);
    }
    expect(paged.reverse()).toEqual(everything.stops);
  });

  it("filters by place and time", async () => {
    const first = await plant();
    const second = await plant();
    const companyIds = [first.of.companyId, second.of.companyId];
    const early = await first.slice(60, 7 * 60, 5);
    const late = await first.slice(40, 7 * 60, 5);
    const other = await second.slice(40, 0, 5);
    expect(await selected({ companyIds })).toEqual(ids(early, late, other));
    expect(await selected({ companyIds: [second.of.companyId] })).toEqual(ids(other));
    expect(await selected({ companyIds, machineIds: [first.of.machineId] })).toEqual(ids(early, late));
    expect(await selected({ companyIds, shiftIds: [first.of.shiftId] })).toEqual(ids(early, late));
    // By the start of the shift, not by that of the stop.
    expect(await selected({ companyIds, from: iso(late.shiftStart) })).toEqual(ids(late, other));
    expect(await selected({ companyIds, from: iso(late.shiftStart + 1) })).toEqual([]);
    expect(await selected({ companyIds, to: iso(late.shiftStart) })).toEqual(ids(early));
    expect(await selected({ companyIds, to: iso(late.shiftStart + 1) })).toEqual(ids(early, late, other));
    expect(await selected({ companyIds, from: iso(early.shiftStart), to: iso(early.shiftStart) })).toEqual([]);
    expect(await selected({ companyIds: [] })).toEqual([]);
  });

  it("filters by flags, causes, length and state", async () => {
    const { of, slice } = await plant();
    const { companyId } = of;
    const [general, specific, component] = [
      await createStopCause(companyId),
      await createStopCause(companyId, { level: "specific" }),
      await createStopCause(companyId, { level: "component" }),
    ];
    const causes = { generalCauseId: general.causeId, specificCauseId: specific.causeId, componentId: component.causeId };
    const plain = await slice(50, 0, 5);
    const manual = await slice(50, 10, 10, { isManual: true, isProgrammed: true });
    const outside = await slice(50, 30, 20, { isIncludedInStops: false, isIncludedInAvailability: false });
    const explained = await slice(50, 60, 30, { classificationId: 5, classifiedAt: 1, ...causes });
    const over = await slice(20, 7.75 * 60, null);
    const open = await slice(1, 0, null, { sliceStart: Date.now() - 16 * minute });
    const deleted = await slice(50, 100, 40, { deletedAt: Date.now() });
    const all = [plain, manual, outside, explained, over, open];
    const but = (...some: { id: number }[]) => ids(...all.filter((stop) => !some.includes(stop)));
    const company = { companyIds: [companyId] };

    expect(await selected(company)).toEqual(ids(...all));
    expect(await selected({ ...company, includeDeleted: true })).toEqual(ids(...all, deleted));
    expect(await selected({ ...company, isManual: true })).toEqual(ids(manual));
    expect(await selected({ ...company, isManual: false })).toEqual(but(manual));
    expect(await selected({ ...company, isProgrammed: true })).toEqual(ids(manual));
    expect(await selected({ ...company, isIncludedInStops: false })).toEqual(ids(outside));
    expect(await selected({ ...company, isIncludedInAvailability: true })).toEqual(but(outside));
    expect(await selected({ ...company, isClassified: true })).toEqual(ids(explained));
    expect(await selected({ ...company, isClassified: false })).toEqual(but(explained));
    expect(await selected({ ...company, isOpen: true })).toEqual(ids(open));
    expect(await selected({ ...company, isOpen: false })).toEqual(but(open));
    expect(await selected({ ...company, minDurationInMinutes: 15 })).toEqual(but(plain, manual));
    expect(await selected({ ...company, minDurationInMinutes: 15.5 })).toEqual(ids(outside, explained, open));
    expect(await selected({ ...company, generalCauseIds: [String(general.causeId)] })).toEqual(ids(explained));
    expect(await selected({ ...company, specificCauseIds: [String(specific.causeId), "1"] })).toEqual(ids(explained));
    expect(await selected({ ...company, componentIds: [String(general.causeId)] })).toEqual([]);
    expect(await selected({ ...company, isManual: true, isProgrammed: false })).toEqual([]);
  });

  it("names each fault of the filter", async () => {
    const faults: [unknown, ...string[]][] = [
      [{ isPlanned: true, machineId: 1 }, "/isPlanned", "/machineId"],
      [{ isManual: "true", isOpen: 1, includeDeleted: null }, "/isManual", "/isOpen", "/includeDeleted"],
      [{ minDurationInMinutes: -1 }, "/minDurationInMinutes"],
      [
        { generalCauseIds: ["a"], specificCauseIds: [1, "1", 1.5], componentIds: "1" },
        "/generalCauseIds/0",
        "/specificCauseIds/2",
        "/componentIds",
      ],
      [{ from: "2026-01-02T00:00:00Z", to: "2026-01-01T00:00:00Z" }, "/from"],
      [{ page: 0, pageSize: 1001 }, "/page", "/pageSize"],
    ];
    for (const [body, ...pointers] of faults) expectProblem(await ask(body), 400, ...pointers);
  });

  it("has the stops of a machine's counts", async () => {
    const { companyId, startAt, shift } = await createRunningLine();
    const { body } = await ask({ companyIds: [companyId], direction: "asc" });
    const { stops } = report.parse(body);
    const running = { isActive: true, startTime: iso(startAt), name: shift.name };
    expect(stops).toMatchObject([
      {
        shift: running,
        classification: null,
        stop: {
          name: "Stop",
          startTime: iso(startAt + 60 * minute),
          endTime: iso(startAt + 90 * minute),
          durationInMinutes: 30,
          isManual: false,
          isProgrammed: false,
          isIncludedInStops: true,
          isIncludedInAvailability: true,
        },
      },
      { shift: running, stop: { startTime: iso(startAt + 120 * minute), endTime: null } },
    ]);
    expect(stops[1]?.stop.durationInMinutes).toBeGreaterThanOrEqual(240);
    expect(stops[1]?.stop.durationInMinutes).toBeLessThan(242);
  });
});
