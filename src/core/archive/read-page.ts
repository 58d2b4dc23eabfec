import type { BoundedSelect } from "../../db/bounded-rows.ts";
import type { CompanyDb } from "../../db/client.ts";
import { DAY_MS, dayStartOf, isoOf } from "../../oee/time.ts";
import { encodeKeys, type Page, type PageQuery, pageOf } from "../cursor.ts";
import { Problem } from "../problem.ts";
import { type ArchivedKind, DamagedPart, dayText, linesOf } from "./parts.ts";
import { type ArchivedDay, selectParts } from "./queries.ts";

// Lists that continue in the archive. A day of the audit may be partly archived: then its rows in the database and its parts are merged. Events need no
// merging: they are archived in the order of their numbers, so the archive has all events up to the last one in it.

/** The most days that a request reads, and the size of their parts after which it reads no further one. */
const MAX_DAYS = 7;
const MAX_BYTES = 8 * 1024 * 1024;
/** The most parts that a request looks up. */
export const MAX_PARTS = 200;

type Keys = readonly (string | number)[];

/** An item, with its keys as in the list's cursor. */
export interface Keyed<T> {
  keys: Keys;
  item: T;
}

/** How lines of the archive become the items of a page. */
export interface LineReading<T> {
  /** The item of a line; null: it does not match, or is not on this page. */
  match(line: string): Keyed<T> | null;
  /** Whether the items with lower keys come first. */
  isAscending?: boolean;
  /** How the list can be read without a part that cannot be: a sentence. */
  without(part: ArchivedDay): string;
}

export interface ArchiveReading<Row, T> extends Pick<LineReading<T>, "match"> {
  companyId: number;
  kind: ArchivedKind;
  /** What matches is of this time or later, and before `to` (epoch ms; undefined: any). */
  from: number | undefined;
  to: number | undefined;
  /** Rows of the database that match, newest first, one more than the limit. */
  select: BoundedSelect<Row>;
  atOf(row: NoInfer<Row>): number;
  keyedOf(row: NoInfer<Row>): Keyed<T>;
  /** Keys before which everything is older than a time. */
  keysBefore(at: number): Keys;
}

/** A page that may be short or empty and still have a cursor. */
export interface ArchivedPage<T> extends Page<T> {
  archived: true;
}

/**
 * Reads a page of what is archived and, merged with it, what the database has of the same days, newest first.
 * @throws Problem 410 if the newest day of the page cannot be read
 */
export async function readArchivedPage<Row, T>(
  env: Env,
  db: CompanyDb,
  { limit }: Pick<PageQuery, "limit">,
  reading: ArchiveReading<Row, T>,
): Promise<ArchivedPage<T>> {
  const { companyId, kind, from, to } = reading;
  const days = { from: from === undefined ? undefined : dayStartOf(from), to: to === undefined ? undefined : dayStartOf(to - 1) };
  // In one batch, so that nothing is missed that is archived meanwhile.
  const read = await db.batch([reading.select, selectParts(db, { companyId, kind, ...days }, MAX_PARTS)]);
  const [rows, parts] = read as [Row[], ArchivedDay[]];
  const { found, next } = await readParts(env, [...Map.groupBy(parts, ({ day }) => day).values()], limit, {
    match: (line) => reading.match(line),
    without: (part) => `What is older than ${dayText(part)} can be read with to=${isoOf(part.day)}`,
  });
  // All that the page has is from `begin` on; undefined: there are no older days.
  const begin = next && next.day + DAY_MS;
  const recent = begin === undefined ? rows : rows.filter((row) => reading.atOf(row) >= begin);
  const merged = firstOf([...recent.map((row) => reading.keyedOf(row)), ...found], limit + 1);
  const { data, cursor } = pageOf(
    merged,
    limit,
    ({ keys }) => keys,
    ({ item }) => item,
  );
  const isEnd = begin === undefined || (from !== undefined && begin <= from);
  return { data, cursor: cursor ?? (isEnd ? null : encodeKeys(reading.keysBefore(begin))), archived: true };
}

/**
 * Reads units of parts, in this order, until there are more items than the page has, or a request has read enough.
 * @param units as many parts as were looked up. What is in one precedes what is in the next one
 * @returns `next` a part of the first unit that was not read; undefined: all were
 * @throws Problem 410 if the first unit cannot be read
 */
export async function readParts<T>(
  env: Env,
  units: readonly (readonly ArchivedDay[])[],
  limit: number,
  reading: LineReading<T>,
): Promise<{ found: Keyed<T>[]; next: ArchivedDay | undefined }> {
  // Of the last unit there may be further parts.
  const isCut = units.flat().length >= MAX_PARTS && units.length > 1;
  const days = new Set<number>();
  let found: Keyed<T>[] = [];
  let bytes = 0;
  for (const unit of isCut ? units.slice(0, -1) : units) {
    const [next] = unit;
    if (!next) continue;
    bytes += unit.reduce((sum, part) => sum + part.bytes, 0);
    const isFirst = days.size === 0;
    days.add(next.day);
    if (!isFirst && (days.size > MAX_DAYS || bytes > MAX_BYTES || found.length > limit)) return { found, next };
    try {
      found = firstOf([...found, ...(await readUnit(env, unit, limit, reading))], limit + 1, reading.isAscending);
    } catch (error) {
      if (!(error instanceof DamagedPart)) throw error;
      // The next page begins with this unit.
      if (!isFirst) return { found, next };
      throw unreadable(error, reading.without(next));
    }
  }
  return { found, next: isCut ? units.at(-1)?.[0] : undefined };
}

async function readUnit<T>(env: Env, unit: readonly ArchivedDay[], limit: number, { match, isAscending }: LineReading<T>) {
  let found: Keyed<T>[] = [];
  for (const part of unit) {
    for await (const line of linesOf(env, part)) {
      const one = match(line);
      if (one === null) continue;
      found.push(one);
      // Far more than are needed are dropped, so that a day takes little memory.
      if (found.length > 4 * limit + 1000) found = firstOf(found, limit + 1, isAscending);
    }
  }
  return found;
}

/** The first of these, each once: the newest, or the oldest if `isAscending`. */
function firstOf<T>(all: readonly Keyed<T>[], most: number, isAscending = false): Keyed<T>[] {
  const sign = isAscending ? 1 : -1;
  const sorted = all.toSorted((a, b) => sign * compared(a.keys, b.keys));
  return sorted.filter((one, i) => i === 0 || compared(one.keys, (sorted[i - 1] as Keyed<T>).keys) !== 0).slice(0, most);
}

function compared(a: Keys, b: Keys): number {
  for (const [i, key] of a.entries()) {
    const other = b[i] as typeof key;
    if (key !== other) return key < other ? -1 : 1;
  }
  return 0;
}

function unreadable({ message }: DamagedPart, without: string): Problem {
  return new Problem(410, `${message}. ${without}`, {
    errors: [{ pointer: "", code: "archive_damaged", message }],
  });
}
