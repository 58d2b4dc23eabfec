import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { call } from "../../../support/call.ts";
import { expectProblem } from "../../../support/expect-problem.ts";
import { createCompany, createMachine, createShift, createUser } from "../../../support/factories.ts";
import { createShiftParts } from "../../../support/shift-parts.ts";
import { createSummedPlant, hour, minute, type PlantHour, type PlantPart } from "./summed-plant.ts";

const day = 24 * hour;
const iso = (at: number) => new Date(at).toISOString();
type Plant = Awaited<ReturnType<typeof createSummedPlant>>;
type Row = Record<string, { id: unknown; name: string } | null> & Record<string, number> & { start: string; end: string };

async function ask(token: string, query: Record<string, unknown>) {
  const answer = await call("GET", `/v1/summary?${new URLSearchParams(query as Record<string, string>)}`, { token });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body as { total: Row; data: Row[]; from: string; to: string; timezone: string };
}

const round = (value: number, scale = 100) => Math.round(value * scale + 1e-7) / scale;
const sum = (parts: readonly PlantPart[], of: (part: PlantPart) => number) => parts.reduce((all, part) => all + of(part), 0);

/** The figures of parts as section 5 of the design defines them, and of hours outside shifts; null: they are in no such row. */
function figures(parts: readonly PlantPart[], outside: readonly PlantHour[] | null) {
  const of = (name: keyof PlantPart) => sum(parts, (part) => part[name] as number);
  const minutes = (ms: number) => round(ms / minute);
  const ratio = (part: number, whole: number) => (whole > 0 ? part / whole : 0);
  const [available, programmed, nonProgrammed] = [of("availableMs"), of("programmedMs"), of("nonProgrammedMs")];
  const availability = ratio(available, available + programmed + nonProgrammed);
  const net = ratio(available, available + nonProgrammed);
  const effectiveness = ratio(of("idealMs"), available);
  const quality = of("totalUnits") === 0 ? 1 : (of("totalUnits") - of("defectUnits")) / of("totalUnits");
  return {
    availableTime: minutes(available),
    unavailableTime: minutes(programmed + nonProgrammed),
    programmedDowntime: minutes(programmed),
    nonProgrammedDowntime: minutes(nonProgrammed),
    otherStopsTime: minutes(of("otherMs")),
    noDataTime: minutes(of("noDataMs")),
    annotatedDowntime: minutes(of("annotatedMs")),
    stopTime: minutes(programmed + nonProgrammed + of("otherMs")),
    idealTime: minutes(of("idealMs")),
    minutesLostByLowSpeed: minutes(Math.max(0, available - of("idealMs"))),
    minutesLostByLowQuality: minutes(of("lostByDefectsMs")),
    cycleCount: of("cycles"),
    total: of("totalUnits"),
    defects: of("defectUnits"),
    correct: of("totalUnits") - of("defectUnits"),
    target: round(sum(parts, (one) => (one.unitStandardMs ? (one.availableMs + one.nonProgrammedMs) / one.unitStandardMs : 0))),
    availability: round(100 * availability),
    netAvailability: round(100 * net),
    effectiveness: round(100 * effectiveness),
    quality: round(100 * quality),
    oee: round(100 * availability * effectiveness * quality),
    netOee: round(100 * net * effectiveness * quality),
    producedOutsideShifts: outside?.reduce((all, { units }) => all + units, 0) ?? null,
    stopCount: null,
  };
}

const madrid = new Intl.DateTimeFormat("sv-SE", { timeZone: "Europe/Madrid", dateStyle: "short", timeStyle: "long" });
const localDate = (at: number) => madrid.format(at).slice(0, 10);
const monday = (at: number) => {
  const date = Date.parse(localDate(at));
  return iso(date - ((new Date(date).getUTCDay() + 6) % 7) * day).slice(0, 10);
};

/** The key that distinguishes the rows of a group, for a part and for a row of the answer. */
const keyOf: Record<string, { part: (part: PlantPart) => unknown; row: (row: Row) => unknown }> = {
  machine: { part: ({ machine }) => machine, row: ({ machine }) => machine },
  line: { part: ({ line }) => line, row: ({ line }) => line },
  shift: { part: ({ shift }) => shift, row: ({ shift }) => shift },
  sku: { part: ({ sku }) => sku, row: ({ sku }) => sku },
  order: { part: ({ workOrder }) => workOrder, row: ({ workOrder }) => workOrder },
  hour: {
    part: ({ startAt }) => madrid.format(startAt).replace(/:\d\d:\d\d /, " "),
    row: ({ start }) => madrid.format(Date.parse(start)).replace(/:\d\d:\d\d /, " "),
  },
  day: { part: ({ startAt }) => localDate(startAt), row: ({ start }) => localDate(Date.parse(start)) },
  week: { part: ({ startAt }) => monday(startAt), row: ({ start }) => localDate(Date.parse(start)) },
  month: { part: ({ startAt }) => localDate(startAt).slice(0, 7), row: ({ start }) => localDate(Date.parse(start)).slice(0, 7) },
};

const times = ["hour", "day", "week", "month"];

/** The figures of all groups, by their keys. */
function expectedRows(parts: readonly PlantPart[], outside: readonly PlantHour[], groupBy: string[]) {
  const keyed = (part: PlantPart) => JSON.stringify(groupBy.map((group) => keyOf[group]?.part(part)));
  const groups = Map.groupBy(parts, keyed);
  const isDivided = groupBy.every((group) => ["machine", "line", ...times].includes(group));
  const hours = Map.groupBy(isDivided ? outside : [], (one) => keyed(one as unknown as PlantPart));
  const keys = [...new Set([...groups.keys(), ...hours.keys()])];
  return Object.fromEntries(keys.map((key) => [key, figures(groups.get(key) ?? [], isDivided ? (hours.get(key) ?? []) : null)]));
}

function rowsOf(rows: readonly Row[], groupBy: string[]) {
  return Object.fromEntries(
    rows.map((row) => {
      const {
        start,
        end,
        machine,
        line,
        shift,
        sku,
        workOrder,
        operator,
        generalCause,
        specificCause,
        defectReason,
        isPartial,
        ...rest
      } = row;
      return [JSON.stringify(groupBy.map((group) => keyOf[group]?.row(row))), rest];
    }),
  );
}

describe("sums of parts", () => {
  let plant: Plant;
  // From the Thursday before the day of 25 hours to the Monday after it.
  beforeAll(async () => {
    plant = await createSummedPlant(Date.parse("2025-10-22T22:00Z"), 97);
  });
  const all = () => ({ from: iso(plant.startAt), to: iso(plant.endAt) });

  const names = Object.keys(keyOf);
  const pairs = names.flatMap((one) => names.map((other) => [one, other]));
  it.each([
    ...names.map((name) => [name]),
    ...pairs.filter(([a = "", b = ""]) => a !== b && !(times.includes(a) && times.includes(b))),
  ])("by %s %s", async (...groupBy) => {
    const { data, total } = await ask(plant.token, { ...all(), groupBy: groupBy.join() });
    expect(rowsOf(data, groupBy)).toEqual(expectedRows(plant.parts, plant.outside, groupBy));
    expect(total).toEqual(figures(plant.parts, plant.outside));
  });

  it("selects machines, lines and a range", async () => {
    const { machines, line } = plant;
    const filters: [object, (part: Pick<PlantPart, "machine" | "line" | "startAt">) => boolean][] = [
      [{ machineIds: `${machines[0]?.id},${machines[2]?.id}` }, ({ machine }) => ["Press", "Lathe"].includes(machine.name)],
      [{ machineIds: machines[0]?.id }, ({ machine }) => machine.name === "Press"],
      [{ lineIds: line.id }, (part) => part.line !== null],
      [
        { from: iso(plant.startAt + 25 * hour), to: iso(plant.startAt + 50 * hour) },
        ({ startAt }) => startAt >= plant.startAt + 25 * hour && startAt < plant.startAt + 50 * hour,
      ],
    ];
    for (const [filter, selects] of filters) {
      const [parts, outside] = [plant.parts.filter(selects), plant.outside.filter(selects)];
      for (const group of ["shift", "machine"]) {
        const { data, total } = await ask(plant.token, { ...all(), groupBy: group, ...filter });
        expect(rowsOf(data, [group]), JSON.stringify(filter)).toEqual(expectedRows(parts, outside, [group]));
        expect(total, JSON.stringify(filter)).toEqual(figures(parts, outside));
      }
    }
  });

  it("selects shifts, SKUs, orders and operators, which is nothing that was made outside shifts", async () => {
    const { shifts, skus } = plant;
    const order = plant.parts.find(({ workOrder }) => workOrder)?.workOrder?.id;
    const filters: [object, (part: PlantPart) => boolean][] = [
      [{ shiftIds: shifts[1]?.id }, ({ shift }) => shift.name === "Morning"],
      [{ skuIds: skus[0]?.skuId }, ({ sku }) => sku?.name === "Bottle"],
      [{ workOrderIds: order }, ({ workOrder }) => workOrder?.id === order],
      [{ operatorIds: plant.operators[0]?.id }, () => true],
    ];
    for (const [filter, selects] of filters) {
      const parts = plant.parts.filter(selects);
      for (const group of ["shift", "machine", "day"]) {
        const { data, total } = await ask(plant.token, { ...all(), groupBy: group, ...filter });
        const none = { producedOutsideShifts: null };
        const rows = Object.entries(expectedRows(parts, [], [group])).map(([key, row]) => [key, { ...row, ...none }]);
        expect(rowsOf(data, [group]), JSON.stringify(filter)).toEqual(Object.fromEntries(rows));
        expect(total, JSON.stringify(filter)).toEqual(figures(parts, null));
      }
    }
  });

  const cause = (row: Row) => [row.generalCause, row.specificCause];

  it.each(["", "machine", "line", "shift", "sku", "order", ...times])("stopped time by cause %s", async (other) => {
    const groupBy = ["cause", ...(other ? [other] : [])];
    const { data, total } = await ask(plant.token, { ...all(), groupBy: groupBy.join() });
    const slices = Map.groupBy(plant.slices, ({ general, specific, part }) =>
      JSON.stringify([[general, specific], other && keyOf[other]?.part(part)]),
    );
    const expected = [...slices].map(([key, of]) => {
      const minutes = (bucket?: string) =>
        round(of.reduce((ms, one) => ms + (bucket && one.bucket !== bucket ? 0 : one.end - one.start), 0) / minute);
      const [programmed, nonProgrammed] = [minutes("programmedMs"), minutes("nonProgrammedMs")];
      const unavailableTime = round(programmed + nonProgrammed);
      return [
        key,
        of.length,
        minutes(),
        programmed,
        nonProgrammed,
        minutes("otherMs"),
        unavailableTime,
        JSON.parse(key)[0][0] ? unavailableTime : 0,
      ];
    });
    const answered = data.map((row) => [
      JSON.stringify([cause(row), other && keyOf[other]?.row(row)]),
      ...[row.stopCount, row.stopTime, row.programmedDowntime, row.nonProgrammedDowntime, row.otherStopsTime],
      ...[row.unavailableTime, row.annotatedDowntime],
    ]);
    expect(answered.toSorted()).toEqual(expected.toSorted());
    for (const { availableTime, oee, total } of data) expect([availableTime, oee, total]).toEqual([null, null, null]);
    expect(total).toEqual({ ...figures(plant.parts, plant.outside), stopCount: plant.slices.length });
  });

  it("stopped time of one SKU, and clipped to the range", async () => {
    const skuIds = plant.skus[1]?.skuId;
    const ofSku = await ask(plant.token, { ...all(), groupBy: "cause", skuIds });
    const slices = plant.slices.filter(({ part }) => part.sku?.id === skuIds);
    const lengthOf = (of: typeof slices) => round(of.reduce((ms, { start, end }) => ms + end - start, 0) / minute);
    expect(round(ofSku.data.reduce((all, { stopTime }) => all + (stopTime ?? 0), 0))).toBe(lengthOf(slices));
    expect(ofSku.total.stopTime).toBe(lengthOf(slices));
    const [from, to] = [plant.startAt + 10 * hour + 2 * minute, plant.startAt + 20 * hour + 3 * minute];
    const clipped = plant.slices.map((one) => ({ ...one, start: Math.max(one.start, from), end: Math.min(one.end, to) }));
    const inRange = await ask(plant.token, { from: iso(from), to: iso(to), groupBy: "cause" });
    expect(round(inRange.data.reduce((all, { stopTime }) => all + (stopTime ?? 0), 0))).toBe(
      lengthOf(clipped.filter(({ start, end }) => start < end)),
    );
  });

  it.each(["", "machine", "line", "shift", "day", "week", "month"])("what operators did, by %s", async (other) => {
    const groupBy = ["operator", ...(other ? [other] : [])];
    const { data, total } = await ask(plant.token, { ...all(), groupBy: groupBy.join() });
    const lineOf = (machine: { name: string }) =>
      machine.name === "Lathe" ? null : { id: plant.line.id, name: plant.line.name };
    const groups = Map.groupBy(plant.worked, (one) =>
      JSON.stringify([one.operator, other && keyOf[other]?.part({ ...one, line: lineOf(one.machine) } as unknown as PlantPart)]),
    );
    const expected = [...groups].map(([key, of]) => {
      const [up, down] = [of.reduce((ms, one) => ms + one.uptimeMs, 0), of.reduce((ms, one) => ms + one.downtimeMs, 0)];
      return [
        key,
        round(up / minute),
        round(down / minute),
        of.reduce((all, { units }) => all + units, 0),
        round((100 * up) / (up + down)),
      ];
    });
    const answered = data.map((row) => [
      JSON.stringify([row.operator, other && keyOf[other]?.row(row)]),
      ...[row.availableTime, row.unavailableTime, row.total, row.availability],
    ]);
    expect(answered.toSorted()).toEqual(expected.toSorted());
    expect(total).toEqual(figures(plant.parts, plant.outside));
    const [one] = plant.operators;
    const ofOne = await ask(plant.token, { ...all(), groupBy: "operator", operatorIds: one?.id });
    expect(ofOne.data.map(({ operator }) => operator?.name)).toEqual([one?.name]);
  });

  it("sorts by the groups as they were named, what has none last", async () => {
    const byMachine = await ask(plant.token, { ...all(), groupBy: "machine,day" });
    const machineDays = byMachine.data.map(({ machine, start }) => [machine?.name, start]);
    expect(machineDays).toEqual(machineDays.toSorted());
    const byDay = await ask(plant.token, { ...all(), groupBy: "day,sku" });
    const daySkus = byDay.data.map(({ sku, start }) => [start, sku?.name ?? "~"]);
    expect(daySkus).toEqual(daySkus.toSorted());
  });

  it("says which of its days the range cuts", async () => {
    const { token } = await createUser((await createCompany({ timezone: "Europe/Madrid" })).companyId, "admin");
    const of = async (from: string, to: string) => {
      const { body } = await call("GET", `/v1/summary?groupBy=day&from=${from}&to=${to}`, { token });
      return body.data.map(({ start, isPartial }: { start: string; isPartial: boolean }) => [start.slice(5, 10), isPartial]);
    };
    expect(await of("2026-03-02T23:00:00Z", "2026-03-04T23:00:00Z")).toEqual([
      ["03-02", false],
      ["03-03", false],
    ]);
    expect(await of("2026-03-03T05:00:00Z", "2026-03-05T10:00:00Z")).toEqual([
      ["03-02", true],
      ["03-03", false],
      ["03-04", true],
    ]);
    const { body } = await call("GET", "/v1/summary?groupBy=machine&from=2026-03-03T05:00:00Z&to=2026-03-04T05:00:00Z", {
      token,
    });
    expect(body.data.every(({ isPartial }: { isPartial: boolean }) => !isPartial)).toBe(true);
  });

  it("has a row for each interval of a day, of which a change of the clock makes 25, and none is missing", async () => {
    const [from, to] = [Date.parse("2025-10-24T22:00Z"), Date.parse("2025-11-02T23:00Z")];
    const hours = await ask(plant.token, { from: iso(from), to: iso(to), groupBy: "hour" });
    expect(hours.data.map(({ start }) => start)).toEqual(
      Array.from({ length: (to - from) / hour }, (_, i) => iso(from + i * hour)),
    );
    const days = await ask(plant.token, { from: iso(from), to: iso(to), groupBy: "day" });
    const lengths = days.data.map(({ start, end }) => (Date.parse(end) - Date.parse(start)) / hour);
    expect(lengths).toEqual([24, 25, 24, 24, 24, 24, 24, 24, 24]);
    expect(days.data.at(-1)).toMatchObject({ availableTime: 0, total: 0, oee: 0, quality: 100, machine: null });
    expect(days.timezone).toBe("Europe/Madrid");
  });

  it("shows nothing of another company, and superusers what they ask for", async () => {
    const other = await createCompany();
    const stranger = await createUser(other.companyId, "admin");
    const named = async (filter: string) => {
      for (const groupBy of ["day", "cause", "operator"]) {
        const refused = await call("GET", `/v1/summary?groupBy=${groupBy}&${filter}`, { token: stranger.token });
        expectProblem(refused, 404);
        expect(refused.body.errors).toMatchObject([{ pointer: `/query/${filter.split("=")[0]}`, code: "not_found" }]);
      }
    };
    await named(`machineIds=${plant.machines[0]?.id}`);
    await named(`shiftIds=${plant.machines[0]?.id},999999999`);
    const { data, total } = await ask(stranger.token, { ...all(), groupBy: "machine" });
    expect(data).toEqual([]);
    expect(total).toEqual(figures([], []));
    expect((await ask(stranger.token, { ...all(), groupBy: "cause" })).data).toEqual([]);
    const path = `/v1/summary?groupBy=machine&companyId=${plant.companyId}`;
    expectProblem(await call("GET", path, { token: stranger.token }), 404);
    const superuser = await createUser(other.companyId, "superuser");
    const asked = await ask(superuser.token, { ...all(), groupBy: "machine", companyId: plant.companyId });
    expect(asked.data).toHaveLength(4);
    expect((await ask(superuser.token, { ...all(), groupBy: "machine" })).data).toEqual([]);
    expectProblem(await call("GET", "/v1/summary?groupBy=machine&companyId=999999999", { token: superuser.token }), 404);
  });
});

describe("running shifts", () => {
  it("go on in the bucket they were last in, hour by hour, until now", async () => {
    const { companyId } = await createCompany({ timezone: "Asia/Kolkata" });
    const { token } = await createUser(companyId, "user");
    const machine = await createMachine(companyId);
    const shift = await createShift(companyId);
    // In this zone local hours begin at half past in UTC.
    const hourStart = Math.floor((Date.now() - 3 * hour) / hour) * hour - hour / 2;
    const startAt = hourStart + 10 * minute;
    const times = { shiftStart: startAt, shiftEnd: Date.now() + 5 * hour };
    await createShiftParts({ companyId, machineId: machine.id, shiftId: shift.id, ...times }, [
      {
        ...{ startAt, hourStart, endAt: hourStart + hour, availableMs: 15 * minute, nonProgrammedMs: 5 * minute, totalUnits: 90 },
        ...{ asOf: startAt + 20 * minute, openBucket: "nonProgrammed" as const, openIsAnnotated: true, unitStandardMs: 10_000 },
      },
    ]);
    const before = Date.now();
    const { data, total } = await ask(token, { groupBy: "hour", from: iso(hourStart), to: iso(Date.now() + hour) });
    const worked = data.filter(({ nonProgrammedDowntime = 0 }) => nonProgrammedDowntime > 0);
    expect(worked.length).toBeGreaterThan(2);
    expect(worked[0]).toMatchObject({
      start: iso(hourStart),
      availableTime: 15,
      nonProgrammedDowntime: 35,
      total: 90,
      target: 300,
    });
    expect(worked[1]).toMatchObject({
      availableTime: 0,
      nonProgrammedDowntime: 60,
      annotatedDowntime: 60,
      target: 360,
      total: 0,
    });
    expect(total.nonProgrammedDowntime).toBeCloseTo((before - startAt) / minute - 15, 0);
    expect(total.annotatedDowntime).toBeCloseTo((before - startAt) / minute - 20, 0);
    const later = await ask(token, { groupBy: "machine", from: iso(hourStart + hour), to: iso(hourStart + 2 * hour) });
    expect(later.data).toMatchObject([{ machine: { id: machine.id, name: machine.name }, nonProgrammedDowntime: 60, total: 0 }]);
  });
});

describe("a request", () => {
  let token: string;
  beforeAll(async () => {
    token = (await createUser((await createCompany({ timezone: "Europe/Madrid" })).companyId, "readonly")).token;
  });

  it("is about seven local days, the last of them today, unless it says otherwise", async () => {
    const { data, from, to } = await ask(token, { groupBy: "day" });
    expect(data).toHaveLength(7);
    expect(localDate(Date.parse(from))).toBe(localDate(Date.parse(data[0]?.start ?? "")));
    expect(Date.parse(to) % hour).toBe(0);
    expect(Math.abs(Date.parse(to) - hour / 2 - Date.now())).toBeLessThan(hour / 2 + 20_000);
    expect((await ask(token, { groupBy: "day", to: "2026-03-30T22:00:00Z" })).from).toBe("2026-03-23T23:00:00.000Z");
  });

  const year = { from: "2025-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z" };
  it.each([
    [{}, "/query/groupBy", /./],
    [{ groupBy: "" }, "/query/groupBy", /"machine".*"cause"/],
    [{ groupBy: "colour" }, "/query/groupBy", /"machine".*"cause"/],
    [{ groupBy: "machine,day,sku" }, "/query/groupBy", /one group, or two/],
    [{ groupBy: "sku,sku" }, "/query/groupBy", /twice/],
    [{ groupBy: "day,week" }, "/query/groupBy", /two groups of time/],
    [{ groupBy: "operator,hour" }, "/query/groupBy", /machine, line, shift, day, week, month/],
    [{ groupBy: "cause,operator" }, "/query/groupBy", /kept per machine and shift/],
    [{ groupBy: "operator", skuIds: "A" }, "/query/skuIds", /kept per machine and shift/],
    [{ groupBy: "day", colour: "red" }, "/query/colour", /is unknown/],
    [{ groupBy: "day", from: "2026-01-02T00:00:00Z", to: "2026-01-01T00:00:00Z" }, "/query/from", /before `to`/],
    [{ groupBy: "day", from: "2999-01-02T00:00:00Z" }, "/query/from", /before the end of the current hour/],
    [{ groupBy: "day", from: "2024-12-30T00:00:00Z", to: "2026-01-01T00:00:00Z" }, "/query/from", /366 days.*narrow/],
  ])("%o is refused", async (query, pointer, message) => {
    const answer = await call("GET", `/v1/summary?${new URLSearchParams(query as Record<string, string>)}`, { token });
    expectProblem(answer, 400);
    expect(answer.body.errors[0].pointer.replace(/\/\d+$/, "")).toBe(pointer);
    expect(answer.body.errors[0].message).toMatch(message);
  });

  it("may be about 366 days", async () => {
    expect((await ask(token, { groupBy: "month", ...year })).data).toHaveLength(13);
  });

  it("is refused where it would have more than 10,000 rows", async () => {
    const { companyId } = await createCompany();
    const user = await createUser(companyId, "user");
    const [{ id: machineId }, { shiftId }] = [await createMachine(companyId), await createShift(companyId)];
    const startAt = Date.parse("2025-01-01T00:00Z");
    await createShiftParts({ companyId, machineId, shiftId, shiftStart: startAt, shiftEnd: startAt }, [{ startAt, skuId: "S0" }]);
    // Without the columns that are computed.
    const stored = await env.DB_0.prepare("SELECT name FROM pragma_table_info('shift_parts')").all<{ name: string }>();
    const columns = stored.results.map(({ name }) => name);
    const own: Record<string, string> = { start_at: "start_at + n * 1800000", sku_id: "'S' || n" };
    await env.DB_0.prepare(`WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 10000)
      INSERT INTO shift_parts (${columns}) SELECT ${columns.map((name) => own[name] ?? name)} FROM shift_parts, numbers WHERE machine_id = ?`)
      .bind(machineId)
      .run();
    const path = "/v1/summary?groupBy=sku&from=2025-01-01T00:00:00Z&to=";
    const most = await call("GET", path + iso(startAt + 10_000 * 30 * minute), { token: user.token });
    expect(most.body.data).toHaveLength(10_000);
    const answer = await call("GET", `${path}2026-01-01T00:00:00Z`, { token: user.token });
    expectProblem(answer, 400);
    expect(answer.body.errors[0]).toMatchObject({
      pointer: "/query/groupBy",
      code: "too_many_groups",
      message: expect.stringMatching(/10,000 rows: narrow/),
    });
  });
});
