import { oneCompanyOf } from "../../../core/actor.ts";
import type { ArchivedDay } from "../../../core/archive/queries.ts";
import type { Caller } from "../../../core/caller.ts";
import { configOf } from "../../../core/config.ts";
import { encodeKeys, readPage } from "../../../core/cursor.ts";
import { checkOfIds } from "../../../core/named-ids.ts";
import { invalid } from "../../../core/problem.ts";
import { envelopeOf } from "../../../events/envelope.ts";
import { withNames } from "../../../events/names.ts";
import { eventOf } from "../../../events/stored.ts";
import { isInArchive, readArchivedEvents, refusalOfAfter, selectNewestPart } from "./archived-events.ts";
import { selectEvents, selectPlace } from "./queries.ts";
import type { EventQuery } from "./query.ts";

/**
 * A page of the events of a company. Sorted by `-seq`, the list continues in the archive after the oldest event in the database. Sorted by `seq`, it begins
 * with the oldest event in the database, or in the archive if `from` is there. A second trip reads the names in the events, or the archive.
 * @param isFile whether the page is for a file, which leaves the archive out
 */
export async function listEvents({ db, actor, env }: Pick<Caller, "db" | "actor" | "env">, query: EventQuery, isFile: boolean) {
  const companyId = oneCompanyOf(actor, query.companyId);
  const { machineIds, lineIds, cursor, sort, after } = query;
  if (cursor && cursor[0] !== sort) {
    throw invalid([{ pointer: "/query/cursor", code: "not_allowed", message: `belongs to a list sorted by ${cursor[0]}` }]);
  }
  const [place] = after === undefined ? [] : await selectPlace(db, companyId, after);
  if (after !== undefined && !place) throw await refusalOfAfter(db, companyId, after);
  const mayContinue = place === undefined && !isFile;
  let newest: ArchivedDay | undefined;
  const ofArchive = {
    statement: selectNewestPart(db, companyId, query),
    verify: (parts: unknown) => {
      newest = (parts as ArchivedDay[])[0];
    },
  };
  const { data, ...page } = await readPage(db, query, {
    select: (page) => selectEvents(db, { ...page, companyId }, place?.seq),
    keysOf: ({ seq }) => [sort, seq],
    itemOf: eventOf,
    check: [checkOfIds(db, companyId, { machineIds, lineIds }) ?? [], mayContinue ? ofArchive : []].flat(),
  });
  const last = data.at(-1);
  const isEnd = page.cursor === null;
  if (newest && (sort === "seq" ? isInArchive(query, newest) : isEnd && !last)) {
    return { ...page, ...(await readArchivedEvents(env, db, companyId, query)) };
  }
  const named = await withNames(db, data);
  const continues = newest && isEnd && sort === "-seq" && last;
  return {
    data: named.map((one) => envelopeOf(one, configOf(env).PUBLIC_URL)),
    ...page,
    // The next page begins with the newest event in the archive.
    ...(continues && { cursor: encodeKeys([sort, last.seq]) }),
  };
}
