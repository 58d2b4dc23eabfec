import { beforeAll, describe, expect, it, vi } from "vitest";
import type { productionDays } from "../../../src/oee/production-day.ts";
import { call } from "../../support/call.ts";
import { DAY, HOUR, MINUTE, NOON, stopClockAtNoon } from "../../support/clock.ts";
import {
  createChannels,
  createCompany,
  createGatewayToken,
  createMachine,
  createOperator,
  createShift,
  createUser,
} from "../../support/factories.ts";
import { configureMachine, countAt, flushMachine, ingest } from "../../support/machines.ts";

// A plant in Madrid with shifts around the clock, from a Friday morning to the Tuesday after it. The clock goes forward in the night before the Sunday,
// which is the last day of March.
const FIRST = Date.UTC(2041, 2, 29, 5);
const LAST = Date.UTC(2041, 3, 2, 4);
type ProductionDay = (typeof productionDays)[number];
type Row = Record<string, number> & { start: string; end: string; isPartial: boolean };

const iso = (at: number) => new Date(at).toISOString();
/** Local midnight at the start of a day of March (32: the first of April). */
const midnight = (day: number) => Date.UTC(2041, 2, day) - (day > 31 ? 2 : 1) * HOUR;
const march = midnight;
const local = (at: string) => new Intl.DateTimeFormat("sv-SE", { timeZone: "Europe/Madrid" }).format(Date.parse(at)).slice(5);

async function plant(productionDay: ProductionDay, weekStart: "monday" | "sunday" = "monday") {
  vi.useFakeTimers({ toFake: ["Date"], now: LAST + 10 * MINUTE });
  const { companyId } = await createCompany({ timezone: "Europe/Madrid", productionDay, weekStart });
  await createShift(companyId, { name: "Early", start: "06:00", end: "14:00" });
  await createShift(companyId, { name: "Late", start: "14:00", end: "22:00" });
  await createShift(companyId, { name: "Night", start: "22:00", end: "06:00" });
  const options = { commissionedAt: FIRST, stopAfterSeconds: 600, noDataAfterSeconds: null, standardCycleSeconds: 60 };
  const machine = await createMachine(companyId, options);
  await createChannels(machine, [{ channel: 1, type: "total" }]);
  const { operatorId } = await createOperator(companyId);
  const { token: gateway } = await createGatewayToken(companyId);
  // Five units every 5 minutes, with a stop from 23:30 to 00:30 in each night.
  const times = Array.from({ length: (LAST - FIRST) / (5 * MINUTE) }, (_, i) => FIRST + i * 5 * MINUTE);
  const isInStop = (at: number) => [30, 31, 32, 33].some((day) => Math.abs(at - midnight(day)) < 30 * MINUTE);
  const counts = times.filter((at) => !isInStop(at)).map((at) => countAt(machine.nodeId, at, 5));
  const signsIn = [30, 31, 32, 33].map((day) => ({
    ...{ type: "operator", machineId: machine.id, operatorId, action: "in" },
    at: iso(midnight(day) - 90 * MINUTE),
  }));
  for (let i = 0; i < counts.length; i += 900) {
    const { rejected } = await ingest(gateway, [...counts.slice(i, i + 900), ...(i === 0 ? signsIn : [])]);
    expect(rejected).toEqual([]);
  }
  await flushMachine(machine.id);
  const { token } = await createUser(companyId, "admin");
  return { companyId, machine, operatorId, token };
}
type Plant = Awaited<ReturnType<typeof plant>>;

async function get({ token }: Pick<Plant, "token">, path: string, query: Record<string, string | number> = {}) {
  const answer = await call("GET", `/v1/${path}?${new URLSearchParams(query as Record<string, string>)}`, { token });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
}

const all = { from: iso(march(29)), to: iso(march(34)) };
const range = (first: number, after = first + 1) => ({ from: iso(march(first)), to: iso(march(after)) });
/** Units of hours of work, of which some nights' hours are stopped. */
const units = (hours: number, nights: number) => hours * 60 - nights * 55;

const plants = {} as Record<ProductionDay, Plant>;
stopClockAtNoon();
beforeAll(async () => {
  for (const day of ["calendarDay", "shiftStart", "shiftEnd"] as const) plants[day] = await plant(day);
  vi.useRealTimers();
}, 60_000);
const at = (time: number) => vi.setSystemTime(time);

/** By production day: the local days with their minutes of shift time and units. A calendar day has half of the units that a stop at midnight costs. */
const expected: Record<ProductionDay, [string, number, number][]> = {
  calendarDay: [
    ["03-29", 18 * 60, 18 * 60 - 25],
    ["03-30", 24 * 60, 24 * 60 - 55],
    ["03-31", 23 * 60, 23 * 60 - 55],
    ["04-01", 24 * 60, 24 * 60 - 55],
    ["04-02", 6 * 60, 6 * 60 - 30],
  ],
  shiftStart: [
    ["03-29", 24 * 60, units(24, 1)],
    ["03-30", 23 * 60, units(23, 1)],
    ["03-31", 24 * 60, units(24, 1)],
    ["04-01", 24 * 60, units(24, 1)],
    ["04-02", 0, 0],
  ],
  shiftEnd: [
    ["03-29", 16 * 60, units(16, 0)],
    ["03-30", 24 * 60, units(24, 1)],
    ["03-31", 23 * 60, units(23, 1)],
    ["04-01", 24 * 60, units(24, 1)],
    ["04-02", 8 * 60, units(8, 1)],
  ],
};
const minutesOf = (row: Row) => (row.availableTime ?? 0) + (row.unavailableTime ?? 0);

describe.each(["calendarDay", "shiftStart", "shiftEnd"] as const)("in a company that counts shifts by %s", (productionDay) => {
  const own = () => plants[productionDay];
  const days = expected[productionDay];
  const total = days.reduce((sum, [, , made]) => sum + made, 0);
  it("days of a summary have the shifts that count for them, and add up to the shifts", async () => {
    at(LAST + 10 * MINUTE);
    const byDay = await get(own(), "summary", { groupBy: "day", ...all });
    expect(
      byDay.data.filter((row: Row) => minutesOf(row) > 10).map((row: Row) => [local(row.start), minutesOf(row), row.total]),
    ).toEqual(days.filter(([, minutes]) => minutes > 0).map(([day, minutes, made]) => [day, expect.closeTo(minutes, -2), made]));
    expect(byDay.data).toHaveLength(5);
    expect(byDay.data.some(({ isPartial }: Row) => isPartial)).toBe(false);
    const byShift = await get(own(), "summary", { groupBy: "shift", ...all });
    expect(byShift.data.reduce((sum: number, row: Row) => sum + (row.total ?? 0), 0)).toBe(total);
    expect([byDay.total.total, byShift.total.total]).toEqual([total, total]);
  });

  it("weeks and months are those of the production days", async () => {
    at(LAST + 10 * MINUTE);
    const units = (names: string[]) => days.filter(([day]) => names.includes(day)).reduce((sum, [, , made]) => sum + made, 0);
    const months = await get(own(), "summary", { groupBy: "month", ...all });
    const inMarch = units(["03-29", "03-30", "03-31"]);
    expect(months.data.map((row: Row) => [local(row.start), row.total, row.isPartial])).toEqual([
      ["03-01", inMarch, true],
      ["04-01", total - inMarch, true],
    ]);
    const weeks = await get(own(), "summary", { groupBy: "week", ...all });
    expect(weeks.data.map((row: Row) => [local(row.start), row.total])).toEqual([
      ["03-25", inMarch],
      ["04-01", total - inMarch],
    ]);
  });

  it.each([29, 30, 31, 32, 33])("every report of day %i of March says the same", async (day) => {
    at(LAST + 10 * MINUTE);
    const [, , made] = days[day - 29] as [string, number, number];
    const summary = await get(own(), "summary", { groupBy: "machine", ...range(day) });
    const minutes = minutesOf(summary.total);
    expect(summary.total.total).toBe(made);
    for (const groupBy of ["hour", "day", "week", "month", "shift", "cause"]) {
      const { total, data } = await get(own(), "summary", { groupBy, ...range(day) });
      expect([total.total, minutesOf(total)], groupBy).toEqual([made, minutes]);
      if (groupBy === "cause") continue;
      const sum = (of: (row: Row) => number) => data.reduce((all: number, row: Row) => all + of(row), 0);
      expect([sum((row) => row.total ?? 0), sum(minutesOf)], groupBy).toEqual([made, expect.closeTo(minutes, 1)]);
    }
    const stopped = await get(own(), "summary", { groupBy: "cause,day", ...range(day) });
    const inStops = stopped.data.reduce((sum: number, row: Row) => sum + (row.unavailableTime ?? 0), 0);
    expect(inStops).toBeCloseTo(summary.total.unavailableTime, 1);
    for (const interval of ["5min", "15min", "hour", "shift"]) {
      const { data } = await get(own(), "production", { interval, ...range(day) });
      const sum = data.reduce((all: number, row: Row) => all + (row.total ?? 0), 0);
      // Shifts of a calendar day are those that start in it.
      if (interval !== "shift" || productionDay !== "calendarDay") expect(sum, interval).toBe(made);
    }
    const stretches = (await get(own(), "timeline", range(day))).data as { startTime: string; endTime: string }[];
    const ms = stretches.reduce((sum, { startTime, endTime }) => sum + Date.parse(endTime) - Date.parse(startTime), 0);
    expect(ms / MINUTE).toBeCloseTo(minutes, 1);
    if (productionDay === "calendarDay") return;
    const records = (await get(own(), "shift-records", range(day))).data as { productionMetrics: { total: number } }[];
    expect(records.reduce((sum, { productionMetrics }) => sum + productionMetrics.total, 0)).toBe(made);
    const slices = (await get(own(), "stop-records", range(day))).data as { stop: { durationInMinutes: number } }[];
    expect(slices.reduce((sum, { stop }) => sum + stop.durationInMinutes, 0)).toBeCloseTo(inStops, 1);
    const operators = await get(own(), "summary", { groupBy: "operator", ...range(day) });
    const shares = (await get(own(), `operators/${own().operatorId}/shifts`, range(day))).data as { production: number }[];
    const credited = (operators.data as Row[]).reduce((sum, row) => sum + (row.total ?? 0), 0);
    expect(shares.reduce((sum, { production }) => sum + production, 0)).toBe(credited);
  });

  it("the export and the daily mail have the figures of the summary", async () => {
    // On Monday evening the newest whole day is the Sunday.
    at(march(33) - 4 * HOUR);
    const made = days[2]?.[2];
    const { token } = await createUser(own().companyId, "admin");
    const query = new URLSearchParams({ groupBy: "machine", ...range(31) });
    const csv = await call("GET", `/v1/summary?${query}`, { token, headers: { accept: "text/csv" } });
    expect(csv.status).toBe(200);
    expect(String(csv.body)).toContain(`,${made},`);
    const body = { name: "Daily", kind: "daily", time: "07:00", addresses: ["plant@example.test"] };
    const subscription = await call("POST", "/v1/report-subscriptions", { token, body });
    expect(subscription.status, JSON.stringify(subscription.body)).toBe(201);
    const mail = await call("GET", `/v1/report-subscriptions/${subscription.body.id}/preview`, { token });
    expect(mail.status).toBe(200);
    expect(String(mail.body)).toContain(new Intl.NumberFormat("en").format(made ?? 0));
  });
});

it("instants that are no midnight cut shifts with a production day where they are", async () => {
  at(LAST + 10 * MINUTE);
  const own = plants.shiftStart;
  const asked = { from: iso(march(30) + 3 * HOUR), to: iso(march(31) - HOUR) };
  const { total, data } = await get(own, "summary", { groupBy: "day", ...asked });
  expect(total.total).toBe(20 * 60);
  expect(data.map((row: Row) => [local(row.start), row.total, row.isPartial])).toEqual([
    ["03-29", 3 * 60, true],
    ["03-30", 17 * 60, true],
  ]);
  const hours = await get(own, "summary", { groupBy: "hour", ...asked });
  expect(hours.data).toHaveLength(20);
});

it.each([
  ["shiftStart", ["15", 300], ["16", 0]],
  ["shiftEnd", ["16", 300]],
] as const)("the running night shift is in the row of its production day, by %s", async (productionDay, ...rows) => {
  const { companyId } = await createCompany({ productionDay });
  await createShift(companyId, { start: "22:00", end: "06:00" });
  const start = NOON - 14 * HOUR;
  const machine = await createMachine(companyId, { commissionedAt: start, noDataAfterSeconds: null });
  await createChannels(machine, [{ channel: 1, type: "total" }]);
  const { token: gateway } = await createGatewayToken(companyId);
  at(start + 2 * HOUR);
  const counts = Array.from({ length: 120 }, (_, i) => countAt(machine.nodeId, start + i * MINUTE));
  await ingest(gateway, counts);
  await flushMachine(machine.id);
  // At 03:00 the last part is three hours old, and reports extend it.
  at(start + 5 * HOUR);
  const { token } = await createUser(companyId, "admin");
  const from = iso(NOON - (productionDay === "shiftStart" ? 36 : 12) * HOUR);
  const { data, total } = await get({ token }, "summary", { groupBy: "day", from });
  expect(data.map((row: Row) => [row.start.slice(8, 10), minutesOf(row)])).toEqual(rows);
  expect(minutesOf(total)).toBe(300);
});

it("a report up to now has the shift that counts for tomorrow, in a row of its own", async () => {
  const { companyId } = await createCompany({ productionDay: "shiftEnd" });
  await createShift(companyId, { start: "20:00", end: "04:00" });
  const start = NOON + 8 * HOUR;
  const machine = await createMachine(companyId, { commissionedAt: start, noDataAfterSeconds: null });
  await createChannels(machine, [{ channel: 1, type: "total" }]);
  const { token: gateway } = await createGatewayToken(companyId);
  at(start + HOUR);
  await ingest(gateway, [countAt(machine.nodeId, start)]);
  await flushMachine(machine.id);
  const { token } = await createUser(companyId, "admin");
  // In the last hour the end of a report is midnight, and no edge of a day for that.
  for (const hours of [1, 3.5]) {
    at(start + hours * HOUR);
    const { data } = await get({ token }, "summary", { groupBy: "day", from: iso(NOON - 12 * HOUR) });
    expect(data.map((row: Row) => [row.start.slice(8, 10), minutesOf(row)])).toEqual([
      ["16", 0],
      ["17", hours * 60],
    ]);
  }
});

it("weeks begin on Sunday in a company that says so", async () => {
  const own = await plant("shiftStart", "sunday");
  const { data } = await get(own, "summary", { groupBy: "week", ...all });
  expect(data.map((row: Row) => [local(row.start), row.total])).toEqual([
    ["03-24", units(47, 2)],
    ["03-31", units(48, 2)],
  ]);
});

it("a new company counts a shift for the day on which it starts, and changing that concerns later shifts alone", async () => {
  const { companyId: home } = await createCompany();
  const { token } = await createUser(home, "superuser");
  const made = await call("POST", "/v1/companies", { token, body: { name: "New", timezone: "UTC" } });
  expect(made.body).toMatchObject({ productionDay: "shiftStart", weekStart: "monday" });
  const companyId = made.body.id as number;
  await createShift(companyId, { start: "22:00", end: "06:00" });
  const start = NOON - 38 * HOUR;
  const machine = await createMachine(companyId, { commissionedAt: start, noDataAfterSeconds: null, stopAfterSeconds: 86_400 });
  await createChannels(machine, [{ channel: 1, type: "total" }]);
  const { token: gateway } = await createGatewayToken(companyId);
  const night = (from: number) => Array.from({ length: 8 }, (_, i) => countAt(machine.nodeId, from + i * HOUR));
  await ingest(gateway, night(start));
  await flushMachine(machine.id);
  const admin = await createUser(companyId, "admin");
  const changed = await call("PATCH", `/v1/companies/${companyId}`, { token: admin.token, body: { productionDay: "shiftEnd" } });
  expect(changed.body).toMatchObject({ productionDay: "shiftEnd" });
  await configureMachine(machine.id);
  at(NOON + DAY);
  await ingest(gateway, night(start + DAY + DAY));
  await flushMachine(machine.id);
  const { token: later } = await createUser(companyId, "admin");
  const { data } = await get({ token: later }, "summary", {
    groupBy: "day",
    from: iso(NOON - 60 * HOUR),
    to: iso(NOON + 36 * HOUR),
  });
  // The night that began on the 14th counts for that day, the one that began on the 16th for the 17th.
  expect(data.map((row: Row) => [row.start.slice(8, 10), row.total])).toEqual([
    ["14", 8],
    ["15", 0],
    ["16", 0],
    ["17", 8],
  ]);
});

it.each([
  [{ productionDay: "night" }, "/productionDay"],
  [{ weekStart: "friday" }, "/weekStart"],
  [{ productionDay: null }, "/productionDay"],
])("%o is refused", async (body, pointer) => {
  const { companyId } = await createCompany();
  const { token } = await createUser(companyId, "admin");
  const refused = await call("PATCH", `/v1/companies/${companyId}`, { token, body });
  expect(refused.status).toBe(400);
  expect(refused.body.errors[0].pointer).toBe(pointer);
  expect((await get({ token }, `companies/${companyId}`)).productionDay).toBe("calendarDay");
});
