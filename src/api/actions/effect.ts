import type { Reader } from "../../core/caller.ts";
import type { LossKind } from "../../db/values.ts";
import { DAY_MS, type Interval, isoOf } from "../../oee/time.ts";
import { type RowFigures, summarize } from "../reports/summary/summary.ts";
import type { ActionRow } from "./queries.ts";

const WEEK_MS = 7 * DAY_MS;
/** The most weeks since an action that are summed, and that are listed. */
const MOST_WEEKS = 26;
const MOST_LISTED = 30;
const WEEKS_BEFORE = 4;

/** What is lost, and where. */
export interface Lost {
  companyId: number;
  loss: LossKind;
  generalCauseId: number | null;
  specificCauseId: number | null;
  machineId: number | null;
  lineId: number | null;
}

interface Minutes {
  minutes: number;
  plannedMinutes: number;
}

type Row = Awaited<ReturnType<typeof summarize>>["data"][number];

const twoDecimals = (minutes: number) => Math.round(minutes * 100) / 100;

function selectionOf({ companyId, machineId, lineId }: Lost) {
  return { companyId, ...(machineId !== null && { machineIds: [machineId] }), ...(lineId !== null && { lineIds: [lineId] }) };
}

function isOfCause(lost: Lost): boolean {
  return lost.loss === "cause" || lost.loss === "unclassified";
}

/** The minutes of a loss in a row that is not by cause. */
function minutesIn(loss: LossKind, figures: RowFigures): number {
  if (loss === "speed") return figures.minutesLostByLowSpeed ?? 0;
  return (loss === "quality" ? figures.minutesLostByLowQuality : figures.noDataTime) ?? 0;
}

/** The minutes of a loss in the rows by cause of the same time. */
function minutesOfCause({ loss, generalCauseId, specificCauseId }: Lost, rows: readonly Row[]): number {
  const own = rows.filter(({ generalCause, specificCause }) => {
    return (generalCause?.id ?? null) === generalCauseId && (specificCause?.id ?? null) === specificCauseId;
  });
  const minutes = own.map((row) => (loss === "unclassified" ? row.nonProgrammedDowntime : row.unavailableTime) ?? 0);
  return twoDecimals(minutes.reduce((sum, one) => sum + one, 0));
}

function plannedIn({ availableTime, unavailableTime, noDataTime }: RowFigures): number {
  return twoDecimals((availableTime ?? 0) + (unavailableTime ?? 0) + (noDataTime ?? 0));
}

/** The minutes of a loss in an interval, and the planned minutes, as in the reports. */
export async function minutesOf(reader: Reader, lost: Lost, { start, end }: Interval): Promise<Minutes> {
  const groupBy = isOfCause(lost) ? (["cause"] as const) : (["machine"] as const);
  const { total, data } = await summarize(reader, { groupBy: [...groupBy], from: start, to: end, ...selectionOf(lost) });
  const minutes = isOfCause(lost) ? minutesOfCause(lost, data) : minutesIn(lost.loss, total);
  return { minutes, plannedMinutes: plannedIn(total) };
}

/** The minutes of an action's loss: before it, since, and week by week. */
export async function effectOf(reader: Reader, row: ActionRow, now: number) {
  const begun = row.state === "dropped" ? null : row.state === "done" ? row.endedAt : row.createdAt;
  const since = begun === null || begun >= now ? null : { start: begun, end: Math.min(now, begun + MOST_WEEKS * WEEK_MS) };
  const listed = { start: Math.max(row.seenFrom - WEEKS_BEFORE * WEEK_MS, now - (MOST_LISTED - 1) * WEEK_MS), end: now };
  const [after, weeks] = await Promise.all([since && minutesOf(reader, row, since), weeksOf(reader, row, listed)]);
  return {
    before: lostIn(
      { start: row.seenFrom, end: row.seenTo },
      { minutes: row.seenMinutes, plannedMinutes: row.seenPlannedMinutes },
    ),
    since: since && after && lostIn(since, after),
    weeks,
  };
}

function lostIn({ start, end }: Interval, { minutes, plannedMinutes }: Minutes) {
  const share = plannedMinutes > 0 ? twoDecimals((100 * minutes) / plannedMinutes) : null;
  return { from: isoOf(start), to: isoOf(end), minutes, plannedMinutes, share };
}

async function weeksOf(reader: Reader, lost: Lost, { start, end }: Interval) {
  const range = { from: start, to: end, ...selectionOf(lost) };
  const [all, byCause] = await Promise.all([
    summarize(reader, { groupBy: ["week"], ...range }),
    isOfCause(lost) ? summarize(reader, { groupBy: ["cause", "week"], ...range }) : null,
  ]);
  return all.data.flatMap((week) => {
    if (week.start === null || week.end === null) return [];
    const ofWeek = byCause?.data.filter((row) => row.start === week.start);
    const minutes = ofWeek ? minutesOfCause(lost, ofWeek) : minutesIn(lost.loss, week);
    return [{ start: week.start, end: week.end, isPartial: week.isPartial, minutes, plannedMinutes: plannedIn(week) }];
  });
}
