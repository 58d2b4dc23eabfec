import { companyOf } from "../../../core/actor.ts";
import type { Reader } from "../../../core/caller.ts";
import { readPage } from "../../../core/cursor.ts";
import { notFound } from "../../../core/problem.ts";
import { selectRecord, selectRevisions } from "./queries.ts";
import type { RevisionsQuery } from "./query.ts";
import { shiftRevisionOf } from "./revision.ts";

/** A page of the revisions of a shift record, newest first. */
export async function listShiftRevisions({ db, actor }: Reader, id: number, query: RevisionsQuery) {
  const companyId = companyOf(actor);
  return await readPage(db, query, {
    select: (asked) => selectRevisions(db, id, companyId, asked),
    keysOf: ({ n }) => [n],
    itemOf: shiftRevisionOf,
    hasLargeRows: true,
    check: {
      statement: selectRecord(db, id, companyId),
      verify: (found) => {
        if ((found as unknown[]).length === 0) throw notFound(`There is no shift record ${id}.`);
      },
    },
  });
}
