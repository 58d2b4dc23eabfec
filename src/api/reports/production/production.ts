import { noCompany, oneCompanyOf } from "../../../core/actor.ts";
import type { Caller } from "../../../core/caller.ts";
import { companyCalendar } from "../../../core/company-zone.ts";
import { readWithIds } from "../../../core/named-ids.ts";
import { invalid } from "../../../core/problem.ts";
import { areRecalculated, selectRecalculatedTimes } from "../../../db/recalculating.ts";
import { type ChartBucket, chartBuckets } from "../../../oee/buckets.ts";
import { append } from "../../../oee/extremes.ts";
import { toMinutes } from "../../../oee/metrics.ts";
import { countedTime, type PlantCalendar, type ReportRange, reportBuckets, reportRange } from "../../../oee/report-buckets.ts";
import { isScheduled } from "../../../oee/shift-ledger.ts";
import { targetUnitsIn } from "../../../oee/shift-parts.ts";
import { unitsOf } from "../../../oee/sums.ts";
import { type Interval, isoOf, MINUTE_MS } from "../../../oee/time.ts";
import { type PartFilter, selectOpenParts, selectPartSums } from "../summary/queries.ts";
import { hourEnd, rangeOf } from "../summary/range.ts";
import { aboutFilter, startOfDays, summed } from "../summary/summary.ts";
import { type SlottedPart, selectOpenShifts, selectShiftSums, selectSlottedParts } from "./queries.ts";
import type { ProductionQuery } from "./query.ts";

/** The maximum number of rows in a response. */
const MAX_POINTS = 10_000;
const FIVE_MINUTES_MS = 5 * MINUTE_MS;

/** The production of a machine in an interval. */
interface Point extends Interval {
  machineId: number;
  machineName: string;
  lineId: number | null;
  lineName: string | null;
  /** Only for interval `shift`. */
  shift: { id: number; name: string } | null;
  totalUnits: number;
  defectUnits: number;
  targetUnits: number;
  scheduledMs: number;
}

/** The production of machines per interval, with its target. One trip once the company's time zone is known. */
export async function getProduction(caller: Caller, { interval, companyId: named, from, to, ...filter }: ProductionQuery) {
  const { db, actor } = caller;
  const companyId = oneCompanyOf(actor, named);
  const calendar = await companyCalendar(db, companyId);
  if (!calendar) throw noCompany();
  const { timezone } = calendar;
  const now = Date.now();
  const bounds = rangeOf({ from, to }, hourEnd(timezone, now), (end) => startOfDays(timezone, end, 1));
  const range = reportRange(calendar, bounds, { start: from === undefined, end: to === undefined });
  const asked: ProductionInput = { caller, filter: { ...filter, companyId }, range, calendar, now };
  const { points, times } = await pointsOf(asked, interval);
  if (points.length > MAX_POINTS) throw tooManyPoints();
  return {
    interval,
    timezone,
    from: isoOf(range.start),
    to: isoOf(range.end),
    isRecalculating: areRecalculated(times, range, filter.machineIds),
    data: rowsOf(points),
  };
}

const compareNames = new Intl.Collator("en", { numeric: true }).compare;

/** The rows of a response: machines by name, their intervals by start. */
function rowsOf(points: readonly Point[]) {
  const machines = Array.from(
    Map.groupBy(points, ({ machineId }) => machineId),
    ([id, own]) => {
      const [{ machineName }] = own as [Point, ...Point[]];
      return { machine: { id, name: machineName }, own: own.sort((a, b) => a.start - b.start) };
    },
  );
  machines.sort((a, b) => compareNames(a.machine.name, b.machine.name) || a.machine.id - b.machine.id);
  // Thousands of rows share a few times.
  const known = new Map<number, string>();
  const iso = (at: number) => {
    const text = known.get(at) ?? isoOf(at);
    known.set(at, text);
    return text;
  };
  return machines.flatMap(({ machine, own }) =>
    own.map((point) => {
      const line = point.lineId === null ? null : { id: point.lineId, name: point.lineName ?? "" };
      const times = { start: iso(point.start), end: iso(point.end) };
      return { machine, line, shift: point.shift, ...times, ...unitsOf(point), scheduledTime: toMinutes(point.scheduledMs) };
    }),
  );
}

interface ProductionInput {
  caller: Caller;
  filter: PartFilter;
  range: ReportRange;
  calendar: PlantCalendar;
  now: number;
}

interface Found {
  points: Point[];
  /** The times that the company's machines recalculate. */
  times: Awaited<ReturnType<typeof selectRecalculatedTimes>>;
}

function pointsOf(asked: ProductionInput, interval: ProductionQuery["interval"]): Promise<Found> {
  if (interval === "hour") return hours(asked);
  if (interval === "shift") return shiftsIn(asked);
  return slots(asked, interval === "5min" ? FIVE_MINUTES_MS : 3 * FIVE_MINUTES_MS);
}

function tooManyPoints() {
  const message = `gives more than ${MAX_POINTS.toLocaleString("en")} rows: narrow \`from\` and \`to\`, select machines, or take a longer interval`;
  return invalid([{ pointer: "/query/interval", code: "too_many_points", message }]);
}

async function hours({ caller: { db }, filter, range, calendar, now }: ProductionInput): Promise<Found> {
  const { timezone } = calendar;
  const [first] = chartBuckets(timezone, "hour", range, 0);
  const [last] = chartBuckets(timezone, "hour", { start: range.end - 1, end: range.end }, 0);
  const inFull = { ...range, start: first?.x ?? range.start, end: last?.xEnd ?? range.end };
  const buckets = reportBuckets(calendar, "hour", inFull, MAX_POINTS);
  const query = { ...filter, groupBy: ["machine", "line"] as const, buckets, now, limit: MAX_POINTS + 1 };
  const [rows, open, times] = await readWithIds(db, aboutFilter(filter), [
    selectPartSums(db, query),
    selectOpenParts(db, query),
    selectRecalculatedTimes(db, filter.companyId),
  ]);
  const points = summed(rows, open, buckets, timezone, now).flatMap(({ i, keys, sums }) => {
    const bucket = buckets.list[i];
    if (!bucket || keys.machineId === null) return [];
    const machine = {
      machineId: keys.machineId,
      machineName: keys.machineName ?? "",
      lineId: keys.lineId,
      lineName: keys.lineName,
    };
    const scheduledMs = sums.availableMs + sums.nonProgrammedMs;
    return [{ ...machine, start: bucket.x, end: bucket.xEnd, shift: null, ...sums, scheduledMs }];
  });
  return { points, times };
}

async function shiftsIn({ caller: { db }, filter, range, now }: ProductionInput): Promise<Found> {
  const [rows, open, times] = await readWithIds(db, aboutFilter(filter), [
    selectShiftSums(db, filter, range, MAX_POINTS + 1),
    selectOpenShifts(db, filter),
    selectRecalculatedTimes(db, filter.companyId),
  ]);
  const points = rows.map((row) => {
    const running = open.find((one) => one.machineId === row.machineId && one.shiftStart === row.shiftStart);
    const sinceMs = running ? scheduledSince(running, now) : 0;
    const shift = { id: row.shiftId, name: row.shiftName ?? "" };
    const point = { ...row, shift, start: row.shiftStart, end: row.shiftEnd, scheduledMs: row.scheduledMs + sinceMs };
    return { ...point, targetUnits: row.targetUnits + targetUnitsIn(sinceMs, running?.unitStandardMs ?? null) };
  });
  return { points, times };
}

type Running = Pick<SlottedPart, "asOf" | "openBucket" | "shiftEnd">;

/** Scheduled time since a running shift's last part was written, up to now: its open bucket continues. */
function scheduledSince({ asOf, openBucket, shiftEnd }: Running, now: number): number {
  return isScheduled(openBucket) && asOf !== null ? Math.max(0, Math.min(now, shiftEnd) - asOf) : 0;
}

async function slots(
  { caller: { db }, filter, range, calendar: { timezone }, now }: ProductionInput,
  stepMs: number,
): Promise<Found> {
  const [closed, open, times] = await readWithIds(db, aboutFilter(filter), [
    ...selectSlottedParts(db, filter, range, MAX_POINTS + 1),
    selectRecalculatedTimes(db, filter.companyId),
  ]);
  const parts = [...closed, ...open];
  if (parts.length > MAX_POINTS) throw tooManyPoints();
  // Most machines share their hours, which are costly to compute.
  const known = new Map<string, ChartBucket[]>();
  const hoursIn = (start: number, end: number) => {
    const id = `${start} ${end}`;
    const hours = known.get(id) ?? chartBuckets(timezone, "hour", { start, end }, Number.POSITIVE_INFINITY);
    known.set(id, hours);
    return hours;
  };
  const points: Point[] = [];
  for (const ofMachine of Map.groupBy(parts, ({ machineId }) => machineId).values()) {
    const byStart = new Map<number, Point>();
    for (const part of ofMachine) {
      const counted = countedTime(range, part.day);
      if (!counted) continue;
      const until = endOf(part, now);
      const hours = hoursIn(part.startAt, until);
      if (isDivided(part, hours)) addPart(byStart, part, until, slotsOf(hours, stepMs, counted));
    }
    append(points, byStart.values());
    if (points.length > MAX_POINTS) throw tooManyPoints();
  }
  return { points, times };
}

/** The end of a part. The last part of a running shift extends to now: its open bucket continues. */
function endOf({ openBucket, asOf, shiftEnd, endAt }: SlottedPart, now: number): number {
  return openBucket === null || asOf === null ? endAt : Math.min(now, shiftEnd);
}

/** True if a part has numbers for every 5 minutes. Shifts stored before these existed have one part, which may span several hours. */
function isDivided({ fiveMinutes, openBucket }: SlottedPart, hours: readonly ChartBucket[]): boolean {
  return fiveMinutes.length > 0 || openBucket !== null || hours.length === 1;
}

/** The intervals of hours that overlap a range, in order. */
function slotsOf(hours: readonly ChartBucket[], stepMs: number, range: Interval): Interval[] {
  const slots: Interval[] = [];
  for (const hour of hours) {
    const first = Math.floor((hour.start - hour.x) / stepMs);
    for (let start = hour.x + first * stepMs; start < hour.end; start += stepMs) {
      const end = Math.min(start + stepMs, hour.xEnd);
      if (end > range.start && start < range.end) slots.push({ start, end });
    }
  }
  return slots;
}

/** Adds the production of a part to its machine's points, which are keyed by start: one for each slot of the part. */
function addPart(points: Map<number, Point>, part: SlottedPart, until: number, slots: readonly Interval[]): void {
  const { startAt, hourStart, asOf, openBucket, unitStandardMs, fiveMinutes } = part;
  const own = slots.map((slot) => {
    const point = points.get(slot.start) ?? emptyPoint(part, slot);
    points.set(slot.start, point);
    return point;
  });
  const addTime = (point: Point, scheduledMs: number) => {
    point.scheduledMs += scheduledMs;
    point.targetUnits += targetUnitsIn(scheduledMs, unitStandardMs);
  };
  for (const [n, [units, defects, scheduledMs]] of fiveMinutes.entries()) {
    const at = Math.max(startAt, hourStart + n * FIVE_MINUTES_MS);
    const point = own.find(({ start, end }) => start <= at && at < end);
    if (!point) continue;
    point.totalUnits += units;
    point.defectUnits += defects;
    addTime(point, scheduledMs);
  }
  if (asOf === null || !isScheduled(openBucket)) return;
  for (const point of own) addTime(point, Math.max(0, Math.min(point.end, until) - Math.max(point.start, asOf)));
}

function emptyPoint({ machineId, machineName, lineId, lineName }: SlottedPart, { start, end }: Interval): Point {
  const place = { machineId, machineName, lineId, lineName };
  return { ...place, start, end, shift: null, totalUnits: 0, defectUnits: 0, targetUnits: 0, scheduledMs: 0 };
}
