import { companyOf, oneCompanyOf } from "../../core/actor.ts";
import { selectParts } from "../../core/archive/queries.ts";
import { readArchivedPage } from "../../core/archive/read-page.ts";
import { entryId, kindOf, numbersOfId, shownChanges } from "../../core/audit-entries.ts";
import type { Caller } from "../../core/caller.ts";
import { encodeKeys, readPage } from "../../core/cursor.ts";
import { dayStartOf, isoOf } from "../../oee/time.ts";
import { type EntryRow, selectEntries } from "./queries.ts";
import type { AuditQuery } from "./query.ts";

type Entry = ReturnType<typeof entryOf>;

/** An entry as the API shows it. */
export function entryOf({ at, nr, kind: _, form, changes, ...row }: EntryRow) {
  return {
    ...{ id: entryId({ at, nr }), time: isoOf(at), ...row, objectType: kindOf(row.action) },
    ...shownChanges({ form, changes }),
  };
}

/** A page of the audit entries that are in the database. */
export function listStoredAudit({ db, actor }: Pick<Caller, "db" | "actor">, query: AuditQuery) {
  const companyId = companyOf(actor, query.companyId, actor.companyId);
  return readPage(db, query, {
    select: (page) => selectEntries(db, { ...page, companyId }),
    keysOf: ({ at, nr }) => [at, nr],
    itemOf: entryOf,
  });
}

/** A page of audit entries: of those in the database, and then of those in the archive. */
export async function listAudit({ env, db, actor }: Pick<Caller, "env" | "db" | "actor">, query: AuditQuery) {
  const companyId = oneCompanyOf(actor, query.companyId);
  let newestDay: number | undefined;
  const page = await readPage(db, query, {
    select: (page) => selectEntries(db, { ...page, companyId, isAfterArchive: true }),
    keysOf: ({ at, nr }) => [at, nr],
    itemOf: entryOf,
    check: {
      statement: selectParts(
        db,
        { companyId, kind: "audit", from: query.from === undefined ? undefined : dayStartOf(query.from) },
        1,
      ),
      verify: (parts) => {
        newestDay = (parts as { day: number }[])[0]?.day;
      },
    },
  });
  const last = page.data.at(-1);
  if (page.cursor !== null || newestDay === undefined) return page;
  // The next page begins with the newest day in the archive.
  if (last) return { ...page, cursor: encodeKeys(numbersOfId(last.id)) };
  const { cursor, from, to } = query;
  const archived = await readArchivedPage(env, db, query, {
    ...{ companyId, kind: "audit", from, to: cursor ? endOf(cursor) : to },
    select: selectEntries(db, { ...query, companyId }),
    atOf: ({ at }) => at,
    keyedOf: (row) => ({ keys: [row.at, row.nr], item: entryOf(row) }),
    match: (line) => matchOf(line, query),
    keysBefore: (at) => [at, 0],
  });
  return { ...archived, ...(page.total !== undefined && { total: page.total }) };
}

/** The time before which everything after a cursor is: without a number it is the start of a day, of which nothing is left. */
function endOf([at, nr]: readonly [at: number, nr: number]): number {
  return nr === 0 ? at : at + 1;
}

/** The entry in a line of the archive; null if it is not on the page that the query asks for. */
function matchOf(line: string, { userId, apiTokenId, action, objectType, objectId, from, to, cursor }: AuditQuery) {
  const item = JSON.parse(line) as Entry;
  const keys = numbersOfId(item.id);
  const [at, nr] = keys;
  const isGiven = <T>(value: T, wanted: T | undefined) => wanted === undefined || value === wanted;
  const isMatch =
    isGiven(item.userId, userId) &&
    isGiven(item.apiTokenId, apiTokenId) &&
    isGiven(item.action, action) &&
    isGiven(item.objectType, objectType) &&
    isGiven(item.objectId, objectId) &&
    (from === undefined || at >= from) &&
    (to === undefined || at < to) &&
    (cursor === undefined || at < cursor[0] || (at === cursor[0] && nr < cursor[1]));
  return isMatch ? { keys, item } : null;
}
