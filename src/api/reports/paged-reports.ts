import type { Reader } from "../../core/caller.ts";
import { findShiftRecords, findStops } from "./queries.ts";
import { pagingOf, type ReportFilter, type StopFilter } from "./report.ts";
import { shiftItemOf } from "./shift-item.ts";
import { stopItemOf } from "./stop-item.ts";

/** A page of shifts of any company. */
export async function getMetricReport({ db }: Reader, filter: ReportFilter) {
  const { totalCount, records } = await findShiftRecords(db, filter);
  const now = Date.now();
  return { ...pagingOf(totalCount, filter), metrics: records.map((record) => shiftItemOf(record, now)) };
}

/** A page of stops of any company, one item per shift that they touch. */
export async function getStopReport({ db }: Reader, filter: StopFilter) {
  const now = Date.now();
  const { totalCount, slices } = await findStops(db, filter, now);
  return { ...pagingOf(totalCount, filter), stops: slices.map((slice) => stopItemOf(slice, now)) };
}
