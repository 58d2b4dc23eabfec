import { companyOf } from "../../core/actor.ts";
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
    keysOf: ({ at, id }) => [at, id],
    itemOf: ({ at, ...row }) => ({ ...row, time: isoOf(at) }),
  });
}
