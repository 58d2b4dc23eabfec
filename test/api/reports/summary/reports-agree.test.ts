import { env } from "cloudflare:workers";
import fc from "fast-check";
import { afterEach, beforeEach, expect, inject, it, vi } from "vitest";
import { issueToken } from "../../../../src/core/token.ts";
import { productionDays } from "../../../../src/oee/production-day.ts";
import { call } from "../../../support/call.ts";
import { DAY, HOUR, MINUTE } from "../../../support/clock.ts";
import {
  createChannels,
  createCompany,
  createGatewayToken,
  createLine,
  createMachine,
  createOperator,
  createShift,
  createSku,
  createStopCause,
  createUser,
  createWorkOrder,
} from "../../../support/factories.ts";
import { machineObject } from "../../../support/machine-object.ts";
import { countAt, flushMachine, ingest } from "../../../support/machines.ts";

// All reports agree about the same time, for random plants, while events arrive. The clock stands still while reports are requested, and
// all times are whole minutes, so that nothing is lost by rounding. fast-check prints the seed of a failure.

const { plants } = inject("reports");

declare module "vitest" {
  interface ProvidedContext {
    reports: { plants: number };
  }
}

/** The morning before a night in which the clock of Madrid goes forward. */
const start = Date.UTC(2041, 2, 30, 4, 30);
const iso = (at: number) => new Date(at).toISOString();

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: start });
  vi.spyOn(console, "log").mockReturnValue(undefined);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const zones = ["Europe/Madrid", "Asia/Kolkata", "America/New_York"] as const;

async function createPlant(
  timezone: (typeof zones)[number],
  productionDay: (typeof productionDays)[number],
  noDataAfterSeconds: number | null,
) {
  const { companyId } = await createCompany({ timezone, productionDay });
  const line = await createLine(companyId);
  const breaks = [{ name: "Lunch", start: "10:00", end: "10:30", isIncludedInAvailability: false }];
  await createShift(companyId, { name: "Early", start: "06:00", end: "13:45", breaks });
  await createShift(companyId, { name: "Late", start: "13:45", end: "22:00" });
  await createShift(companyId, { name: "Night", start: "23:00", end: "05:20" });
  const options = { commissionedAt: start, noDataAfterSeconds, stopAfterSeconds: 120 };
  const machines = [
    await createMachine(companyId, { ...options, standardCycleSeconds: 50, lineId: line.id }),
    await createMachine(companyId, options),
  ];
  for (const machine of machines) {
    await createChannels(machine, [
      { channel: 1, type: "total" },
      { channel: 2, type: "defect" },
    ]);
  }
  const skus = [await createSku(companyId, { standards: [{ standardCycleSeconds: 30 }] }), await createSku(companyId)];
  const orders: string[] = [];
  for (const machine of machines) {
    orders.push((await createWorkOrder(machine, skus[0]?.skuId ?? "", { status: "InProgress" })).workOrderId);
  }
  const general = await createStopCause(companyId, { ownIsProgrammed: true });
  const specific = await createStopCause(companyId, {
    level: "specific",
    parentId: general.id,
    ownIsIncludedInAvailability: false,
  });
  const operators = [await createOperator(companyId), await createOperator(companyId)];
  const { token: gateway } = await createGatewayToken(companyId);
  const { userId: id, role, tokenVersion } = await createUser(companyId, "superuser");
  for (const { id } of machines) await machineObject(env, id).configure(1);
  const causes = [
    { generalCauseId: String(general.id) },
    { generalCauseId: String(general.id), specificCauseId: String(specific.id) },
  ];
  return { companyId, machines, skus, orders, causes, operators, gateway, user: { id, companyId, role, tokenVersion } };
}
type Plant = Awaited<ReturnType<typeof createPlant>>;

/** Calls as the plant's superuser. The clock runs fast, so each call has a new token. */
async function ask({ user }: Plant, method: string, path: string, body?: object, wanted = [200]) {
  const { token } = await issueToken(env, user, Date.now() / 1000);
  const answer = await call(method, path, { token, ...(body && { body }) });
  expect(wanted, JSON.stringify(answer.body)).toContain(answer.status);
  return answer.body;
}

function pick<T>(list: readonly T[], part: number): T {
  const one = list[Math.floor(part * list.length)];
  if (one === undefined) throw new Error("nothing to pick");
  return one;
}

/** A whole minute of the last ten hours. */
function timeAt(part: number): number {
  const from = Math.max(start, Date.now() - 10 * HOUR);
  return from + Math.floor((part * (Date.now() - from)) / MINUTE) * MINUTE;
}

const happenings = {
  async work({ gateway, machines }: Plant, a: number, b: number) {
    const { nodeId } = pick(machines, (a * 7) % 1);
    const at = timeAt(a);
    const minutes = Math.floor((Math.min(Date.now(), at + b * 5 * HOUR) - at) / MINUTE);
    const counts = Array.from({ length: minutes }, (_, i) => countAt(nodeId, at + i * MINUTE, 1 + (i % 3)));
    const defects = counts.flatMap((count, i) => (i % 9 === 4 ? [{ ...count, channel: 2, value: 1 }] : []));
    if (minutes > 0) await ingest(gateway, [...counts, ...defects]);
  },
  /** Inspection rejects units, often more than were made since the change of the shift or SKU. */
  async reject({ gateway, machines }: Plant, a: number, b: number) {
    const { nodeId } = pick(machines, (a * 7) % 1);
    await ingest(gateway, [{ ...countAt(nodeId, timeAt(a), 1 + Math.floor(b * 20)), channel: 2 }]);
  },
  async change({ gateway, machines, skus, orders }: Plant, a: number, b: number) {
    const machineId = pick(machines, (a * 7) % 1).id;
    const workOrderId = b > 0.5 ? { workOrderId: orders[machines.findIndex(({ id }) => id === machineId)] } : {};
    await ingest(gateway, [{ type: "sku", at: iso(timeAt(a)), machineId, skuId: pick(skus, (b * 5) % 1).skuId, ...workOrderId }]);
  },
  async sign({ gateway, machines, operators }: Plant, a: number, b: number) {
    const [machineId, operatorId] = [pick(machines, (a * 7) % 1).id, pick(operators, (b * 5) % 1).id];
    await ingest(gateway, [{ type: "operator", at: iso(timeAt(a)), machineId, operatorId, action: b > 0.3 ? "in" : "out" }]);
  },
  async classify(plant: Plant, a: number, b: number) {
    const { data } = await ask(plant, "GET", `/v1/stops?limit=500&companyId=${plant.companyId}`);
    if (data.length === 0) return;
    const { id } = pick(data as { id: number }[], a);
    // 404: events that are not published yet have removed it.
    await ask(plant, "PUT", `/v1/stops/${id}/classification`, pick(plant.causes, b), [200, 404, 409]);
  },
  async record(plant: Plant, a: number, b: number) {
    const at = timeAt(a);
    const times = { startTime: iso(at), endTime: iso(Math.min(Date.now(), at + (1 + Math.floor(b * 90)) * MINUTE)) };
    if (times.startTime === times.endTime) return;
    const sent = { machineId: pick(plant.machines, (a * 7) % 1).id, ...times, isProgrammed: b > 0.5 };
    // 400: all of it is outside shifts. 409: there already is a recorded stop.
    await ask(plant, "POST", "/v1/stops", sent, [201, 400, 409]);
  },
};

const buckets = ["availableTime", "programmedDowntime", "nonProgrammedDowntime", "otherStopsTime", "noDataTime"] as const;
type Times = Record<(typeof buckets)[number], number>;

function noTimes(): Times {
  return { availableTime: 0, programmedDowntime: 0, nonProgrammedDowntime: 0, otherStopsTime: 0, noDataTime: 0 };
}

/** The sums of members over rows, to two decimals. */
function sumsOf<N extends string>(rows: readonly Record<N, number | null>[], names: readonly N[]): Record<N, number> {
  const sum = (name: N) => Math.round(rows.reduce((all, row) => all + (row[name] ?? 0), 0) * 100) / 100;
  return Object.fromEntries(names.map((name) => [name, sum(name)])) as Record<N, number>;
}

interface Indicators {
  machine: { id: number };
  shift: { id: number; startTime: string; endTime: string };
  shiftIndicators: Times & { indicatorId: number; annotatedDowntime: number; availability: number; netAvailability: number };
  productionMetrics: Record<
    "total" | "defects" | "correct" | "cycleCount" | "oee" | "netOee" | "effectiveness" | "quality" | "minutesLostByLowQuality",
    number
  >;
}

interface Slice {
  machine: { id: number };
  shift: { startTime: string; endTime: string };
  classification: { generalCause: object | null; specificCause: object | null } | null;
  stop: { id: number; startTime: string; endTime: string | null; isProgrammed: boolean; isIncludedInAvailability: boolean };
}

/** Compares every report from D1 with the indicators. */
async function compare(plant: Plant): Promise<Indicators[]> {
  const { companyId } = plant;
  const now = Date.now();
  const body = { companyIds: [companyId], pageSize: 1000 };
  const metrics = (await ask(plant, "POST", "/v1/public/reports/metrics", body)).metrics as Indicators[];
  const slices = (await ask(plant, "POST", "/v1/public/reports/stops", body)).stops as Slice[];
  await compareLists(plant, metrics, slices);
  const range = { from: iso(start - DAY), to: iso(now + DAY) };
  const summary = (groupBy: string, more: object = {}) =>
    ask(plant, "GET", `/v1/summary?${new URLSearchParams({ companyId: String(companyId), groupBy, ...range, ...more })}`);

  for (const item of metrics) {
    const about = `${item.machine.id} ${item.shift.startTime}`;
    const of = slices.filter(({ machine, shift }) => machine.id === item.machine.id && shift.startTime === item.shift.startTime);
    const stopped = noTimes();
    for (const { stop } of of) addTime(stopped, stop);
    const { programmedDowntime, nonProgrammedDowntime, otherStopsTime } = item.shiftIndicators;
    expect(stopped, about).toMatchObject({ programmedDowntime, nonProgrammedDowntime, otherStopsTime });
    expect(
      (await timeline(plant, item)).filter(([, minutes]) => minutes > 0),
      about,
    ).toEqual(buckets.map((name) => [name, item.shiftIndicators[name]]).filter(([, minutes]) => Number(minutes) > 0));

    const shift = { from: item.shift.startTime, to: item.shift.endTime, machineIds: String(item.machine.id) };
    const { total, data } = await summary("machine,shift", shift);
    expect(data, about).toHaveLength(1);
    const { shiftIndicators, productionMetrics } = item;
    expect(total, about).toMatchObject(sumsOf([shiftIndicators], buckets));
    for (const name of ["availability", "netAvailability", "annotatedDowntime"] as const) {
      expect(total[name], `${about} ${name}`).toBe(shiftIndicators[name]);
    }
    for (const name of ["total", "defects", "correct", "cycleCount"] as const) {
      expect(total[name], `${about} ${name}`).toBe(productionMetrics[name]);
    }
    for (const name of ["oee", "netOee", "effectiveness", "quality", "minutesLostByLowQuality"] as const) {
      expect(Math.abs(total[name] - productionMetrics[name]), `${about} ${name}`).toBeLessThanOrEqual(0.505);
    }
  }

  const all = sumsOf(
    metrics.map(({ shiftIndicators }) => shiftIndicators),
    buckets,
  );
  const units = sumsOf(
    metrics.map(({ productionMetrics }) => productionMetrics),
    ["total", "defects", "cycleCount"],
  );
  for (const groupBy of [
    "machine",
    "line",
    "shift",
    "hour",
    "day",
    "month",
    "week",
    "sku",
    "order",
    "machine,day",
    "sku,order",
  ]) {
    const { data, total } = await summary(groupBy);
    expect(total, groupBy).toMatchObject({ ...all, ...units });
    expect(sumsOf(data, buckets), groupBy).toEqual(all);
    expect(sumsOf(data, ["total", "defects", "cycleCount"]), groupBy).toEqual(units);
  }
  const stops = ["programmedDowntime", "nonProgrammedDowntime", "otherStopsTime"] as const;
  for (const groupBy of ["cause", "cause,hour", "cause,day", "cause,machine", "cause,shift", "cause,sku", "cause,order"]) {
    const { data, total } = await summary(groupBy);
    expect(sumsOf(data, stops), groupBy).toEqual(sumsOf([all], stops));
    expect(sumsOf(data, ["annotatedDowntime", "stopCount"]), groupBy).toEqual(
      sumsOf([total], ["annotatedDowntime", "stopCount"]),
    );
  }
  await compareCharts(plant, range, all, (await summary("cause")).total.stopCount);

  const { total } = await summary("machine");
  for (const interval of ["5min", "15min", "hour", "shift"]) {
    const query = new URLSearchParams({ companyId: String(companyId), interval, ...range });
    const { data } = await ask(plant, "GET", `/v1/production?${query}`);
    const made = sumsOf(data, ["total", "defects", "correct", "scheduledTime"]);
    expect(made, interval).toEqual({
      ...sumsOf([total], ["total", "defects", "correct"]),
      scheduledTime: all.availableTime + all.nonProgrammedDowntime,
    });
    expect(Math.abs(sumsOf(data, ["target"]).target - total.target), interval).toBeLessThanOrEqual(0.005 * (data.length + 1));
  }
  await compareOperators(plant, metrics, (await summary("operator")).data);
  return metrics;
}

/** Compares the lists for every role with the two reports for superusers. */
async function compareLists(plant: Plant, metrics: readonly Indicators[], slices: readonly Slice[]): Promise<void> {
  const idOf = ({ machine, shift }: Indicators | Slice) => `${shift.startTime} ${machine.id}`;
  const sorted = <T extends Indicators | Slice>(items: readonly T[]) =>
    items.toSorted((a, b) => (`${idOf(a)} ${JSON.stringify(a)}` < `${idOf(b)} ${JSON.stringify(b)}` ? -1 : 1));
  const list = async (path: string) => (await ask(plant, "GET", `${path}?limit=500&companyId=${plant.companyId}`)).data;
  expect(sorted(await list("/v1/shift-records"))).toMatchObject(sorted(metrics));
  const stopsOf = (items: readonly Slice[]) =>
    sorted(items.map(({ machine, shift, stop }) => ({ machine, shift, stop }) as Slice));
  expect(stopsOf(await list("/v1/stop-records"))).toMatchObject(stopsOf(slices));
}

function addTime(times: Times, { startTime, endTime, isProgrammed, isIncludedInAvailability }: Slice["stop"]): void {
  const bucket = !isIncludedInAvailability ? "otherStopsTime" : isProgrammed ? "programmedDowntime" : "nonProgrammedDowntime";
  times[bucket] += (Date.parse(endTime ?? iso(Date.now())) - Date.parse(startTime)) / MINUTE;
}

const bucketOf: Record<string, (typeof buckets)[number]> = {
  A: "availableTime",
  P: "programmedDowntime",
  N: "nonProgrammedDowntime",
  O: "otherStopsTime",
  D: "noDataTime",
};

/** How long a machine had each status in a shift, from the changes of its status. */
async function timeline(plant: Plant, { machine, shift }: Indicators) {
  const query = new URLSearchParams({ start: shift.startTime, end: shift.endTime });
  const changes: { status: string; timestamp: string }[] = await ask(
    plant,
    "GET",
    `/machines/${machine.id}/availability?${query}`,
  );
  const times = noTimes();
  const end = iso(Math.min(Date.now(), Date.parse(shift.endTime)));
  for (const [i, { status, timestamp }] of changes.entries()) {
    const bucket = bucketOf[status];
    if (bucket) times[bucket] += (Date.parse(changes[i + 1]?.timestamp ?? end) - Date.parse(timestamp)) / MINUTE;
  }
  return buckets.map((name): [string, number] => [name, times[name]]);
}

async function compareCharts({ ...plant }: Plant, { from, to }: { from: string; to: string }, all: Times, stopCount: number) {
  const metrics = ["stop_duration", "stop_count"];
  const filter_by = { date_range: { from, to }, company_id: plant.companyId };
  for (const more of [{ interval: "hour" }, { group_by: "machine" }, { group_by: "general_cause" }]) {
    const { series } = await ask(plant, "POST", "/widget/stop-metrics", { filter_by, metrics, ...more });
    const sum = (metric: string) =>
      Math.round(
        100 *
          (series as { key: string; points: { y: number }[] }[])
            .filter(({ key }) => key.startsWith(metric))
            .flatMap(({ points }) => points)
            .reduce((minutes, { y }) => minutes + y, 0),
      ) / 100;
    expect(sum("stop_duration"), JSON.stringify(more)).toBe(
      all.programmedDowntime + all.nonProgrammedDowntime + all.otherStopsTime,
    );
    expect(sum("stop_count"), JSON.stringify(more)).toBe(stopCount);
  }
}

async function compareOperators(plant: Plant, metrics: readonly Indicators[], rows: Record<string, number | { id: number }>[]) {
  const shares: { operator: { id: number }; uptime: number; downtime: number; production: number }[] = [];
  for (const { shiftIndicators } of metrics) {
    const { data } = await ask(plant, "GET", `/v1/shift-records/${shiftIndicators.indicatorId}/operators`);
    shares.push(...data);
  }
  const members = ["uptime", "downtime", "production"] as const;
  expect(rows).toHaveLength(new Set(shares.map(({ operator }) => operator.id)).size);
  for (const row of rows) {
    const { id } = row.operator as { id: number };
    const listed = { uptime: row.availableTime, downtime: row.unavailableTime, production: row.total };
    expect(
      sumsOf(
        shares.filter(({ operator }) => operator.id === id),
        members,
      ),
    ).toEqual(listed);
    const { data } = await ask(plant, "GET", `/v1/operators/${id}/shifts?limit=500`);
    expect(sumsOf(data, members)).toEqual(listed);
  }
}

const segmentOf = {
  available: "availableTime",
  programmed: "programmedDowntime",
  nonProgrammed: "nonProgrammedDowntime",
  other: "otherStopsTime",
  noData: "noDataTime",
} as const;

/** Compares the explanations, which machines' objects return, with the published data. */
async function compareExplanations(plant: Plant, metrics: readonly Indicators[]): Promise<void> {
  for (const { machine, shift, shiftIndicators } of metrics) {
    const { segments, skus, productionMetrics } = await ask(
      plant,
      "GET",
      `/v1/shift-records/${shiftIndicators.indicatorId}/explain`,
    );
    const times = noTimes();
    for (const { bucket, durationMs } of segments) times[segmentOf[bucket as keyof typeof segmentOf]] += durationMs / MINUTE;
    expect(times, `explanation of ${machine.id} ${shift.startTime}`).toEqual(sumsOf([shiftIndicators], buckets));
    const query = {
      groupBy: "sku",
      from: shift.startTime,
      to: shift.endTime,
      machineIds: String(machine.id),
      companyId: String(plant.companyId),
    };
    const { data } = await ask(plant, "GET", `/v1/summary?${new URLSearchParams(query)}`);
    const { lostByDefectsMs } = productionMetrics.minutesLostByLowQuality.inputs;
    expect(sumsOf(skus, ["lostByDefectsMs"]).lostByDefectsMs).toBeCloseTo(lostByDefectsMs, 1);
    expect(sumsOf(data, ["minutesLostByLowQuality"]).minutesLostByLowQuality).toBeCloseTo(lostByDefectsMs / MINUTE, 1);
    const made = (data as { sku: { id: string } | null; total: number; defects: number; cycleCount: number }[])
      .filter(({ total, defects }) => total > 0 || defects > 0)
      .map(({ sku, total, defects, cycleCount }) => [sku?.id ?? "", total, defects, cycleCount]);
    const explained = (skus as { skuId: string | null; total: number; defects: number; cycles: number }[]).map((sku) => [
      ...[sku.skuId ?? "", sku.total, sku.defects, sku.cycles],
    ]);
    expect(made.toSorted(), `SKUs of ${machine.id} ${shift.startTime}`).toEqual(explained.toSorted());
  }
}

const part = fc.noBias(fc.integer({ min: 0, max: 999_999 })).map((millionths) => millionths / 1e6);
const names = Object.keys(happenings) as (keyof typeof happenings)[];
const kind = fc.constantFrom("work" as const, "work" as const, ...names);
const steps = fc.array(fc.tuple(kind, part, part), { minLength: 8, maxLength: 24, size: "max" });

it("say the same of the same time, also while events arrive", { timeout: 120_000 + plants * 60_000 }, async () => {
  const property = fc.asyncProperty(
    fc.constantFrom(...zones),
    fc.constantFrom(...productionDays),
    fc.constantFrom(900, null),
    steps,
    async (zone, productionDay, noData, script) => {
      vi.setSystemTime(start);
      const plant = await createPlant(zone, productionDay, noData);
      for (const [i, [kind, a, b]] of script.entries()) {
        vi.setSystemTime(Date.now() + Math.floor(b * 150) * MINUTE);
        await happenings[kind](plant, a, b);
        // Some events are stored and not published yet: the reports agree on the published ones.
        if (i % 8 === 3) for (const { id } of plant.machines) await flushMachine(id);
        if (i % 8 === 5) await compare(plant);
      }
      for (const { id } of plant.machines) await flushMachine(id);
      await compareExplanations(plant, await compare(plant));
    },
  );
  await fc.assert(property, { numRuns: plants, endOnFailure: true });
});
