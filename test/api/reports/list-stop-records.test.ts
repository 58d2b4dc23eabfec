import { describe, expect, it } from "vitest";
import { call } from "../../support/call.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import {
  createCompany,
  createLine,
  createMachine,
  createShift,
  createStopCause,
  createStopSlice,
  createUser,
} from "../../support/factories.ts";

const path = "/v1/stop-records";
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

type Query = Record<string, string | number | boolean>;

/** A company with a machine in a line and another one, and a user who may read its numbers. */
async function plant() {
  const { companyId } = await createCompany();
  const { lineId, name } = await createLine(companyId);
  const first = await createMachine(companyId, { lineId });
  const second = await createMachine(companyId);
  const { shiftId } = await createShift(companyId);
  const { token } = await createUser(companyId, "readonly");
  const ask = (query: Query) => call("GET", `${path}?${new URLSearchParams(query as Record<string, string>)}`, { token });
  /** A stop of this many minutes in a shift that started this many days ago. */
  const stop = (machineId: number, daysAgo: number, minutes: number, options: Parameters<typeof createStopSlice>[1] = {}) => {
    const shiftStart = Math.floor(Date.now() / day - daysAgo) * day;
    const slice = { sliceStart: shiftStart + hour, sliceEnd: shiftStart + hour + minutes * minute };
    return createStopSlice({ companyId, machineId, shiftId, shiftStart, shiftEnd: shiftStart + 8 * hour, ...slice }, options);
  };
  return { companyId, line: { id: lineId, name }, first, second, shiftId, ask, stop };
}

// biome-ignore lint/suspicious/noExplicitAny: bodies.
const idsIn = (body: any): number[] => body.data.map((item: any) => item.stop.id);
const range = () => ({ from: new Date(Date.now() - 60 * day).toISOString(), to: new Date(Date.now() + day).toISOString() });

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

describe("the list of stop records", () => {
  it("has the items of the report with their line", async () => {
    const { companyId, first, second, line, ask, stop } = await plant();
    const { causeId } = await createStopCause(companyId);
    await stop(first.id, 1, 5, { classificationId: 7, classifiedAt: 8, generalCauseId: causeId });
    await stop(second.id, 2, 6);
    const { token } = await createUser((await createCompany()).companyId, "superuser");
    const reported = await call("POST", "/v1/public/reports/stops", { token, body: { companyIds: [companyId] } });
    const { body } = await ask({});
    // In the report the ids of causes are strings.
    const [classified, other] = reported.body.stops;
    const general = { ...classified.classification.generalCause, id: causeId };
    // Operation 11 has no elapsed minutes.
    // biome-ignore lint/suspicious/noExplicitAny: items.
    const elapsed = (item: any, elapsedMinutes: number) => ({ ...item, stop: { ...item.stop, elapsedMinutes } });
    const expected = [
      elapsed({ ...classified, classification: { ...classified.classification, generalCause: general } }, 5),
      elapsed(other, 6),
    ];
    // biome-ignore lint/suspicious/noExplicitAny: items.
    expect(body.data.map(({ line, isRecalculating, ...item }: any) => item)).toEqual(expected);
    expect(body.data.map((item: { line: unknown }) => item.line)).toEqual([line, null]);
  });

  it("has only the own company's, and filters like the report", async () => {
    const [own, other] = [await plant(), await plant()];
    await other.stop(other.first.id, 1, 5);
    const { causeId } = await createStopCause(own.companyId);
    const short = await own.stop(own.first.id, 1, 5, { isProgrammed: true, isManual: true });
    const long = await own.stop(own.second.id, 2, 50, {
      ...{ classificationId: 7, classifiedAt: 8, generalCauseId: causeId },
      ...{ isIncludedInStops: false, isIncludedInAvailability: false },
    });
    const deleted = await own.stop(own.second.id, 3, 5, { deletedAt: 1 });
    const found = async (query: Query) => idsIn((await own.ask(query)).body);
    expect(await found({})).toEqual([short.id, long.id]);
    expect(await found({ sort: "start" })).toEqual([long.id, short.id]);
    expect(await found({ includeDeleted: true })).toEqual([short.id, long.id, deleted.id]);
    expect(await found({ lineIds: own.line.id })).toEqual([short.id]);
    expect(await found({ machineIds: own.second.id })).toEqual([long.id]);
    expect(await found({ machineIds: `${own.second.id},${own.first.id}` })).toEqual([short.id, long.id]);
    expect(await found({ isProgrammed: true })).toEqual([short.id]);
    expect(await found({ isManual: false })).toEqual([long.id]);
    expect(await found({ isIncludedInStops: false })).toEqual([long.id]);
    expect(await found({ isIncludedInAvailability: true })).toEqual([short.id]);
    expect(await found({ isClassified: true })).toEqual([long.id]);
    expect(await found({ hasGeneralCause: true })).toEqual([long.id]);
    expect(await found({ hasGeneralCause: false })).toEqual([short.id]);
    expect(await found({ hasSpecificCause: true })).toEqual([]);
    expect(await found({ generalCauseIds: causeId, hasSpecificCause: false })).toEqual([long.id]);
    expect(await found({ isOpen: true })).toEqual([]);
    expect(await found({ minDurationInMinutes: 5.5 })).toEqual([long.id]);
    expect(await found({ generalCauseIds: causeId })).toEqual([long.id]);
    expect(await found({ shiftIds: own.shiftId, to: new Date(short.shiftStart).toISOString() })).toEqual([long.id]);
    expect((await own.ask({ total: true })).body.total).toBe(2);
  });

  it("says how long the whole stop was, in each of its items", async () => {
    const { companyId, first, shiftId, ask } = await plant();
    const friday = Math.floor(Date.now() / day - 5) * day;
    const whole = { startAt: friday + 8 * hour - 10 * minute, endAt: friday + 3 * day + 12 * minute };
    const slice = (shiftStart: number, sliceStart: number, sliceEnd: number, id?: number) => {
      const times = { shiftStart, shiftEnd: shiftStart + 8 * hour, sliceStart, sliceEnd };
      return createStopSlice({ companyId, machineId: first.id, shiftId, ...times }, { ...whole, ...(id && { id }) });
    };
    const { id } = await slice(friday, whole.startAt, friday + 8 * hour);
    await slice(friday + 3 * day, friday + 3 * day, whole.endAt, id);
    const { body } = await ask({ sort: "start" });
    const lengths = (item: { stop: Record<string, number> }) => [
      item.stop.id,
      item.stop.durationInMinutes,
      item.stop.elapsedMinutes,
    ];
    expect(body.data.map(lengths)).toEqual([
      [id, 10, 3862],
      [id, 12, 3862],
    ]);
  });

  it("refuses and names ids that do not exist in the company", async () => {
    const [own, other] = [await plant(), await plant()];
    const { causeId } = await createStopCause(other.companyId);
    const foreign = { machineIds: other.first.id, lineIds: other.line.id, shiftIds: other.shiftId, componentIds: causeId };
    for (const [member, id] of Object.entries(foreign)) expectProblem(await own.ask({ [member]: id }), 404, `/query/${member}`);
    expectProblem(await own.ask({ companyId: other.companyId }), 404, "/companyId");
  });

  it("is sorted by duration, of open stops up to the first page; slices of one stop are separate", async () => {
    const { companyId, first, shiftId, ask, stop } = await plant();
    const now = Date.now();
    const times = { shiftStart: now - 2 * hour, shiftEnd: now + hour, sliceStart: now - 30 * minute, sliceEnd: null };
    const open = await createStopSlice({ companyId, machineId: first.id, shiftId, ...times });
    const [shorter, longer] = [await stop(first.id, 2, 20), await stop(first.id, 3, 40)];
    const split = await stop(first.id, 5, 20);
    await stop(first.id, 6, 20, { id: split.id });
    const equal = [shorter.id, split.id, split.id].toSorted((a, b) => a - b);
    expect(await allPages(ask, { ...range(), sort: "duration" })).toEqual([...equal, open.id, longer.id]);
    expect(await allPages(ask, { ...range(), sort: "-duration" })).toEqual([longer.id, open.id, ...equal.toReversed()]);
    expect(await allPages(ask, {})).toEqual([open.id, shorter.id, longer.id, split.id, split.id]);
    expectProblem(await ask({ sort: "duration" }), 400, "/query/from", "/query/to");
    expectProblem(await ask({ sort: "oee" }), 400, "/query/sort");
  });
});
