import { companyOf } from "../../core/actor.ts";
import type { Reader } from "../../core/caller.ts";
import { readPage } from "../../core/cursor.ts";
import { checkOfIds } from "../../core/named-ids.ts";
import { noStop } from "./edits.ts";
import { findStop, selectChangesOf, selectStopsInOrder } from "./queries.ts";
import type { StopQuery } from "./query.ts";
import { slicedStopOf, stopOf } from "./stop.ts";
import { type ChangesQuery, stopChangeOf } from "./stop-change.ts";

/** A stop with its parts in shifts, as of now. */
export async function getStop({ db, actor }: Reader, id: number) {
  const shown = slicedStopOf(await findStop(db, id, companyOf(actor)), Date.now());
  if (!shown) throw noStop(id);
  return shown;
}

/** A page of stops, one item per shift that they touch. */
export function listStops({ db, actor }: Reader, query: StopQuery) {
  const now = Date.now();
  const companyId = companyOf(actor, query.companyId);
  const { machineIds, shiftIds, generalCauseIds, specificCauseIds, componentIds } = query;
  const named = { machineIds, shiftIds, generalCauseIds, specificCauseIds, componentIds };
  return readPage(db, query, {
    select: (page) => selectStopsInOrder(db, { ...page, companyId }, now),
    keysOf: (row) => [row.sliceStart, row.id],
    itemOf: (row) => stopOf(row, row.scheduledMs, now),
    check: checkOfIds(db, companyId, named),
  });
}

/** A page of what people did to a stop. */
export async function listStopChanges({ db, actor }: Reader, id: number, query: ChangesQuery) {
  const companyId = companyOf(actor);
  const page = await readPage(db, query, {
    select: (asked) => selectChangesOf(db, id, companyId, asked),
    keysOf: (row) => [row.at, row.nr],
    itemOf: stopChangeOf,
  });
  // A second trip only for an empty page.
  if (page.data.length === 0 && (await findStop(db, id, companyId)).length === 0) throw noStop(id);
  return page;
}
