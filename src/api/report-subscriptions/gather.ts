import { noCompany } from "../../core/actor.ts";
import type { Reader } from "../../core/caller.ts";
import { companyCalendar } from "../../core/company-zone.ts";
import { maxOf, minOf } from "../../oee/extremes.ts";
import { type ReportRange, reportRange, searchedTime, wholeRange } from "../../oee/report-buckets.ts";
import type { Interval } from "../../oee/time.ts";
import { localDate } from "../../oee/zone.ts";
import { selectHandOversOfShift } from "../hand-overs/queries.ts";
import { getTimeline } from "../machines/timeline.ts";
import { lateOrdersOf, selectLateOrders } from "../orders/find-late-orders.ts";
import { type SumsQuery, selectCauseSums } from "../reports/summary/queries.ts";
import type { SummaryQuery } from "../reports/summary/query.ts";
import { type RowFigures, summarize } from "../reports/summary/summary.ts";
import { selectHeld, selectStamps } from "./queries.ts";
import { weekBefore } from "./run-times.ts";
import { type Run, type Stretch, slotsOf } from "./slots.ts";

/** The maximum number of late orders in a report. */
const MOST_ORDERS = 10;
/** The most hand-overs of a shift in its report; one more says that there are others. */
export const MOST_HAND_OVERS = 5;
/** Machines whose time lines are read together: few enough to read a week with a stop every minute for each. */
const MACHINES_AT_ONCE = 25;
/** The maximum number of time lines that are drawn: those of the machines with the most downtime. */
const MOST_LINES = 60;

/** The scope of a report. Times are epoch ms. */
export interface ReportScope {
  companyId: number;
  companyName: string;
  /** The subscription's name. */
  name: string;
  kind: "shift" | "daily" | "weekly";
  language: "en" | "es";
  timezone: string;
  machineIds: readonly number[] | null;
  lineIds: readonly number[] | null;
  /** The shift of the report; null: all shifts. */
  shift: { id: number; name: string } | null;
  period: Interval;
}

interface NamedRow {
  id: number;
  name: string;
}

/** The figures and time line of a machine in the period. */
interface MachineReport {
  machine: NamedRow;
  line: NamedRow | null;
  figures: RowFigures;
  stopCount: number;
  /** Null: not drawn. */
  runs: Run[] | null;
}

/** A stop, clipped to the period. */
export interface StopReport {
  id: number;
  machine: NamedRow;
  line: NamedRow | null;
  shift: NamedRow;
  name: string;
  generalCause: NamedRow | null;
  specificCause: NamedRow | null;
  isProgrammed: boolean;
  /** True if it counts against availability. */
  isDowntime: boolean;
  start: number;
  end: number;
  durationMs: number;
  /** The cost of the lost time; null: the machine has no hourly rate, or the stop is not downtime. */
  cost: number | null;
}

/** The numbers of a report. */
export interface Report {
  scope: ReportScope;
  /** The time at which they were read. */
  at: number;
  total: RowFigures;
  /** Figures of the same time a week before; null: nothing was scheduled to run then. */
  before: RowFigures | null;
  /** In the order of the summary. */
  machines: MachineReport[];
  /** Costliest first: by money if machines have hourly rates, else by time. */
  stops: StopReport[];
  hasCosts: boolean;
  /** The share of downtime without a cause, 0 to 1; null: there was no downtime. */
  unclassified: number | null;
  late: ReturnType<typeof lateOrdersOf>;
  /** What was handed over of the shift, if this is the report of one: at most one more than `MOST_HAND_OVERS`. */
  handOvers: Awaited<ReturnType<typeof selectHandOversOfShift>>;
  /** The machines with held counts, which no figure has, and their units; those with most first. */
  held: { machine: NamedRow; units: number }[];
}

/**
 * Reads the numbers of a report with the functions that serve the reports of the API.
 * @returns null if nothing was scheduled to run in the period
 */
export async function gather({ db, actor }: Reader, scope: ReportScope, now: number): Promise<Report | null> {
  const { companyId, period, timezone } = scope;
  const calendar = await companyCalendar(db, companyId);
  if (!calendar) throw noCompany();
  const range = reportRange(calendar, period);
  const selected = {
    companyId,
    ...(scope.machineIds && { machineIds: [...scope.machineIds] }),
    ...(scope.lineIds && { lineIds: [...scope.lineIds] }),
  };
  const summaryOf = (range: Interval) => {
    const shiftIds = scope.shift && { shiftIds: [scope.shift.id] };
    const query: SummaryQuery = { groupBy: ["machine"], from: range.start, to: range.end, ...selected, ...shiftIds };
    return summarize({ db, actor }, query);
  };
  const summary = await summaryOf(period);
  if (!wasScheduled(summary.total)) return null;
  const rows = summary.data.flatMap(({ machine, line: _, ...figures }) => (machine ? [{ machine, figures }] : []));
  const ids = rows.map(({ machine }) => machine.id);
  const machineIds = scope.machineIds ?? (scope.lineIds ? ids : undefined);
  // Counted as in the summary by cause: the stops that begin in the period and count as stops.
  const counted: SumsQuery = {
    ...{ ...selected, groupBy: ["machine"], now, limit: ids.length + 1 },
    shiftIds: scope.shift ? [scope.shift.id] : undefined,
    buckets: wholeRange(range),
  };
  const [{ total: before }, stretches, [stamps, lateRows, countRows, heldRows, handOvers]] = await Promise.all([
    summaryOf(weekBefore(timezone, period)),
    stretchesOf({ db, actor }, scope, ids),
    db.batch([
      selectStamps(db, ids, searchedTime(range)),
      selectLateOrders(db, { companyId, machineIds, limit: MOST_ORDERS }, now),
      selectCauseSums(db, counted),
      selectHeld(db, ids, period),
      selectHandOversOfShift(db, {
        ...{ companyId, shiftId: scope.shift?.id ?? 0, date: localDate(timezone, period.start) },
        ...{ lineIds: scope.lineIds ?? undefined, machineIds: scope.machineIds ?? undefined, limit: MOST_HAND_OVERS + 1 },
      }),
    ]),
  ]);
  const stopCounts = new Map(countRows.map(({ machineId, stopCount }) => [machineId, stopCount]));
  const stampsOf = Map.groupBy(stamps, ({ machineId }) => machineId);
  const stampAt = (machineId: number, at: number) => stampsOf.get(machineId)?.find(({ start, end }) => start <= at && at < end);
  const stops = stopsOf(stretches, stampAt);
  const named = new Map(rows.map(({ machine }) => [machine.id, machine]));
  const held = heldRows.flatMap(({ machineId, units }) => {
    const machine = named.get(machineId);
    return machine ? [{ machine, units }] : [];
  });
  const hasCosts = stops.some(({ cost }) => cost !== null && cost > 0);
  const { unavailableTime, annotatedDowntime } = summary.total;
  const isDrawn = new Set(
    rows
      .toSorted((a, b) => (b.figures.unavailableTime ?? 0) - (a.figures.unavailableTime ?? 0))
      .slice(0, MOST_LINES)
      .map(({ machine }) => machine.id),
  );
  const slotCount = scope.kind === "weekly" ? 168 : 96;
  const drawn = drawnTime(range, stretches);
  const machines = rows.map(({ machine, figures: { stopCount: _, ...figures } }): MachineReport => {
    const own = stretches.get(machine.id) ?? [];
    const count = stopCounts.get(machine.id) ?? 0;
    const runs = isDrawn.has(machine.id) ? slotsOf(drawn, slotCount, own) : null;
    return {
      machine,
      line: lineOf(stampsOf.get(machine.id)?.at(-1)),
      figures: { ...figures, stopCount: count },
      stopCount: count,
      runs,
    };
  });
  return {
    ...{ scope, at: now, total: summary.total, before: wasScheduled(before) ? before : null, machines },
    stops: stops.sort((a, b) => (hasCosts ? (b.cost ?? 0) - (a.cost ?? 0) : 0) || b.durationMs - a.durationMs),
    hasCosts,
    unclassified: unavailableTime ? Math.max(0, 1 - (annotatedDowntime ?? 0) / unavailableTime) : null,
    late: lateOrdersOf(lateRows, MOST_ORDERS, now),
    handOvers,
    held: held.sort((a, b) => b.units - a.units),
  };
}

/** True if machines were scheduled to run, or did run, in the time of these figures. */
function wasScheduled({ availableTime, unavailableTime, noDataTime }: RowFigures): boolean {
  return (availableTime ?? 0) + (unavailableTime ?? 0) + (noDataTime ?? 0) > 0;
}

/** The time that time lines show: a period, or that of the shifts that count for its days. */
function drawnTime(range: ReportRange, stretches: ReadonlyMap<number, readonly Interval[]>): Interval {
  const all = [...stretches.values()].flat();
  const { firstDay, afterDay } = range;
  return {
    start: firstDay === null || all.length === 0 ? range.start : minOf(all.map(({ start }) => start)),
    end: afterDay === null || all.length === 0 ? range.end : maxOf(all.map(({ end }) => end)),
  };
}

type TimelineItem = Awaited<ReturnType<typeof getTimeline>>["data"][number];
type ReportedStretch = Stretch & { item: TimelineItem };

/** The time line of each machine in the period. */
async function stretchesOf(reader: Reader, { companyId, period, shift }: ReportScope, ids: readonly number[]) {
  const found = new Map<number, ReportedStretch[]>();
  for (let i = 0; i < ids.length; i += MACHINES_AT_ONCE) {
    const machineIds = ids.slice(i, i + MACHINES_AT_ONCE);
    const { data } = await getTimeline(reader, { companyId, machineIds, from: period.start, to: period.end });
    for (const item of data) {
      if (shift && item.shift.id !== shift.id) continue;
      const list = found.get(item.machine.id) ?? [];
      list.push({ status: item.status, start: Date.parse(item.startTime), end: Date.parse(item.endTime), item });
      found.set(item.machine.id, list);
    }
  }
  return found;
}

type Stamp = Awaited<ReturnType<typeof selectStamps>>[number];

function lineOf(stamp: Stamp | undefined): NamedRow | null {
  return stamp && stamp.lineId !== null ? { id: stamp.lineId, name: stamp.lineName ?? "" } : null;
}

/** The stops of stretches; a stop that touches several shifts is one stop. */
function stopsOf(
  stretches: ReadonlyMap<number, readonly ReportedStretch[]>,
  stampAt: (machineId: number, at: number) => Stamp | undefined,
) {
  const stops = new Map<number, StopReport>();
  for (const { start, end, status, item } of [...stretches.values()].flat()) {
    if (!item.stop) continue;
    const { id, name, generalCause, specificCause } = item.stop;
    const known = stops.get(id);
    const durationMs = (known?.durationMs ?? 0) + end - start;
    const isDowntime = status === "N" || status === "P";
    const stamp = stampAt(item.machine.id, start);
    const rate = isDowntime ? (stamp?.hourlyRate ?? null) : null;
    stops.set(id, {
      ...{ id, machine: item.machine, line: lineOf(stamp), name, generalCause, specificCause },
      shift: known?.shift ?? { id: item.shift.id, name: item.shift.name },
      ...{ isProgrammed: status === "P", isDowntime, start: known?.start ?? start, end, durationMs },
      // A stop may touch shifts with different rates.
      cost: rate === null ? (known?.cost ?? null) : (known?.cost ?? 0) + ((end - start) / 3_600_000) * rate,
    });
  }
  return [...stops.values()];
}
