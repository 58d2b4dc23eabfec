import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { call } from "../../support/call.ts";
import { DAY, HOUR, MINUTE } from "../../support/clock.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import {
  createCompany,
  createMachine,
  createShift,
  createStopCause,
  createStopSlice,
  createUser,
} from "../../support/factories.ts";
import { listSuite, newestFirst } from "../../support/lists.ts";
import { iso } from "./stopped-line.ts";

const midnight = Date.UTC(2030, 0, 7);

/** A machine with published stops: `slice(hours, minutes, ...)` adds one to the day. */
async function createMachineWithStops(companyId?: number) {
  const company = companyId ?? (await createCompany()).companyId;
  const shift = await createShift(company, { start: "00:00", end: "00:00" });
  const machine = await createMachine(company);
  const slice = (hours: number, minutes: number, options: Parameters<typeof createStopSlice>[1] = {}, day = 0) => {
    const shiftStart = midnight + day * DAY;
    const sliceStart = shiftStart + hours * HOUR;
    const of = { companyId: company, machineId: machine.id, shiftId: shift.id, shiftStart, shiftEnd: shiftStart + DAY };
    return createStopSlice({ ...of, sliceStart, sliceEnd: sliceStart + minutes * MINUTE }, options);
  };
  const { token } = await createUser(company, "readonly");
  return { companyId: company, shift, machine, slice, token };
}

listSuite({
  path: "/v1/stops",
  createFive: async (companyId) => {
    const { slice } = await createMachineWithStops(companyId);
    return newestFirst((at) => slice(at / 1000, 10));
  },
});

const idsOf = (body: { data: { id: number }[] }) => body.data.map(({ id }) => id);

describe("the list of stops", () => {
  it("has a stop once, with its whole length, however many shifts it touches", async () => {
    const { machine, slice, token } = await createMachineWithStops();
    const startAt = midnight + 23 * HOUR;
    const whole = { id: 2 ** 49 + machine.id, startAt, endAt: startAt + 26 * HOUR };
    await slice(23, 60, whole);
    await slice(0, 24 * 60, whole, 1);
    await slice(0, 60, whole, 2);
    const { body } = await call("GET", "/v1/stops", { token });
    expect(body.data).toEqual([
      {
        id: whole.id,
        machine: { id: machine.id, name: machine.name },
        startTime: iso(startAt),
        endTime: iso(whole.endAt),
        durationInMinutes: 26 * 60,
        elapsedMinutes: 26 * 60,
        isOpen: false,
        isManual: false,
        isProgrammed: false,
        isIncludedInStops: true,
        isIncludedInAvailability: true,
        name: "Stop",
        classification: null,
        version: 0,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
        deletedAt: null,
      },
    ]);
    // Its first part was deleted: the next one represents it.
    await env.DB_0.prepare("UPDATE stops SET deleted_at = 1 WHERE id = ? AND shift_start = ?").bind(whole.id, midnight).run();
    expect(idsOf((await call("GET", "/v1/stops", { token })).body)).toEqual([whole.id]);
    expect(idsOf((await call("GET", "/v1/stops?includeDeleted=true", { token })).body)).toEqual([whole.id]);
    await env.DB_0.prepare("UPDATE stops SET deleted_at = 1 WHERE id = ?").bind(whole.id).run();
    expect((await call("GET", "/v1/stops", { token })).body.data).toEqual([]);
    const deleted = (await call("GET", "/v1/stops?includeDeleted=true", { token })).body.data;
    expect(deleted).toMatchObject([{ id: whole.id, deletedAt: iso(1) }]);
  });

  it("counts the scheduled minutes of a stop across a weekend, in its length, filters and charts", async () => {
    const { companyId, machine, shift, token } = await createMachineWithStops();
    const [friday, monday] = [midnight - 3 * DAY + 6 * HOUR, midnight + 6 * HOUR];
    const at = { companyId, machineId: machine.id, shiftId: shift.id };
    const whole = { id: 2 ** 49 + machine.id, startAt: friday + 470 * MINUTE, endAt: monday + 12 * MINUTE };
    const early = { shiftStart: friday, shiftEnd: friday + 8 * HOUR, sliceStart: whole.startAt, sliceEnd: friday + 8 * HOUR };
    const late = { shiftStart: monday, shiftEnd: monday + 8 * HOUR, sliceStart: monday, sliceEnd: whole.endAt };
    await createStopSlice({ ...at, ...early }, whole);
    await createStopSlice({ ...at, ...late }, whole);
    const list = async (query = "") => (await call("GET", `/v1/stops?${query}`, { token })).body.data;
    expect(await list()).toMatchObject([{ durationInMinutes: 22, elapsedMinutes: 3862 }]);
    expect((await call("GET", `/v1/stops/${whole.id}`, { token })).body).toMatchObject({
      ...{ durationInMinutes: 22, elapsedMinutes: 3862 },
    });
    expect(idsOf({ data: await list("minDurationInMinutes=22") })).toEqual([whole.id]);
    expect(await list("minDurationInMinutes=22.1")).toEqual([]);
    const body = {
      filter_by: { date_range: { from: iso(midnight - 7 * DAY), to: iso(midnight + 7 * DAY) } },
      metrics: ["mttr", "stop_count", "stop_duration"],
    };
    const { series } = (await call("POST", "/widget/stop-metrics", { token, body })).body;
    const sum = (points: { y: number }[]) => points.reduce((all, { y }) => all + y, 0);
    expect(series.map(({ points }: { points: { y: number }[] }) => sum(points))).toEqual([22, 1, 22]);
  });

  it("supports each filter", async () => {
    const { companyId, machine, shift, slice, token } = await createMachineWithStops();
    const other = await createMachineWithStops(companyId);
    const general = await createStopCause(companyId, { name: "Jam" });
    const specific = await createStopCause(companyId, { level: "specific", name: "Blade" });
    const component = await createStopCause(companyId, { level: "component" });
    const causes = { generalCauseId: general.id, specificCauseId: specific.id, componentId: component.id };
    const plain = (await slice(1, 5)).id;
    const programmed = (await slice(2, 10, { isProgrammed: true })).id;
    const manual = (await slice(3, 10, { isManual: true, name: "Named", version: 2 })).id;
    const outside = (await slice(4, 10, { isIncludedInAvailability: false, isIncludedInStops: false })).id;
    const classified = (await slice(5, 10, { classificationId: 1, classifiedAt: 1, ...causes })).id;
    const open = (await slice(6, 10, { sliceEnd: null, endAt: null })).id;
    const theirs = (await other.slice(7, 10)).id;
    const theirsToo = (await other.slice(3.5, 10)).id;
    const all = [theirs, open, classified, outside, theirsToo, manual, programmed, plain];
    const select = async (query: string) => {
      const answer = await call("GET", `/v1/stops?${query}`, { token });
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      return idsOf(answer.body);
    };
    const but = (...ids: number[]) => all.filter((id) => !ids.includes(id));
    expect(await select("")).toEqual(all);
    expect(await select(`machineIds=${machine.id}`)).toEqual(but(theirs, theirsToo));
    expect(await select(`machineIds=${machine.id},${other.machine.id}`)).toEqual(all);
    expect(await select(`machineIds=${machine.id}&machineIds=${other.machine.id}`)).toEqual(all);
    const both = `machineIds=${machine.id},${other.machine.id},${machine.id}`;
    const silent = await Promise.all(Array.from({ length: 5 }, async () => (await createMachine(companyId)).id));
    const { data: newest, cursor } = (await call("GET", `/v1/stops?limit=3&${both}`, { token })).body;
    expect([...idsOf({ data: newest }), ...(await select(`${both}&cursor=${cursor}`))]).toEqual(all);
    expect(await select(`${both},${silent}`)).toEqual(all);
    expect(await select(`machineIds=${other.machine.id},${silent}`)).toEqual([theirs, theirsToo]);
    expect(await select(`shiftIds=${other.shift.id}`)).toEqual([theirs, theirsToo]);
    expect(await select(`shiftIds=${shift.id}&from=${iso(midnight + 2 * HOUR)}&to=${iso(midnight + 4 * HOUR)}`)).toEqual([
      manual,
      programmed,
    ]);
    expect(await select("isProgrammed=true")).toEqual([programmed]);
    expect(await select("isProgrammed=false")).toEqual(but(programmed));
    expect(await select("isManual=true")).toEqual([manual]);
    expect(await select("isIncludedInStops=false")).toEqual([outside]);
    expect(await select("isIncludedInAvailability=false")).toEqual([outside]);
    expect(await select("isClassified=true")).toEqual([classified]);
    expect(await select("isClassified=false")).toEqual(but(classified));
    expect(await select("hasGeneralCause=true")).toEqual([classified]);
    expect(await select("hasSpecificCause=false")).toEqual(but(classified));
    expect(await select("isOpen=true")).toEqual([open]);
    expect(await select("isOpen=false")).toEqual(but(open));
    expect(await select("minDurationInMinutes=6&isOpen=false")).toEqual(but(open, plain));
    expect(await select(`generalCauseIds=${general.id}`)).toEqual([classified]);
    expect(await select(`specificCauseIds=${specific.id}`)).toEqual([classified]);
    const unused = await createStopCause(companyId, { level: "component" });
    expect(await select(`componentIds=${component.id},${unused.id}`)).toEqual([classified]);
    expect(await select(`componentIds=${unused.id}`)).toEqual([]);
    const { data } = (await call("GET", "/v1/stops", { token })).body;
    expect(data.find(({ id }: { id: number }) => id === manual)).toMatchObject({ name: "Named", version: 2, isManual: true });
    expect(data.find(({ id }: { id: number }) => id === classified)).toMatchObject({
      name: "Blade",
      classification: { generalCause: { name: "Jam", id: general.id } },
    });
  });

  it("names unknown filters", async () => {
    const { token } = await createUser((await createCompany()).companyId, "user");
    for (const [query, pointer] of [
      ["machineIds=x", "/query/machineIds/0"],
      ["machineIds=", "/query/machineIds/0"],
      ["isOpen=1", "/query/isOpen"],
      ["from=yesterday", "/query/from"],
      [`from=${iso(2)}&to=${iso(1)}`, "/query/from"],
      ["minDurationInMinutes=-1", "/query/minDurationInMinutes"],
    ] as const) {
      expectProblem(await call("GET", `/v1/stops?${query}`, { token }), 400, pointer);
    }
  });
});
