import { companyOf, noCompany } from "../../core/actor.ts";
import type { Caller } from "../../core/caller.ts";
import { companyZone } from "../../core/company-zone.ts";
import { invalid } from "../../core/problem.ts";
import { type ChartBucket, chartBuckets } from "../../oee/buckets.ts";
import { toMinutes } from "../../oee/metrics.ts";
import { isScheduled } from "../../oee/shift-ledger.ts";
import { targetUnitsIn } from "../../oee/shift-parts.ts";
import { unitsOf } from "../../oee/sums.ts";
import { type Interval, isoOf, MINUTE_MS } from "../../oee/time.ts";
import { readWithIds } from "../reports/records.ts";
import { type PartFilter, selectOpenParts, selectPartSums } from "../summary/queries.ts";
import { hourEnd, rangeOf } from "../summary/range.ts";
import { aboutFilter, startOfDays, summed } from "../summary/summary.ts";
import { type SlottedPart, selectOpenShifts, selectShiftSums, selectSlottedParts } from "./queries.ts";
import type { ProductionQuery } from "./query.ts";

/** The most rows of an answer. */
export const MAX_POINTS = 10_000;
const FIVE_MINUTES_MS = 5 * MINUTE_MS;

/** What a machine made in an interval. */
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

/** What machines made per interval, with its target. One trip once the company's time zone is known. */
export async function production(caller: Caller, { interval, companyId: named, from, to, ...filter }: ProductionQuery) {
  const { db, actor } = caller;
  const companyId = companyOf(actor, named, actor.companyId) ?? actor.companyId;
  const timezone = await companyZone(db, companyId);
  if (!timezone) throw noCompany();
  const now = Date.now();
  const range = rangeOf({ from, to }, hourEnd(timezone, now), (end) => startOfDays(timezone, end, 1));
  const asked: Asked = { caller, filter: { ...filter, companyId }, range, timezone, now };
  const points = await pointsOf(asked, interval);
  if (points.length > MAX_POINTS) throw tooManyPoints();
  const names = new Intl.Collator("en", { numeric: true });
  points.sort((a, b) => names.compare(a.machineName, b.machineName) || a.machineId - b.machineId || a.start - b.start);
  // Thousands of rows have a few times between them.
  const known = new Map<number, string>();
  const iso = (at: number) => {
    const text = known.get(at) ?? isoOf(at);
    known.set(at, text);
    return text;
  };
  return {
    interval,
    timezone,
    from: isoOf(range.start),
    to: isoOf(range.end),
    data: points.map((point) => ({
      machine: { id: point.machineId, name: point.machineName },
      line: point.lineId === null ? null : { id: point.lineId, name: point.lineName ?? "" },
      shift: point.shift,
      start: iso(point.start),
      end: iso(point.end),
      ...unitsOf(point),
      scheduledTime: toMinutes(point.scheduledMs),
    })),
  };
}

interface Asked {
  caller: Caller;
  filter: PartFilter;
  range: Interval;
  timezone: string;
  now: number;
}

function pointsOf(asked: Asked, interval: ProductionQuery["interval"]): Promise<Point[]> {
  if (interval === "hour") return hours(asked);
  if (interval === "shift") return shiftsIn(asked);
  return slots(asked, interval === "5min" ? FIVE_MINUTES_MS : 3 * FIVE_MINUTES_MS);
}

function tooManyPoints() {
  const message = `gives more than ${MAX_POINTS.toLocaleString("en")} rows: narrow \`from\` and \`to\`, select machines, or take a longer interval`;
  return invalid([{ pointer: "/query/interval", code: "too_many_points", message }]);
}

async function hours({ caller: { db }, filter, range, timezone, now }: Asked): Promise<Point[]> {
  const clipped = chartBuckets(timezone, "hour", range, MAX_POINTS);
  const buckets = clipped.map(({ x, xEnd }) => ({ x, xEnd, start: x, end: xEnd }));
  const query = { ...filter, groupBy: ["machine", "line"] as const, buckets, now, limit: MAX_POINTS + 1 };
  const [rows, open] = await readWithIds(db, aboutFilter(filter), [selectPartSums(db, query), selectOpenParts(db, query)]);
  return summed(rows, open, buckets, timezone, now).flatMap(({ i, keys, sums }) => {
    const bucket = buckets[i];
    if (!bucket || keys.machineId === null) return [];
    const machine = {
      machineId: keys.machineId,
      machineName: keys.machineName ?? "",
      lineId: keys.lineId,
      lineName: keys.lineName,
    };
    const scheduledMs = sums.availableMs + sums.nonProgrammedMs;
    return [{ ...machine, start: bucket.start, end: bucket.end, shift: null, ...sums, scheduledMs }];
  });
}

async function shiftsIn({ caller: { db }, filter, range, now }: Asked): Promise<Point[]> {
  const [rows, open] = await readWithIds(db, aboutFilter(filter), [
    selectShiftSums(db, filter, range, MAX_POINTS + 1),
    selectOpenShifts(db, filter),
  ]);
  return rows.map((row) => {
    const running = open.find((one) => one.machineId === row.machineId && one.shiftStart === row.shiftStart);
    const sinceMs = running ? scheduledSince(running, now) : 0;
    const shift = { id: row.shiftId, name: row.shiftName ?? "" };
    const point = { ...row, shift, start: row.shiftStart, end: row.shiftEnd, scheduledMs: row.scheduledMs + sinceMs };
    return { ...point, targetUnits: row.targetUnits + targetUnitsIn(sinceMs, running?.unitStandardMs ?? null) };
  });
}

type Running = Pick<SlottedPart, "asOf" | "openBucket" | "shiftEnd">;

/** Scheduled time from when a running shift's last part was written until now: its open bucket continues. */
function scheduledSince({ asOf, openBucket, shiftEnd }: Running, now: number): number {
  return isScheduled(openBucket) && asOf !== null ? Math.max(0, Math.min(now, shiftEnd) - asOf) : 0;
}

async function slots({ caller: { db }, filter, range, timezone, now }: Asked, stepMs: number): Promise<Point[]> {
  const [closed, open] = await readWithIds(db, aboutFilter(filter), selectSlottedParts(db, filter, range, MAX_POINTS + 1));
  const parts = [...closed, ...open];
  if (parts.length > MAX_POINTS) throw tooManyPoints();
  const points = new Map<string, Point>();
  // Most machines share their hours, which are costly to compute.
  const known = new Map<string, ChartBucket[]>();
  const hoursIn: HoursIn = (start, end) => {
    const id = `${start} ${end}`;
    const hours = known.get(id) ?? chartBuckets(timezone, "hour", { start, end }, Number.POSITIVE_INFINITY);
    known.set(id, hours);
    return hours;
  };
  for (const part of parts) {
    const { machineId, machineName, lineId, lineName } = part;
    for (const slot of slotsOf(part, stepMs, hoursIn, now)) {
      if (slot.end <= range.start || slot.start >= range.end) continue;
      const id = `${machineId} ${slot.start}`;
      const point = points.get(id) ?? { machineId, machineName, lineId, lineName, shift: null, ...nothing, ...timesOf(slot) };
      points.set(id, point);
      point.totalUnits += slot.totalUnits;
      point.defectUnits += slot.defectUnits;
      point.scheduledMs += slot.scheduledMs;
      point.targetUnits += targetUnitsIn(slot.scheduledMs, part.unitStandardMs);
      if (points.size > MAX_POINTS) throw tooManyPoints();
    }
  }
  return [...points.values()];
}

const nothing = { totalUnits: 0, defectUnits: 0, targetUnits: 0, scheduledMs: 0 };

function timesOf({ start, end }: Interval): Interval {
  return { start, end };
}

/** The local hours of a company that overlap [start, end). */
type HoursIn = (start: number, end: number) => ChartBucket[];

interface Slot extends Interval {
  totalUnits: number;
  defectUnits: number;
  scheduledMs: number;
}

/** The intervals of a part, with what was made in each. The last part of a running shift reaches until now: its open bucket continues. */
export function slotsOf(
  part: Omit<SlottedPart, "machineId" | "machineName" | "lineId" | "lineName">,
  stepMs: number,
  hoursIn: HoursIn,
  now: number,
): Slot[] {
  const { startAt, endAt, shiftEnd, hourStart, asOf, openBucket, fiveMinutes } = part;
  const until = openBucket === null || asOf === null ? endAt : Math.min(now, shiftEnd);
  // The numbers of older shifts are not kept by hour: there is nothing to divide.
  if (fiveMinutes.length === 0 && openBucket === null && endAt - startAt > hourLength(hoursIn, startAt)) return [];
  const slots: Slot[] = [];
  for (const hour of hoursIn(startAt, until)) {
    const from = Math.floor((hour.start - hour.x) / stepMs);
    for (let start = hour.x + from * stepMs; start < hour.end; start += stepMs) {
      slots.push({ start, end: Math.min(start + stepMs, hour.xEnd), totalUnits: 0, defectUnits: 0, scheduledMs: 0 });
    }
  }
  for (const [k, [units, defects, scheduledMs]] of fiveMinutes.entries()) {
    const at = Math.max(startAt, hourStart + k * FIVE_MINUTES_MS);
    const slot = slots.find(({ start, end }) => start <= at && at < end);
    if (!slot) continue;
    slot.totalUnits += units;
    slot.defectUnits += defects;
    slot.scheduledMs += scheduledMs;
  }
  if (asOf !== null && isScheduled(openBucket)) {
    for (const slot of slots) slot.scheduledMs += Math.max(0, Math.min(slot.end, until) - Math.max(slot.start, asOf));
  }
  return slots;
}

function hourLength(hoursIn: HoursIn, at: number): number {
  const [hour] = hoursIn(at, at + 1);
  return hour ? hour.xEnd - hour.x : 0;
}
