import { noCompany, oneCompanyOf } from "../../../core/actor.ts";
import type { Reader } from "../../../core/caller.ts";
import { companyCalendar } from "../../../core/company-zone.ts";
import { readWithIds } from "../../../core/named-ids.ts";
import { type Fault, invalid } from "../../../core/problem.ts";
import { type Side, selectKnownFrom, sidesOf } from "../../../db/as-of.ts";
import type { CompanyDb } from "../../../db/client.ts";
import { areRecalculated, selectRecalculatedTimes } from "../../../db/recalculating.ts";
import type { ChartBucket } from "../../../oee/buckets.ts";
import { factorsOf, toMinutes, toPercent } from "../../../oee/metrics.ts";
import { type ReportBuckets, reportBuckets, reportRange, wholeRange } from "../../../oee/report-buckets.ts";
import { addSums, figuresOf, noSums, type Sums } from "../../../oee/sums.ts";
import { type Interval, isoOf } from "../../../oee/time.ts";
import { roundUnits } from "../../../oee/units.ts";
import { localDay, localToUtc } from "../../../oee/zone.ts";
import { refuseUnknownTime } from "../as-of.ts";
import { divideOutside, type GroupBy, type TimeGroup, timeGroupOf, timeGroups } from "./groups.ts";
import { extensionsOf } from "./open-parts.ts";
import {
  type CauseRow,
  dividesStops,
  includesOutside,
  type Keys,
  noKeys,
  type OpenPart,
  type OperatorRow,
  type OutsideRow,
  type PartFilter,
  type ReasonRow,
  type SummedGroup,
  type SumsQuery,
  selectCauseSums,
  selectOpenParts,
  selectOperatorSums,
  selectOutsideSums,
  selectPartSums,
  selectReasonSums,
} from "./queries.ts";
import type { SummaryQuery } from "./query.ts";
import { hourEnd, rangeOf } from "./range.ts";

/** The maximum number of rows of a summary. */
const MAX_GROUPS = 10_000;
/** Length of the default range in days, including the last day. */
const DEFAULT_DAYS = 7;

type Figures = ReturnType<typeof figuresOf>;
/** The figures of a row; null if they do not apply to its groups. */
export type RowFigures = { [K in keyof Figures]: number | null } & {
  producedOutsideShifts: number | null;
  stopCount: number | null;
};

/** Sums of one group. */
interface GroupRow {
  i: number;
  keys: Keys;
  figures: RowFigures;
}

/** Sums and percentages per group, and in total for the query. One trip once the company's time zone is known. */
export async function summarize({ db, actor }: Reader, { groupBy, companyId: named, from, to, asOf, ...filter }: SummaryQuery) {
  const companyId = oneCompanyOf(actor, named);
  const calendar = await companyCalendar(db, companyId);
  if (!calendar) throw noCompany();
  const { timezone } = calendar;
  const now = asOf ?? Date.now();
  const rangeAsked = rangeOf({ from, to }, hourEnd(timezone, now), (end) => startOfDays(timezone, end, DEFAULT_DAYS));
  const range = reportRange(calendar, rangeAsked, { end: to === undefined });
  refuseWithOperators(groupBy, filter);
  refuseReasonsAsOf(groupBy, asOf);
  const time = timeGroupOf(groupBy);
  const whole = wholeRange(range);
  const buckets = time ? reportBuckets(calendar, time, range, MAX_GROUPS) : whole;
  const about = aboutFilter({ ...filter, companyId });
  const query: SumsQuery = { ...filter, companyId, groupBy, buckets, now, limit: MAX_GROUPS + 1 };
  const ofAll: SumsQuery = { ...query, groupBy: [], buckets: whole };

  const asked = { query, ofAll, about, timezone };
  const {
    rows: found,
    total,
    hasOutside,
    isRecalculating,
  } = asOf === undefined ? await presentSums(db, asked) : await sumsAsOf(db, asked, asOf);
  const rows = time && groupBy.length === 1 ? withEmpty(found, buckets, hasOutside) : found;
  if (rows.length > MAX_GROUPS) throw tooManyGroups();

  return {
    groupBy: [...groupBy],
    timezone,
    from: isoOf(range.start),
    to: isoOf(range.end),
    isRecalculating,
    total,
    data: inOrder(rows, groupBy).map(({ i, keys, figures }) => ({
      ...groupsOf(keys, time ? buckets.list[i] : undefined, range, time),
      ...figures,
    })),
  };
}

/** What a summary asks: its groups, and everything that the filters select. */
interface Asked {
  query: SumsQuery;
  ofAll: SumsQuery;
  about: ReturnType<typeof aboutFilter>;
  timezone: string;
}

interface Found {
  rows: GroupRow[];
  total: RowFigures;
  /** Whether the rows say what was produced outside shifts. */
  hasOutside: boolean;
  isRecalculating: boolean;
}

/** The sums as of now. */
async function presentSums(db: CompanyDb, { query, ofAll, about, timezone }: Asked): Promise<Found> {
  const { groupBy, buckets, now } = query;
  const whole = ofAll.buckets;
  const recalculated = selectRecalculatedTimes(db, query.companyId);
  const areSome = (times: Awaited<typeof recalculated>) => areRecalculated(times, whole.range, query.machineIds);
  const [hasOutside, isDivided] = [includesOutside(query), divideOutside(groupBy)];
  const outsideShifts = selectOutsideSums(db, isDivided ? query : ofAll);
  const totalOf = (sums: Sums, outside: readonly OutsideRow[], stopCount: number | null): RowFigures => {
    const producedOutsideShifts = hasOutside ? roundUnits(outside.reduce((all, { units }) => all + units, 0)) : null;
    return { ...figuresOf(sums), producedOutsideShifts, stopCount };
  };
  if (groupBy.includes("cause")) {
    const [causes, parts, open, outside, times] = await readWithIds(db, about, [
      selectCauseSums(db, query),
      selectPartSums(db, ofAll),
      selectOpenParts(db, ofAll),
      outsideShifts,
      recalculated,
    ]);
    const total = totalOf(sumOf(summed(parts, open, whole, timezone, now)), outside, stopsIn(causes));
    return { rows: causes.map(causeRow), total, hasOutside, isRecalculating: areSome(times) };
  }
  if (groupBy.includes("operator")) {
    const [operators, parts, open, outside, times] = await readWithIds(db, about, [
      selectOperatorSums(db, query),
      selectPartSums(db, ofAll),
      selectOpenParts(db, ofAll),
      outsideShifts,
      recalculated,
    ]);
    const total = totalOf(sumOf(summed(parts, open, whole, timezone, now)), outside, null);
    return { rows: operators.map(operatorRow), total, hasOutside, isRecalculating: areSome(times) };
  }
  if (groupBy.includes("defectReason")) {
    const [reasons, parts, open, outside, times] = await readWithIds(db, about, [
      selectReasonSums(db, query),
      selectPartSums(db, ofAll),
      selectOpenParts(db, ofAll),
      outsideShifts,
      recalculated,
    ]);
    const total = totalOf(sumOf(summed(parts, open, whole, timezone, now)), outside, null);
    return { rows: reasons.map(reasonRow), total, hasOutside, isRecalculating: areSome(times) };
  }
  const [parts, open, outside, times] = await readWithIds(db, about, [
    selectPartSums(db, query),
    selectOpenParts(db, query),
    outsideShifts,
    recalculated,
  ]);
  const groups = summed(parts, open, buckets, timezone, now);
  const rows = isDivided && hasOutside ? rowsWithOutside(groups, outside) : groups.map((group) => rowOf(group, null));
  return { rows, total: totalOf(sumOf(groups), outside, null), hasOutside, isRecalculating: areSome(times) };
}

/** What was reported does not change while it is recalculated. */
const ofThePast = { hasOutside: false, isRecalculating: false };

/**
 * The sums of the shifts that were closed at an instant, as they were reported then: those of the rows that are in force still, and of former ones.
 * What was produced outside shifts is not among them, because nobody keeps what was reported of it.
 */
async function sumsAsOf(db: CompanyDb, { query, ofAll, about }: Asked, asOf: number): Promise<Found> {
  const [present, former] = sidesOf(asOf);
  const of = (asked: SumsQuery, side: Side): SumsQuery => ({ ...asked, side });
  const totalOf = (groups: readonly SummedGroup[], stopCount: number | null): RowFigures => {
    return { ...figuresOf(sumOf(groups)), producedOutsideShifts: null, stopCount };
  };
  const knownFrom = selectKnownFrom(db, [query.companyId]);
  if (query.groupBy.includes("cause")) {
    const [known, parts, formerParts, ...causes] = await readWithIds(db, about, [
      knownFrom,
      selectPartSums(db, of(ofAll, present)),
      selectPartSums(db, of(ofAll, former)),
      selectCauseSums(db, of(query, present), present),
      selectCauseSums(db, of(query, former), present),
      // By former parts, where stopped time is divided by parts.
      ...(dividesStops(query) ? [present, former].map((side) => selectCauseSums(db, of(query, side), former)) : []),
    ]);
    refuseUnknownTime(asOf, "/query/asOf", known);
    const rows = added(causes.flat(), ["stopCount", "programmedMs", "nonProgrammedMs", "otherMs", "annotatedMs"]);
    return { rows: rows.map(causeRow), total: totalOf(together(parts, formerParts), stopsIn(rows)), ...ofThePast };
  }
  if (query.groupBy.includes("operator")) {
    const [known, parts, formerParts, ...operators] = await readWithIds(db, about, [
      knownFrom,
      selectPartSums(db, of(ofAll, present)),
      selectPartSums(db, of(ofAll, former)),
      selectOperatorSums(db, of(query, present)),
      selectOperatorSums(db, of(query, former)),
    ]);
    refuseUnknownTime(asOf, "/query/asOf", known);
    const rows = added(operators.flat(), ["uptimeMs", "downtimeMs", "units", "idealMs", "defectUnits"]);
    return { rows: rows.map(operatorRow), total: totalOf(together(parts, formerParts), null), ...ofThePast };
  }
  const [known, parts, formerParts] = await readWithIds(db, about, [
    knownFrom,
    selectPartSums(db, of(query, present)),
    selectPartSums(db, of(query, former)),
  ]);
  refuseUnknownTime(asOf, "/query/asOf", known);
  const groups = together(parts, formerParts);
  return { rows: groups.map((group) => rowOf(group, null)), total: totalOf(groups, null), ...ofThePast };
}

/** The sums of both sides by group. */
function together(present: readonly { group: SummedGroup }[], former: readonly { group: SummedGroup }[]): SummedGroup[] {
  const groups = present.map(({ group }) => group);
  if (former.length === 0) return groups;
  const known = new Map(groups.map((group) => [idOf(group.i, group.keys), group]));
  for (const { group } of former) {
    const same = known.get(idOf(group.i, group.keys));
    if (same) addSums(same.sums, group.sums);
    else groups.push(group);
  }
  return groups;
}

/** Adds the numbers of rows of the same group. */
function added<Name extends string, Row extends Keys & { i: number } & Record<Name, number>>(
  rows: readonly Row[],
  names: readonly Name[],
): Row[] {
  const known = new Map<string, Row>();
  for (const row of rows) {
    const id = idOf(row.i, row);
    const same = known.get(id);
    if (!same) known.set(id, { ...row });
    else for (const name of names) (same as Record<Name, number>)[name] += row[name];
  }
  return [...known.values()];
}

function causeRow({ i, ...cause }: CauseRow): GroupRow {
  return { i, keys: keysOf(cause), figures: causeFigures(cause) };
}

function operatorRow({ i, ...operator }: OperatorRow): GroupRow {
  return { i, keys: keysOf(operator), figures: operatorFigures(operator) };
}

function stopsIn(causes: readonly CauseRow[]): number {
  return causes.reduce((count, { stopCount }) => count + stopCount, 0);
}

/** The company of a filter and the ids that the filter names, for `readWithIds`. */
export function aboutFilter({ companyId, machineIds, lineIds, shiftIds, skuIds, workOrderIds, operatorIds }: PartFilter) {
  return { companyId, named: { machineIds, lineIds, shiftIds, skuIds, workOrderIds, operatorIds } };
}

/** Local midnight at the start of the last `days` days, including the day of the instant. */
export function startOfDays(timezone: string, end: number, days: number): number {
  return localToUtc(timezone, localDay(timezone, end - 1) - (days - 1), 0);
}

function refuseWithOperators(groupBy: GroupBy, { skuIds, workOrderIds }: Pick<SummaryQuery, "skuIds" | "workOrderIds">): void {
  if (!groupBy.includes("operator")) return;
  const message = "cannot select what operators did, because their numbers are kept per machine and shift";
  const errors = Object.entries({ skuIds, workOrderIds }).flatMap(([name, ids]): Fault[] =>
    ids ? [{ pointer: `/query/${name}`, code: "not_supported", message }] : [],
  );
  if (errors.length > 0) throw invalid(errors);
}

function refuseReasonsAsOf(groupBy: GroupBy, asOf: number | undefined): void {
  if (asOf === undefined || !groupBy.includes("defectReason")) return;
  const message = "is not supported with the group defectReason: what corrections said is not kept as it was";
  throw invalid([{ pointer: "/query/asOf", code: "not_supported", message }]);
}

function tooManyGroups() {
  const message = `gives more than ${MAX_GROUPS.toLocaleString("en")} rows: narrow \`from\` and \`to\`, select machines, or take coarser groups`;
  return invalid([{ pointer: "/query/groupBy", code: "too_many_groups", message }]);
}

/** The sums of groups, including the time since the last parts of running shifts were written. */
export function summed(
  rows: readonly { group: SummedGroup }[],
  open: readonly OpenPart[],
  buckets: ReportBuckets,
  timezone: string,
  now: number,
): SummedGroup[] {
  // Each row is its own group. Groups are only looked up for the open parts that are added to them.
  const groups = rows.map(({ group }) => group);
  const extensions = extensionsOf(open, buckets, timezone, now);
  if (extensions.length === 0) return groups;
  const known = new Map(groups.map((group) => [idOf(group.i, group.keys), group]));
  for (const { part, i, sums } of extensions) {
    const id = idOf(i, part);
    const group = known.get(id) ?? { i, keys: keysOf(part), sums: { ...noSums } };
    known.set(id, group);
    addSums(group.sums, sums);
  }
  return [...known.values()];
}

/** A key for a bucket and its keys. NUL separates them because stored texts do not contain it. */
function idOf(i: number, { machineId, lineId, shiftId, skuId, workOrderId, ...of }: Keys): string {
  const { operatorId, generalCauseId, specificCauseId } = of;
  return `${i}\0${machineId}\0${lineId}\0${shiftId}\0${skuId}\0${workOrderId}\0${operatorId}\0${generalCauseId}\0${specificCauseId}`;
}

/** The rows of groups with what was produced outside shifts, including groups that have nothing else. */
function rowsWithOutside(groups: readonly SummedGroup[], outside: readonly OutsideRow[]): GroupRow[] {
  const left = new Map(outside.map((one) => [idOf(one.i, one), one]));
  const rows = groups.map((group) => {
    const id = idOf(group.i, group.keys);
    const units = left.get(id)?.units ?? 0;
    left.delete(id);
    return rowOf(group, units);
  });
  const others = [...left.values()].map((one) => rowOf({ i: one.i, keys: keysOf(one), sums: noSums }, one.units));
  return [...rows, ...others];
}

/** @param outside the good units outside shifts; null: they cannot be divided by the groups */
function rowOf({ i, keys, sums }: Readonly<SummedGroup>, outside: number | null): GroupRow {
  const producedOutsideShifts = outside === null ? null : roundUnits(outside);
  return { i, keys, figures: { ...figuresOf(sums), producedOutsideShifts, stopCount: null } };
}

function sumOf(groups: readonly SummedGroup[]): Sums {
  const total = { ...noSums };
  for (const { sums } of groups) addSums(total, sums);
  return total;
}

/** Copies the keys one by one: for thousands of rows, a generic loop takes ten times as long. */
function keysOf(row: Keys): Keys {
  return {
    machineId: row.machineId,
    machineName: row.machineName,
    lineId: row.lineId,
    lineName: row.lineName,
    shiftId: row.shiftId,
    shiftName: row.shiftName,
    skuId: row.skuId,
    skuName: row.skuName,
    workOrderId: row.workOrderId,
    workOrderCode: row.workOrderCode,
    workOrderName: row.workOrderName,
    operatorId: row.operatorId,
    operatorName: row.operatorName,
    generalCauseId: row.generalCauseId,
    generalCauseName: row.generalCauseName,
    specificCauseId: row.specificCauseId,
    specificCauseName: row.specificCauseName,
    reasonId: row.reasonId,
    reasonName: row.reasonName,
  };
}

const noFigures = Object.fromEntries(
  [...Object.keys(figuresOf(noSums)), "producedOutsideShifts", "stopCount"].map((name) => [name, null]),
) as unknown as RowFigures;

/** Stopped time has no units and no available time. */
function causeFigures({ stopCount, programmedMs, nonProgrammedMs, otherMs, annotatedMs }: Omit<CauseRow, "i">): RowFigures {
  const unavailableMs = programmedMs + nonProgrammedMs;
  return {
    ...noFigures,
    stopCount,
    unavailableTime: toMinutes(unavailableMs),
    programmedDowntime: toMinutes(programmedMs),
    nonProgrammedDowntime: toMinutes(nonProgrammedMs),
    otherStopsTime: toMinutes(otherMs),
    annotatedDowntime: toMinutes(annotatedMs),
    stopTime: toMinutes(unavailableMs + otherMs),
  };
}

/** Times and units are the operator's own; the standard time and the defects of the units are those of the machine's shift, by share of the units. */
function operatorFigures({ uptimeMs, downtimeMs, units, idealMs, defectUnits }: Omit<OperatorRow, "i">): RowFigures {
  const times = { availableMs: uptimeMs, programmedMs: 0, nonProgrammedMs: downtimeMs };
  const factors = factorsOf(times, { idealMs, totalUnits: units, defectUnits });
  return {
    ...noFigures,
    availableTime: toMinutes(uptimeMs),
    unavailableTime: toMinutes(downtimeMs),
    idealTime: toMinutes(idealMs),
    total: roundUnits(units),
    defects: roundUnits(defectUnits),
    correct: roundUnits(units - defectUnits),
    availability: toPercent(factors.availability),
    effectiveness: toPercent(factors.effectiveness),
    quality: toPercent(factors.quality),
    oee: toPercent(factors.oee),
  };
}

/** Corrections say why units were rejected. */
function reasonRow({ i, defects, ...reason }: ReasonRow): GroupRow {
  return { i, keys: keysOf(reason), figures: { ...noFigures, defects: roundUnits(defects) } };
}

/** Adds empty rows, so that there is a row for each bucket in the range. */
function withEmpty(rows: readonly GroupRow[], { list, range }: ReportBuckets, hasOutside: boolean): GroupRow[] {
  const byBucket = new Map(rows.map((row) => [row.i, row]));
  return list.flatMap(({ x, xEnd }, i) => {
    const isInRange = x < range.end && xEnd > range.start;
    const empty = isInRange ? rowOf({ i, keys: noKeys, sums: noSums }, hasOutside ? 0 : null) : [];
    return byBucket.get(i) ?? empty;
  });
}

const compareNames = new Intl.Collator("en", { numeric: true }).compare;

/** Sorts rows by their groups: times ascending, others by name, rows without a name last. */
function inOrder(rows: readonly GroupRow[], groupBy: GroupBy): GroupRow[] {
  const comparers = groupBy.map((group): ((a: GroupRow, b: GroupRow) => number) => {
    if ((timeGroups as GroupBy).includes(group)) return (a, b) => a.i - b.i;
    if (group === "cause") return byNames("generalCauseName", "specificCauseName");
    // A Pareto: the greatest first.
    if (group === "defectReason") return (a, b) => (b.figures.defects ?? 0) - (a.figures.defects ?? 0);
    if (group === "order") return byNames("workOrderCode");
    return byNames(`${group as "machine" | "line" | "shift" | "sku" | "operator"}Name`);
  });
  return rows.toSorted((a, b) => firstOther(comparers.map((compare) => compare(a, b))));
}

function byNames(...names: (keyof Keys)[]): (a: GroupRow, b: GroupRow) => number {
  return (a, b) =>
    firstOther(
      names.map((name) => {
        const [one, other] = [a.keys[name], b.keys[name]];
        if (one === null || other === null) return Number(one === null) - Number(other === null);
        return compareNames(String(one), String(other));
      }),
    );
}

function firstOther(orders: readonly number[]): number {
  return orders.find((order) => order !== 0) ?? 0;
}

/** Whether a range has only a part of what counts in a bucket. Hours beyond a range are those of its production days. */
function isCut({ x, xEnd }: ChartBucket, { start, end }: Interval, time: TimeGroup | undefined): boolean {
  if (time !== "hour") return x < start || end < xEnd;
  return (x < start && start < xEnd) || (x < end && end < xEnd);
}

/** The groups of a row. */
function groupsOf(keys: Keys, bucket: ChartBucket | undefined, range: Interval, time: TimeGroup | undefined) {
  const ref = <T>(id: T | null, name: string | null) => (id === null ? null : { id, name: name ?? "" });
  return {
    start: bucket ? isoOf(bucket.x) : null,
    end: bucket ? isoOf(bucket.xEnd) : null,
    isPartial: bucket ? isCut(bucket, range, time) : false,
    machine: ref(keys.machineId, keys.machineName),
    line: ref(keys.lineId, keys.lineName),
    shift: ref(keys.shiftId, keys.shiftName),
    sku: ref(keys.skuId, keys.skuName),
    workOrder:
      keys.workOrderId === null ? null : { id: keys.workOrderId, code: keys.workOrderCode ?? "", name: keys.workOrderName ?? "" },
    operator: ref(keys.operatorId, keys.operatorName),
    generalCause: ref(keys.generalCauseId, keys.generalCauseName),
    specificCause: ref(keys.specificCauseId, keys.specificCauseName),
    defectReason: ref(keys.reasonId, keys.reasonName),
  };
}
