import { companyOf } from "../../core/actor.ts";
import { entryId, kindOf, shownChanges } from "../../core/audit-entries.ts";
import type { Reader } from "../../core/caller.ts";
import { readPage } from "../../core/cursor.ts";
import { isoOf } from "../../oee/time.ts";
import { selectEntries } from "./queries.ts";
import type { AuditQuery } from "./query.ts";

/** A page of audit entries. */
export function listAudit({ db, actor }: Reader, query: AuditQuery) {
  const companyId = companyOf(actor, query.companyId, actor.companyId);
  return readPage(db, query, {
    select: (page) => selectEntries(db, { ...page, companyId }),
    keysOf: ({ at, nr }) => [at, nr],
    itemOf: ({ at, nr, kind: _, form, changes, ...row }) => ({
      ...{ id: entryId({ at, nr }), time: isoOf(at), ...row, objectType: kindOf(row.action) },
      ...shownChanges({ form, changes }),
    }),
  });
}
