import { companyOf } from "../../../core/actor.ts";
import type { Reader } from "../../../core/caller.ts";
import { readPage } from "../../../core/cursor.ts";
import { checkOfIds } from "../../../core/named-ids.ts";
import { orphanedEditOf } from "./orphaned-edit.ts";
import { selectOrphanedEditsInOrder } from "./queries.ts";
import type { OrphanedEditsQuery } from "./query.ts";

/** A page of what people said of stops, of which nothing counts any more. Machines publish it. */
export function listOrphanedEdits({ db, actor }: Reader, query: OrphanedEditsQuery) {
  const companyId = companyOf(actor, query.companyId, actor.companyId);
  return readPage(db, query, {
    select: (page) => selectOrphanedEditsInOrder(db, { ...page, companyId }),
    keysOf: ({ startAt, id }) => [startAt, id],
    itemOf: orphanedEditOf,
    check: checkOfIds(db, companyId, { machineIds: query.machineIds }),
  });
}
