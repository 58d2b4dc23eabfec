import { companyOf } from "../../../core/actor.ts";
import type { Reader } from "../../../core/caller.ts";
import { readPage } from "../../../core/cursor.ts";
import { checkOfIds } from "../../../core/named-ids.ts";
import { notFound } from "../../../core/problem.ts";
import { ShortCache } from "../../../core/short-cache.ts";
import { rangeOfList } from "../../reports/list-range.ts";
import { operatorShiftOf } from "./operator-shift.ts";
import { findCompanyOf, hasRecord, selectOperatorsOf, selectShiftsOf } from "./queries.ts";
import type { OperatorShiftsQuery, RecordOperatorsQuery } from "./query.ts";

// Cached as the calendars of companies are: a page that `from` or `to` limits takes one trip.
const companiesOf = new ShortCache<number>(30_000, 5_000);

/** The company of an operator, which never changes; undefined: there is no such operator. */
async function ownerOf(db: Reader["db"], id: number): Promise<number | undefined> {
  const known = companiesOf.get(String(id))?.value;
  if (known !== undefined) return known;
  const readAt = Date.now();
  const found = await findCompanyOf(db, id, undefined);
  if (found !== undefined) companiesOf.set(String(id), found, readAt);
  return found;
}

/** A page of the shifts that an operator worked. */
export async function listOperatorShifts({ db, actor }: Reader, id: number, query: OperatorShiftsQuery) {
  const now = Date.now();
  const companyId = companyOf(actor);
  const isRange = query.from !== undefined || query.to !== undefined;
  const owner = isRange ? (companyId ?? (await ownerOf(db, id))) : undefined;
  const range = owner === undefined ? null : await rangeOfList(db, owner, query);
  const page = await readPage(db, query, {
    select: (asked) => selectShiftsOf(db, id, companyId, range, asked),
    keysOf: (row) => [row.shiftStart, row.machineId],
    itemOf: (row) => operatorShiftOf(row, now),
    check: checkOfIds(db, companyId, { machineIds: query.machineIds }),
  });
  // A second trip only for an empty page.
  if (page.data.length === 0 && (await findCompanyOf(db, id, companyId)) === undefined)
    throw notFound(`There is no operator ${id}.`);
  return page;
}

/** A page of the operators of a shift record. */
export async function listRecordOperators({ db, actor }: Reader, id: number, query: RecordOperatorsQuery) {
  const now = Date.now();
  const companyId = companyOf(actor);
  const page = await readPage(db, query, {
    select: (asked) => selectOperatorsOf(db, id, companyId, asked),
    keysOf: (row) => [row.operatorId],
    itemOf: (row) => operatorShiftOf(row, now),
  });
  // A second trip only for an empty page.
  if (page.data.length === 0 && !(await hasRecord(db, id, companyId))) throw notFound(`There is no shift record ${id}.`);
  return page;
}
