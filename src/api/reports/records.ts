import type { Caller, Reader } from "../../core/caller.ts";
import { pageOf, totalOf } from "../../core/cursor.ts";
import { aboutCompany, refuseUnknown } from "../../core/named-ids.ts";
import { invalid } from "../../core/problem.ts";
import { rangeOfList } from "./list-range.ts";
import { findShiftRecordsInOrder, findStopsInOrder, mostSorted } from "./queries.ts";
import { listKey, orderOf, type ShiftRecordQuery, type StopRecordQuery } from "./record-query.ts";
import { shiftItemOf } from "./shift-item.ts";
import { stopRecordItemOf } from "./stop-item.ts";

/** A page of a company's shift records. All pages of a list are as of the instant of the first one. */
export async function listShiftRecords({ db, actor }: Caller, query: ShiftRecordQuery) {
  const { machineIds, lineIds, shiftIds, skuIds, workOrderIds, operatorIds } = query;
  const named = { machineIds, lineIds, shiftIds, skuIds, workOrderIds, operatorIds };
  const [, now = query.asOf ?? Date.now(), ...after] = query.cursor ?? [];
  const sort = orderOf(query.sort);
  const about = aboutCompany(actor, query, named);
  const range = await rangeOfList(db, about.companyId, query);
  const listing = { ...about, now, range, sort, after: query.cursor && after };
  const { records, count, unknown } = await findShiftRecordsInOrder(db, query, listing);
  refuseUnknown(unknown);
  if (sort.by !== "start") refuseTooMany(count);
  const page = pageOf(
    records,
    query.limit,
    ({ sort_value, id }) => [listKey(query.sort, query.asOf), now, sort_value, id],
    (record) => {
      const { line, isRecalculating, revision_count: revisionCount } = record;
      return { ...shiftItemOf(record, now), line, isRecalculating, corrected: correctedOf(record), revisionCount };
    },
  );
  return { ...page, ...(query.total && { total: totalOf(count) }) };
}

/** A page of a company's stops, one item per shift that they touch. All pages of a list are as of the instant of the first one. */
export async function listStopRecords({ db, actor }: Reader, query: StopRecordQuery) {
  const { machineIds, lineIds, shiftIds, generalCauseIds, specificCauseIds, componentIds } = query;
  const named = { machineIds, lineIds, shiftIds, generalCauseIds, specificCauseIds, componentIds };
  const [, now = Date.now(), ...after] = query.cursor ?? [];
  const sort = orderOf(query.sort);
  const about = aboutCompany(actor, query, named);
  const range = await rangeOfList(db, about.companyId, query);
  const listing = { ...about, now, range, sort, after: query.cursor && after };
  const { slices, count, unknown } = await findStopsInOrder(db, query, listing);
  refuseUnknown(unknown);
  if (sort.by !== "start") refuseTooMany(count);
  const page = pageOf(
    slices,
    query.limit,
    ({ sort_value, id, sliceStart }) => [query.sort, now, sort_value, id, ...(sort.by === "start" ? [] : [sliceStart])],
    (slice) => ({ ...stopRecordItemOf(slice, now), line: slice.line, isRecalculating: slice.isRecalculating }),
  );
  return { ...page, ...(query.total && { total: totalOf(count) }) };
}

function correctedOf({ correctedTotal, correctedDefects }: { correctedTotal: number | null; correctedDefects: number | null }) {
  if (correctedTotal === null && correctedDefects === null) return null;
  return { total: correctedTotal ?? 0, defects: correctedDefects ?? 0 };
}

function refuseTooMany(count: number): void {
  if (count <= mostSorted) return;
  const message = `more than ${mostSorted} rows match: narrow the time or filter by more, or sort by \`start\``;
  throw invalid([{ pointer: "/query/from", code: "too_many", message }]);
}
