import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { call } from "../../../support/call.ts";
import { expectProblem } from "../../../support/expect-problem.ts";
import {
  createCompany,
  createMachine,
  createShift,
  createShiftRecord,
  createStopCause,
  createStopSlice,
  createUser,
} from "../../../support/factories.ts";
import { createStoppedPlant, minute } from "./stopped-plant.ts";

const path = "/widget/stop-metrics";
const hour = 60 * minute;
const day = 24 * hour;
const iso = (at: number) => new Date(at).toISOString();
const range = (from: number, to: number) => ({ date_range: { from: iso(from), to: iso(to) } });
const valid = { filter_by: range(0, day), metrics: ["stop_count"] };

const chart = z.strictObject({
  series: z.array(
    z.strictObject({
      name: z.string().min(1),
      key: z.string().min(1),
      label: z.string().min(1),
      axis: z.enum(["left", "right"]),
      points: z.array(z.strictObject({ x: z.int(), y: z.number() })),
    }),
  ),
});

async function ask(token: string, body: object) {
  const answer = await call("POST", path, { token, body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return { ...answer, series: chart.parse(answer.body).series };
}

describe("stop metrics compared with the stop report", () => {
  let superuser: string;
  beforeAll(async () => {
    superuser = (await createUser((await createCompany()).companyId, "superuser")).token;
  });
  const report = async (name: string, body: object) =>
    (await call("POST", `/v1/public/reports/${name}`, { token: superuser, body: { pageSize: 1000, ...body } })).body;

  interface Item {
    classification: { generalCause: { id: string } | null } | null;
    machine: { id: number };
    shift: { id: number; startTime: string };
    stop: { id: number; startTime: string; endTime: string; isProgrammed: boolean; isIncludedInStops: boolean };
  }

  const metrics = ["stop_count", "unclassified_count", "stop_duration", "programmed_duration", "non_programmed_duration", "mttr"];

  /** The scheduled length of each whole stop of a company in minutes. */
  async function lengthsOf(companyId: number) {
    const lengths = new Map<number, number>();
    for (let cursor: string | null = ""; cursor !== null; ) {
      const query: string = `companyId=${companyId}&limit=500${cursor && `&cursor=${cursor}`}`;
      const { body } = await call("GET", `/v1/stops?${query}`, { token: superuser });
      for (const { id, durationInMinutes } of body.data) lengths.set(id, durationInMinutes);
      cursor = body.cursor;
    }
    return lengths;
  }

  /** Each metric per local hour, day or week, computed minute by minute. */
  function reckon(
    items: Item[],
    { startAt, endAt }: { startAt: number; endAt: number },
    bucketOf: (at: number) => string,
    lengths: ReadonlyMap<number, number>,
  ) {
    const sums = new Map<string, number[]>();
    for (let at = startAt; at < endAt; at += minute) sums.set(bucketOf(at), [0, 0, 0, 0, 0, 0]);
    const add = (at: number, metric: number, isSo: boolean, by = 1) => {
      const bucket = isSo && at >= startAt && at < endAt ? sums.get(bucketOf(at)) : undefined;
      if (bucket) bucket[metric] = (bucket[metric] ?? 0) + by;
    };
    const counted = new Set<number>();
    for (const { stop, classification } of items.toSorted((a, b) => a.stop.startTime.localeCompare(b.stop.startTime))) {
      const [start, end] = [Date.parse(stop.startTime), Date.parse(stop.endTime)];
      const isCounted = stop.isIncludedInStops && !counted.has(stop.id);
      counted.add(stop.id);
      add(start, 0, isCounted);
      add(start, 1, isCounted && !classification);
      add(start, 5, isCounted, lengths.get(stop.id));
      for (let at = start; at < end; at += minute) {
        add(at, 2, true);
        add(at, stop.isProgrammed ? 3 : 4, true);
      }
    }
    for (const bucket of sums.values()) bucket[5] = Math.round((100 * (bucket[5] ?? 0)) / (bucket[0] || Infinity)) / 100;
    return Object.fromEntries(sums);
  }

  const localDate = new Intl.DateTimeFormat("sv-SE", { timeZone: "Europe/Madrid", dateStyle: "short" });
  const buckets = {
    hour: (at: number) => iso(at).slice(0, 13),
    day: (at: number) => localDate.format(at),
    week: (at: number) => {
      const date = Date.parse(localDate.format(at));
      return iso(date - ((new Date(date).getUTCDay() + 6) % 7) * day).slice(0, 10);
    },
  };

  const asked = (series: z.infer<typeof chart>["series"], bucketOf: (at: number) => string) => {
    const values: Record<string, number[]> = {};
    for (const [i, { points }] of series.entries()) {
      for (const { x, y } of points) {
        const bucket = bucketOf(x);
        values[bucket] ??= [];
        expect(values[bucket], "a bucket twice").toHaveLength(i);
        values[bucket].push(y);
      }
    }
    return values;
  };

  it.each([
    ["the day of 25 hours", "2025-10-24"],
    ["the day of 23 hours", "2025-03-28"],
  ])("agree with the sums of the report around %s", async (_, firstDate) => {
    const plant = await createStoppedPlant(firstDate, 7);
    const { stops } = (await report("stops", { companyIds: [plant.companyId] })) as { stops: Item[] };
    const lengths = await lengthsOf(plant.companyId);
    expect(stops.length).toBeGreaterThan(70);
    const filter_by = range(plant.startAt, plant.endAt);
    for (const interval of ["hour", "day", "week"] as const) {
      const { series } = await ask(plant.token, { filter_by, metrics, interval });
      expect(series.map(({ key, axis }) => [key, axis])).toEqual(metrics.map((key, i) => [key, i < 2 ? "left" : "right"]));
      expect(asked(series, buckets[interval]), interval).toEqual(reckon(stops, plant, buckets[interval], lengths));
      for (const { points } of series) expect(points.map(({ x }) => x)).toEqual(points.map(({ x }) => x).toSorted());
    }

    // A range that begins and ends within stops and shifts, and all filters.
    const part = { startAt: plant.startAt + 1501 * minute, endAt: plant.endAt - 77 * minute };
    const [machineId, shiftId] = [plant.machines[0]?.id ?? 0, plant.shifts[2]?.shiftId ?? 0];
    const filters: [object, (item: Item) => boolean][] = [
      [{ machine_ids: [machineId] }, ({ machine }) => machine.id === machineId],
      [{ is_programmed: false }, ({ stop }) => !stop.isProgrammed],
      [{ is_programmed: true, machine_ids: [machineId] }, ({ machine, stop }) => machine.id === machineId && stop.isProgrammed],
      [{ machine_ids: [] }, () => false],
    ];
    for (const [filter, selects] of filters) {
      const { series } = await ask(plant.token, { filter_by: { ...range(part.startAt, part.endAt), ...filter }, metrics });
      const wanted = reckon(stops.filter(selects), part, buckets.day, lengths);
      expect(asked(series, buckets.day), JSON.stringify(filter)).toEqual(wanted);
    }

    // A stop counts in its first shift, even if that is not a requested one.
    const ofShift = await ask(plant.token, { filter_by: { ...filter_by, shift_ids: [shiftId] }, metrics: ["stop_count"] });
    const firstOf = new Map<number, Item>();
    for (const item of stops.toSorted((a, b) => b.shift.startTime.localeCompare(a.shift.startTime)))
      firstOf.set(item.stop.id, item);
    const isInRange = (at: number) => plant.startAt <= at && at < plant.endAt;
    const inShift = [...firstOf.values()].filter(
      ({ shift, stop }) => shift.id === shiftId && stop.isIncludedInStops && isInRange(Date.parse(stop.startTime)),
    );
    expect(total(ofShift.series)).toBe(inShift.length);
  });

  const total = (series: z.infer<typeof chart>["series"]) =>
    series.flatMap(({ points }) => points).reduce((sum, { y }) => sum + y, 0);

  it("have a series per group, which add up to the series without groups", async () => {
    const plant = await createStoppedPlant("2025-10-25", 2);
    const { stops } = (await report("stops", { companyIds: [plant.companyId] })) as { stops: Item[] };
    const filter_by = range(plant.startAt, plant.endAt);
    const metrics = ["stop_count", "stop_duration"];
    const all = await ask(plant.token, { filter_by, metrics });
    for (const group_by of ["machine", "shift", "general_cause", "specific_cause", "component"]) {
      const { series } = await ask(plant.token, { filter_by, metrics, group_by });
      for (const [i, metric] of metrics.entries()) {
        const ofMetric = series.filter(({ key }) => key.startsWith(`${metric}:`));
        expect(ofMetric.map(({ name }) => name)).toEqual(ofMetric.map(({ name }) => name).toSorted((a, b) => a.localeCompare(b)));
        const sums = all.series[i]?.points.map(({ x }, k) => ({
          x,
          y: ofMetric.reduce((sum, { points }) => sum + (points[k]?.y ?? Number.NaN), 0),
        }));
        expect(sums, group_by).toEqual(all.series[i]?.points);
      }
    }
    const { series } = await ask(plant.token, { filter_by, metrics: ["stop_duration"], group_by: "general_cause" });
    const names = [
      ...plant.general.map(({ causeId, name }) => [`stop_duration:${causeId}`, name]),
      ["stop_duration:none", "Unclassified"],
    ];
    expect(series.map(({ key, name }) => [key, name]).sort()).toEqual(names.sort());
    for (const { key, points } of series) {
      const ofCause = stops.filter(({ classification }) => key === `stop_duration:${classification?.generalCause?.id ?? "none"}`);
      const minutes = Object.values(reckon(ofCause, plant, buckets.day, new Map())).reduce(
        (sum, values) => sum + (values[2] ?? 0),
        0,
      );
      expect(points.reduce((sum, { y }) => sum + y, 0)).toBe(minutes);
    }
  });

  it("take the time between stops from the shift records' available time", async () => {
    const plant = await createStoppedPlant("2025-10-24", 4);
    const records = (await report("metrics", { companyIds: [plant.companyId] })).metrics as {
      machine: { id: number };
      shift: { id: number; startTime: string };
      shiftIndicators: { availableTime: number };
    }[];
    // From 06:00 to 06:00, so that all shifts are complete.
    const [startAt, endAt] = [plant.startAt + 6 * hour, plant.startAt + 2 * day + 7 * hour];
    const within = records.filter(({ shift }) => Date.parse(shift.startTime) >= startAt && Date.parse(shift.startTime) < endAt);
    expect(within).toHaveLength(8);
    const availableOf = (some: typeof records) =>
      some.reduce((sum, { shiftIndicators }) => sum + shiftIndicators.availableTime, 0);
    const filter_by = range(startAt, endAt);
    const chart = { filter_by, interval: "week" };
    /** For each group of a series: available minutes, as the mean time between failures times the number of non-programmed stops. */
    const products = async (body: { filter_by?: object; group_by?: string }) => {
      const means = (await ask(plant.token, { ...chart, ...body, metrics: ["mtbf"] })).series;
      const failing = { ...filter_by, ...body.filter_by, is_programmed: false };
      const counts = (await ask(plant.token, { ...chart, ...body, filter_by: failing, metrics: ["stop_count"] })).series;
      const groupOf = (key = "") => key.split(":")[1] ?? "all";
      return new Map(
        counts.map(({ key, points }) => {
          const mean = means.find((one) => groupOf(one.key) === groupOf(key));
          return [groupOf(key), points.reduce((sum, { y }, k) => sum + y * (mean?.points[k]?.y ?? Number.NaN), 0)];
        }),
      );
    };
    const isNear = (actual: number | undefined, wanted: number) =>
      expect(Math.abs((actual ?? Number.NaN) - wanted)).toBeLessThan(2);

    isNear((await products({})).get("all"), availableOf(within));
    const byMachine = await products({ group_by: "machine" });
    for (const { machineId } of plant.machines) {
      isNear(byMachine.get(String(machineId)), availableOf(within.filter(({ machine }) => machine.id === machineId)));
    }
    // For each cause, the stops of other causes are not running time.
    for (const [, product] of await products({ group_by: "general_cause" }))
      if (product > 0) isNear(product, availableOf(within));
    const programmed = await ask(plant.token, { ...chart, filter_by: { ...filter_by, is_programmed: true }, metrics: ["mtbf"] });
    expect(total(programmed.series)).toBe(0);
  });
});

/** A company in UTC with a machine in a shift that runs from `startAt` for eight hours, and a function that creates its stops. */
async function plant(startAt: number) {
  const { companyId } = await createCompany();
  const { token } = await createUser(companyId, "user");
  const { machineId } = await createMachine(companyId, { commissionedAt: startAt + 10 * minute });
  const { shiftId } = await createShift(companyId);
  const of = { companyId, machineId, shiftId };
  const endAt = startAt + 8 * hour;
  const stop = (after: number, minutes: number | null, options: Parameters<typeof createStopSlice>[1] = {}) => {
    const sliceStart = startAt + after * minute;
    const sliceEnd = minutes === null ? null : sliceStart + minutes * minute;
    return createStopSlice({ ...of, shiftStart: startAt, shiftEnd: endAt, sliceStart, sliceEnd }, options);
  };
  return { of, token, startAt, endAt, stop };
}
const values = (series: { points: { y: number }[] }[]) => series.map(({ points }) => points.map(({ y }) => y));

describe("stop metrics", () => {
  const startAt = Date.parse("2026-02-02T06:00:00Z");

  it("have names and labels for their series, in one database trip once the company is known", async () => {
    const { token, stop } = await plant(startAt);
    await stop(30, 45.5);
    const body = { filter_by: range(startAt, startAt + 2 * hour), metrics: ["stop_duration", "stop_count"], interval: "hour" };
    await ask(token, body);
    const { series, headers } = await ask(token, body);
    expect(series).toEqual([
      {
        name: "Stop duration",
        key: "stop_duration",
        label: "Stop duration (min)",
        axis: "right",
        points: [
          { x: startAt, y: 30 },
          { x: startAt + hour, y: 15.5 },
        ],
      },
      {
        name: "Stop count",
        key: "stop_count",
        label: "Stop count (stops)",
        axis: "left",
        points: [
          { x: startAt, y: 1 },
          { x: startAt + hour, y: 0 },
        ],
      },
    ]);
    expect(headers.get("server-timing")).toContain('desc="1 trip"');
    const mtbf = await ask(token, { ...body, metrics: ["mtbf"] });
    expect(mtbf.headers.get("server-timing")).toContain('desc="1 trip"');
  });

  it("have series of zeros without groups, and none with groups, if nothing stopped", async () => {
    const { token } = await plant(startAt);
    const body = { filter_by: range(startAt, startAt + 3 * day), metrics: ["mtbf", "stop_count"] };
    expect(values((await ask(token, body)).series)).toEqual([
      [0, 0, 0, 0],
      [0, 0, 0, 0],
    ]);
    expect((await ask(token, { ...body, group_by: "machine" })).series).toEqual([]);
  });

  it("extend an open stop to now, or to the end of its shift", async () => {
    const now = Date.now();
    const { token, stop, ...at } = await plant(now - 90 * minute);
    await stop(30, null);
    await createShiftRecord({ ...at.of, startAt: at.startAt, endAt: at.endAt });
    const filter_by = range(now - 2 * hour, now + 2 * hour);
    const { series } = await ask(token, { filter_by, metrics: ["stop_duration", "mttr", "mtbf"], interval: "week" });
    const sums = values(series).map((points) => points.reduce((sum, y) => sum + y, 0));
    const elapsed = (Date.now() - now) / minute;
    for (const stopped of sums.slice(0, 2)) {
      expect(stopped).toBeGreaterThanOrEqual(60);
      expect(stopped).toBeLessThanOrEqual(60 + elapsed + 0.01);
    }
    // In service since ten minutes after the shift began.
    expect(sums[2]).toBe(20);

    const ended = await plant(startAt);
    await ended.stop(420, null);
    const over = { filter_by: range(startAt, startAt + day), metrics: ["stop_duration"] };
    expect(values((await ask(ended.token, over)).series)).toEqual([[60, 0]]);
  });

  it.each([
    ["hour", [30, ...Array(24).fill(60), 15]],
    ["day", [30, 1440, 15]],
    ["week", [1485]],
  ])("assign a stop of the longest shift to all that it covers, by the %s", async (interval, minutes) => {
    const { of, token } = await plant(startAt);
    const midnight = startAt + 18 * hour;
    const [sliceStart, sliceEnd] = [midnight - 45 * minute, midnight + day + 15 * minute];
    await createStopSlice({ ...of, shiftStart: sliceStart, shiftEnd: sliceEnd, sliceStart, sliceEnd });
    const filter_by = range(midnight - 30 * minute, midnight + day + 30 * minute);
    const { series } = await ask(token, { filter_by, metrics: ["stop_duration"], interval });
    expect(values(series)).toEqual([minutes]);
  });

  it("count a stop only in its first shift, also if that began before it", async () => {
    const { token, stop, of } = await plant(startAt);
    // Began two hours before the first of its shifts.
    const whole = { startAt: startAt - 2 * hour, endAt: startAt + 9 * hour };
    const { id } = await stop(0, 480, whole);
    const next = { shiftStart: startAt + 8 * hour, shiftEnd: startAt + 16 * hour };
    await createStopSlice({ ...of, ...next, sliceStart: next.shiftStart, sliceEnd: whole.endAt }, { ...whole, id });
    const ask8 = (from: number, metrics: string[]) =>
      ask(token, { filter_by: range(from, from + 8 * hour), metrics, interval: "week" });
    const metrics = ["stop_count", "stop_duration", "mttr"];
    // Of its eleven hours, nine were scheduled.
    expect(values((await ask8(startAt, metrics)).series)).toEqual([[1], [480], [540]]);
    expect(values((await ask8(next.shiftStart, metrics)).series)).toEqual([[0], [60], [0]]);
    expect(values((await ask8(startAt - 8 * hour, metrics)).series)[0]?.every((y) => y === 0)).toBe(true);

    // A part that is no longer a stop does not exclude the rest from the count.
    const rest = await plant(startAt);
    const { id: deleted } = await rest.stop(420, 60, { deletedAt: startAt + day });
    await createStopSlice({ ...rest.of, ...next, sliceStart: next.shiftStart, sliceEnd: whole.endAt }, { ...whole, id: deleted });
    const both = { filter_by: range(startAt, startAt + 16 * hour), metrics: ["stop_count", "stop_duration"], interval: "week" };
    expect(values((await ask(rest.token, both)).series)).toEqual([[1], [60]]);
  });

  it("add each stop's whole length to the bucket of its start; the time between stops is between non-programmed ones", async () => {
    const { token, stop, ...at } = await plant(startAt);
    await stop(10, 30);
    await stop(50, 90);
    await createShiftRecord({ ...at.of, startAt: at.startAt, endAt: at.endAt });
    const body = { filter_by: range(startAt, startAt + 3 * hour), metrics: ["stop_duration", "mttr", "mtbf"], interval: "hour" };
    expect(values((await ask(token, body)).series)).toEqual([
      [40, 60, 20],
      [60, 0, 0],
      // In service since ten minutes after the shift began.
      [5, 0, 0],
    ]);
    // A changeover reduces the machine's time but is no failure; a stop that is not included in stops is no repair either.
    await stop(150, 20, { isProgrammed: true });
    await stop(175, 5, { isIncludedInStops: false });
    expect(values((await ask(token, body)).series)).toEqual([
      [40, 60, 45],
      [60, 0, 20],
      [5, 0, 0],
    ]);
    const week = { ...body, metrics: ["mttr", "mtbf"], interval: "week" };
    expect(values((await ask(token, week)).series)).toEqual([[46.67], [12.5]]);
    const programmed = { ...week, filter_by: { ...week.filter_by, is_programmed: true } };
    expect(values((await ask(token, programmed)).series)).toEqual([[20], [0]]);
  });

  it("have only the own company's stops, or those of the company that a superuser names", async () => {
    const [one, other] = [await plant(startAt), await plant(startAt)];
    await one.stop(0, 10);
    await other.stop(0, 25);
    const minutes = async (token: string, filter: object) => {
      const filter_by = { ...range(startAt, startAt + hour), ...filter };
      return values((await ask(token, { filter_by, metrics: ["stop_duration"] })).series)[0];
    };
    expect(await minutes(one.token, {})).toEqual([10]);
    expect(await minutes(one.token, { company_id: one.of.companyId })).toEqual([10]);
    expect(await minutes(one.token, { machine_ids: [other.of.machineId] })).toEqual([0]);
    expect(await minutes(one.token, { shift_ids: [other.of.shiftId] })).toEqual([0]);
    const superuser = (await createUser(one.of.companyId, "superuser")).token;
    expect(await minutes(superuser, {})).toEqual([10]);
    expect(await minutes(superuser, { company_id: other.of.companyId })).toEqual([25]);
    const foreign = (company_id: number) => ({ ...valid, filter_by: { ...range(0, day), company_id } });
    const admin = (await createUser(one.of.companyId, "superadmin")).token;
    expectProblem(await call("POST", path, { token: admin, body: foreign(other.of.companyId) }), 404);
    expectProblem(await call("POST", path, { token: superuser, body: foreign(2 ** 40) }), 404);
  });

  it("name each fault of the request", async () => {
    const { token } = await plant(startAt);
    const { date_range } = valid.filter_by;
    const filtered = (filter: object) => ({ ...valid, filter_by: { date_range, ...filter } });
    const ranged = (from: unknown, to: unknown) => ({ ...valid, filter_by: { date_range: { from, to } } });
    const [early, late] = ["2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"];
    const faults: [unknown, ...string[]][] = [
      [{}, "/filter_by", "/metrics"],
      [{ ...valid, filter_by: {} }, "/filter_by/date_range"],
      [{ ...valid, filter_by: { date_range: {} } }, "/filter_by/date_range/from", "/filter_by/date_range/to"],
      [{ ...valid, sort: 1, limit: 2 }, "/sort", "/limit"],
      [filtered({ machineIds: [1], is_manual: true }), "/filter_by/machineIds", "/filter_by/is_manual"],
      [
        filtered({ machine_ids: ["1", 1.5], shift_ids: 1 }),
        "/filter_by/machine_ids/0",
        "/filter_by/machine_ids/1",
        "/filter_by/shift_ids",
      ],
      [filtered({ machine_ids: [3, 4, 3] }), "/filter_by/machine_ids/2"],
      [filtered({ shift_ids: Array.from({ length: 1001 }, (_, i) => i) }), "/filter_by/shift_ids"],
      [filtered({ machine_ids: [2 ** 53] }), "/filter_by/machine_ids/0"],
      [filtered({ is_programmed: "true", company_id: "1" }), "/filter_by/is_programmed", "/filter_by/company_id"],
      [{ ...valid, filter_by: { date_range: { ...date_range, tz: "UTC" } } }, "/filter_by/date_range/tz"],
      [ranged("yesterday", 3), "/filter_by/date_range/from", "/filter_by/date_range/to"],
      [ranged("2026-01-01", late), "/filter_by/date_range/from"],
      [ranged(late, early), "/filter_by/date_range/to"],
      [ranged(early, early), "/filter_by/date_range/to"],
      [ranged("1969-12-31T23:59:59Z", early), "/filter_by/date_range/from"],
      [{ ...valid, metrics: [] }, "/metrics"],
      [{ ...valid, metrics: ["stop_count", "mttr", "stop_count"] }, "/metrics/2"],
      [{ ...valid, interval: "month", group_by: "operator" }, "/interval", "/group_by"],
    ];
    for (const [body, ...pointers] of faults) expectProblem(await call("POST", path, { token, body }), 400, ...pointers);
    const unknown = await call("POST", path, { token, body: { ...valid, metrics: ["stop_counts"] } });
    expectProblem(unknown, 400, "/metrics/0");
    const known = [
      "stop_count",
      "stop_duration",
      "programmed_duration",
      "non_programmed_duration",
      "unclassified_count",
      "mttr",
      "mtbf",
    ];
    for (const metric of known) expect(unknown.body.errors[0].message).toContain(`"${metric}"`);
  });

  it("have at most 2,000 points per series, and fewer than 200,000 in total", async () => {
    const { token, of } = await plant(startAt);
    const hours = (count: number) => ({ ...valid, filter_by: range(startAt, startAt + count * hour), interval: "hour" });
    expect((await ask(token, hours(2000))).series[0]?.points).toHaveLength(2000);
    const long = await call("POST", path, { token, body: hours(2001) });
    expectProblem(long, 400, "/filter_by/date_range");
    expect(long.body.errors[0].code).toBe("too_many_points");
    const ever = {
      ...valid,
      filter_by: { date_range: { from: "1970-01-01T00:00:00Z", to: "9999-12-31T23:59:59Z" } },
      interval: "hour",
    };
    expectProblem(await call("POST", path, { token, body: ever }), 400, "/filter_by/date_range");

    for (let i = 0; i < 101; i++) {
      const { causeId } = await createStopCause(of.companyId);
      const shift = { shiftStart: startAt, shiftEnd: startAt + 8 * hour };
      await createStopSlice({ ...of, ...shift, sliceStart: startAt, sliceEnd: startAt + minute }, { generalCauseId: causeId });
    }
    const grouped = { ...hours(2000), group_by: "general_cause" };
    expectProblem(await call("POST", path, { token, body: grouped }), 400, "/group_by");
    expect((await ask(token, { ...hours(1000), group_by: "general_cause" })).series).toHaveLength(101);
  });
});
