import { companyOf } from "../../core/actor.ts";
import type { Caller } from "../../core/caller.ts";
import { type ListCheck, pageOf, totalOf } from "../../core/cursor.ts";
import { invalid, refusal } from "../../core/problem.ts";
import type { Batch, BatchResponse } from "../../core/write.ts";
import type { Db } from "../../db/client.ts";
import { findShiftRecordsInOrder, findStopsInOrder, mostSorted, selectUnknown, type UnknownId } from "./queries.ts";
import { type NamedIds, orderOf, type ShiftRecordQuery, type StopRecordQuery } from "./record-query.ts";
import { shiftItemOf } from "./shift-item.ts";
import { stopRecordItemOf } from "./stop-item.ts";

/** A page of a company's shift records. All pages of a list are as of the instant of the first one. */
export async function listShiftRecords({ db, actor }: Caller, query: ShiftRecordQuery) {
  const { machineIds, lineIds, shiftIds, skuIds, workOrderIds, operatorIds } = query;
  const named = { machineIds, lineIds, shiftIds, skuIds, workOrderIds, operatorIds };
  const [, now = Date.now(), ...after] = query.cursor ?? [];
  const sort = orderOf(query.sort);
  const listing = { ...aboutCompany(actor, query, named), now, sort, after: query.cursor && after };
  const { records, count, unknown } = await findShiftRecordsInOrder(db, query, listing);
  refuseUnknown(unknown);
  if (sort.by !== "start") refuseTooMany(count);
  const page = pageOf(
    records,
    query.limit,
    ({ sort_value, id }) => [query.sort, now, sort_value, id],
    (record) => ({ ...shiftItemOf(record, now), line: record.line }),
  );
  return { ...page, ...(query.total && { total: totalOf(count) }) };
}

/** A page of a company's stops, one item per shift that they touch. All pages of a list are as of the instant of the first one. */
export async function listStopRecords({ db, actor }: Caller, query: StopRecordQuery) {
  const { machineIds, lineIds, shiftIds, generalCauseIds, specificCauseIds, componentIds } = query;
  const named = { machineIds, lineIds, shiftIds, generalCauseIds, specificCauseIds, componentIds };
  const [, now = Date.now(), ...after] = query.cursor ?? [];
  const sort = orderOf(query.sort);
  const listing = { ...aboutCompany(actor, query, named), now, sort, after: query.cursor && after };
  const { slices, count, unknown } = await findStopsInOrder(db, query, listing);
  refuseUnknown(unknown);
  if (sort.by !== "start") refuseTooMany(count);
  const page = pageOf(
    slices,
    query.limit,
    ({ sort_value, id, sliceStart }) => [query.sort, now, sort_value, id, ...(sort.by === "start" ? [] : [sliceStart])],
    (slice) => ({ ...stopRecordItemOf(slice, now), line: slice.line }),
  );
  return { ...page, ...(query.total && { total: totalOf(count) }) };
}

/**
 * The company of a report, and the ids that must belong to it. Superusers may name a company, which is then looked up like other ids.
 * @throws Problem 404 if any other caller names a company that is not their own
 */
export function aboutCompany(actor: Caller["actor"], query: { companyId?: number | undefined }, named: NamedIds) {
  const companyId = companyOf(actor, query.companyId, actor.companyId) ?? actor.companyId;
  return { companyId, named: { ...named, ...(companyId !== actor.companyId && { companyId: [companyId] }) } };
}

/** Throws 404 for an unknown id, so that it does not look like an empty result. */
export function refuseUnknown(unknown: UnknownId | null): void {
  if (!unknown) return;
  const message = unknown.member === "companyId" ? "is not the id of a company" : `is not one of the company's: ${unknown.id}`;
  throw refusal(404, [{ pointer: `/query/${unknown.member}`, code: "not_found", message }]);
}

/** A check for `readPage` that refuses a list whose query names ids that do not exist in the company (undefined: in any). */
export function checkOfIds(db: Db, companyId: number | undefined, named: NamedIds): ListCheck | null {
  const statement = selectUnknown(db, companyId, named);
  if (!statement) return null;
  return { statement, judge: (rows) => refuseUnknown((rows as Awaited<typeof statement>)[0]?.unknown ?? null) };
}

/**
 * Reads statements in one trip, together with a check that all ids in the request belong to the company.
 * @throws Problem 404 if one does not
 */
export async function readWithIds<Q extends Batch>(
  db: Db,
  { companyId, named }: { companyId: number; named: NamedIds },
  statements: Q,
): Promise<BatchResponse<Q>> {
  const unknown = selectUnknown(db, companyId, named);
  if (!unknown) return await db.batch(statements);
  const [[found], ...results] = await db.batch([unknown, ...statements]);
  refuseUnknown(found?.unknown ?? null);
  return results as unknown as BatchResponse<Q>;
}

function refuseTooMany(count: number): void {
  if (count <= mostSorted) return;
  const message = `more than ${mostSorted} rows match: narrow the time or filter by more, or sort by \`start\``;
  throw invalid([{ pointer: "/query/from", code: "too_many", message }]);
}
