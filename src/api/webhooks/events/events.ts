import { companyOf } from "../../../core/actor.ts";
import type { Caller } from "../../../core/caller.ts";
import { configOf } from "../../../core/config.ts";
import { readPage } from "../../../core/cursor.ts";
import { checkOfIds } from "../../../core/named-ids.ts";
import { invalid } from "../../../core/problem.ts";
import { envelopeOf } from "../../../events/envelope.ts";
import { withNames } from "../../../events/names.ts";
import { eventOf } from "../../../events/stored.ts";
import { selectEvents, selectPlace } from "./queries.ts";
import type { EventQuery } from "./query.ts";

/** A page of the events of a company. A second trip reads the names in them. */
export async function listEvents({ db, actor, env }: Pick<Caller, "db" | "actor" | "env">, query: EventQuery) {
  const companyId = companyOf(actor, query.companyId, actor.companyId);
  const { machineIds, lineIds, cursor, sort, after } = query;
  if (cursor && cursor[0] !== sort) {
    throw invalid([{ pointer: "/query/cursor", code: "not_allowed", message: `belongs to a list sorted by ${cursor[0]}` }]);
  }
  const [place] = after === undefined ? [] : await selectPlace(db, companyId, after);
  if (after !== undefined && !place) {
    throw invalid([
      {
        pointer: "/query/after",
        code: "not_found",
        message: "is not the id of an event of this company, or the event is no longer kept",
      },
    ]);
  }
  const { data, ...page } = await readPage(db, query, {
    select: (page) => selectEvents(db, { ...page, companyId }, place?.seq),
    keysOf: ({ seq }) => [sort, seq],
    itemOf: eventOf,
    check: checkOfIds(db, companyId, { machineIds, lineIds }),
  });
  const named = await withNames(db, data);
  return { data: named.map((one) => envelopeOf(one, configOf(env).PUBLIC_URL)), ...page };
}
