import { dayText } from "../../../core/archive/parts.ts";
import { type ArchivedDay, type PartRange, selectParts } from "../../../core/archive/queries.ts";
import { type ArchivedPage, MAX_PARTS, readParts } from "../../../core/archive/read-page.ts";
import { configOf } from "../../../core/config.ts";
import { encodeKeys, pageOf } from "../../../core/cursor.ts";
import { invalid, type Problem, refusal } from "../../../core/problem.ts";
import type { CompanyDb } from "../../../db/client.ts";
import { eventTypes } from "../../../db/values.ts";
import { eventInLine } from "../../../events/archived.ts";
import { type Envelope, envelopeOf } from "../../../events/envelope.ts";
import { DAY_MS, dayStartOf } from "../../../oee/time.ts";
import { selectInLines, selectIsMissing } from "./queries.ts";
import type { EventQuery } from "./query.ts";

// The events of a company that are in the archive: all up to the number of the last one there.

/** The statement that reads the newest part of the archive that may have what a query asks for, without its cursor. */
export function selectNewestPart(db: CompanyDb, companyId: number, query: EventQuery) {
  return selectParts(db, rangeOf(companyId, query), 1);
}

/** The parts that may have events of the requested period. */
function rangeOf(companyId: number, { from, to }: EventQuery): PartRange {
  // An event is stored at most 5 minutes before its own time: one that is further ahead is refused.
  const firstDay = from === undefined ? undefined : dayStartOf(from) - DAY_MS;
  return { companyId, kind: "events", from: firstDay, timesFrom: from, timesTo: to };
}

/**
 * Whether a page that is sorted by `seq` begins in the archive.
 * @param newest the newest part of the archive that may have events of the page
 */
export function isInArchive({ cursor, from }: EventQuery, newest: ArchivedDay): boolean {
  return cursor ? cursor[1] < lastOf(newest) : from !== undefined;
}

function firstOf({ firstKey }: ArchivedDay): number {
  return Number(JSON.parse(firstKey)[0]);
}

function lastOf({ lastKey }: ArchivedDay): number {
  return Number(JSON.parse(lastKey)[0]);
}

/**
 * Reads a page of the archived events that match a query. Sorted by `seq`, the cursor of its last page continues in the database.
 * @throws Problem 410 if the first part of the page cannot be read
 */
export async function readArchivedEvents(
  env: Env,
  db: CompanyDb,
  companyId: number,
  query: EventQuery,
): Promise<ArchivedPage<Envelope>> {
  const { sort, cursor, limit, lineIds } = query;
  const isAscending = sort === "seq";
  const beyond = isAscending ? { keysAbove: cursor?.[1] } : { keysBelow: cursor?.[1] };
  const order = isAscending ? "oldest" : "newest";
  const parts = await selectParts(db, { ...rangeOf(companyId, query), ...beyond }, MAX_PARTS, order);
  const machines = lineIds && new Set((await selectInLines(db, companyId, lineIds)).map(({ id }) => id));
  const cursorAt = (seq: number) => encodeKeys([sort, seq]);
  const units = parts.map((part) => [part]);
  const { found, next } = await readParts(env, units, limit, {
    isAscending,
    match: (line) => matchOf(line, query, machines, configOf(env).PUBLIC_URL),
    without: (part) => {
      const after = cursorAt(isAscending ? lastOf(part) : firstOf(part));
      return `What follows it can be read with cursor=${after}`;
    },
  });
  const { data, cursor: ofNext } = pageOf(
    found,
    limit,
    ({ keys }) => keys,
    ({ item }) => item,
  );
  const atNext = next && cursorAt(isAscending ? firstOf(next) - 1 : lastOf(next) + 1);
  const end = parts.at(-1);
  const atEnd = isAscending ? cursorAt(end ? lastOf(end) : (cursor?.[1] ?? 0)) : null;
  return { data, cursor: ofNext ?? atNext ?? atEnd, archived: true };
}

/** The event in a line of the archive, with its place in the list; null if it is not on the page that the query asks for. */
function matchOf(
  line: string,
  { types, machineIds, from, to, sort, cursor }: EventQuery,
  inLines: ReadonlySet<number> | undefined,
  publicUrl: string,
) {
  const event = eventInLine(line);
  const { seq, type, machineId, at } = event;
  const isMatch =
    (types === undefined || types.includes(type)) &&
    (machineIds === undefined || (machineId !== null && machineIds.includes(machineId))) &&
    (inLines === undefined || (machineId !== null && inLines.has(machineId))) &&
    (from === undefined || at >= from) &&
    (to === undefined || at < to) &&
    (cursor === undefined || (sort === "seq" ? seq > cursor[1] : seq < cursor[1]));
  return isMatch ? { keys: [sort, seq], item: envelopeOf(event, publicUrl) } : null;
}

/** The refusal of an `after` that is not in the database: it may be in the archive, or there is no such event. */
export async function refusalOfAfter(db: CompanyDb, companyId: number, after: string): Promise<Problem> {
  const ofCompany = { companyId, kind: "events" } as const;
  const [[oldest], [newest], [asked]] = await db.batch([
    selectParts(db, ofCompany, 1, "oldest"),
    selectParts(db, ofCompany, 1),
    selectIsMissing(db, companyId, after),
  ]);
  const pointer = "/query/after";
  const isOfType = eventTypes.some((type) => after.startsWith(`${type}:`));
  if (!oldest || !newest || !isOfType || asked?.isMissing) {
    const message = "is not the id of an event of this company, or the event is no longer kept";
    return invalid([{ pointer, code: "not_found", message }]);
  }
  const message = `is not the id of an event in the database. The archive has those that became known from ${dayText(oldest)} to ${dayText(newest)}: send from= with the event's time in place of after=, and continue with the cursor`;
  return refusal(410, [{ pointer, code: "archived", message }]);
}
