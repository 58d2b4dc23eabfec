import type { Reader } from "../../core/caller.ts";
import { findShiftRecords, findStops } from "./queries.ts";
import { pagingOf, type ReportFilter, type StopFilter } from "./report.ts";
import { shiftItemOf } from "./shift-item.ts";
import { stopItemOf } from "./stop-item.ts";

/** A page of shifts of any company. */
export async function getMetricReport({ db }: Reader, filter: ReportFilter) {
  const { totalCount, records } = await findShiftRecords(db, filter);
  const now = filter.asOf ?? Date.now();
  const metrics = records.map((record) => shiftItemOf(record, now));
  return { report: { ...pagingOf(totalCount, filter), metrics }, isRecalculating: isAny(records) };
}

/** A page of stops of any company, one item per shift that they touch. */
export async function getStopReport({ db }: Reader, filter: StopFilter) {
  const now = filter.asOf ?? Date.now();
  const { totalCount, slices } = await findStops(db, filter, now);
  const stops = slices.map((slice) => stopItemOf(slice, now));
  return { report: { ...pagingOf(totalCount, filter), stops }, isRecalculating: isAny(slices) };
}

function isAny(rows: readonly { isRecalculating: boolean }[]): boolean {
  return rows.some(({ isRecalculating }) => isRecalculating);
}
