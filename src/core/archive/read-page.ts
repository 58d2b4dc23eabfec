import type { BoundedSelect } from "../../db/bounded-rows.ts";
import type { CompanyDb } from "../../db/client.ts";
import { DAY_MS, dayStartOf, isoOf } from "../../oee/time.ts";
import { encodeKeys, type Page, type PageQuery, pageOf } from "../cursor.ts";
import { Problem } from "../problem.ts";
import { type ArchivedKind, DamagedPart, dayText, linesOf } from "./parts.ts";
import { type ArchivedDay, selectParts } from "./queries.ts";

// Lists that continue in the archive after the last row of the database, newest first. A day may be partly archived: then both are merged.

/** The most days that a request reads, and the size of their parts after which it reads no further one. */
const MAX_DAYS = 7;
const MAX_BYTES = 8 * 1024 * 1024;
/** The most parts that a request looks up. */
const MAX_PARTS = 200;

type Keys = readonly (string | number)[];

/** An item, with its keys as in the list's cursor. */
interface Keyed<T> {
  keys: Keys;
  item: T;
}

export interface ArchiveReading<Row, T> {
  companyId: number;
  kind: ArchivedKind;
  /** What matches is of this time or later, and before `to` (epoch ms; undefined: any). */
  from: number | undefined;
  to: number | undefined;
  /** Rows of the database that match, newest first, one more than the limit. */
  select: BoundedSelect<Row>;
  atOf(row: NoInfer<Row>): number;
  keyedOf(row: NoInfer<Row>): Keyed<T>;
  /** The item of a line; null: it does not match, or is not on this page. */
  match(line: string): Keyed<T> | null;
  /** Keys before which everything is older than a time. */
  keysBefore(at: number): Keys;
}

/** A page that may be short or empty and still have a cursor. */
export interface ArchivedPage<T> extends Page<T> {
  archived: true;
}

/**
 * Reads a page of what is archived and, merged with it, what the database has of the same days.
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
  const { found, begin } = await readDays(env, parts, limit, (line) => reading.match(line));
  // All that the page has is from `begin` on; undefined: there are no older days.
  const recent = begin === undefined ? rows : rows.filter((row) => reading.atOf(row) >= begin);
  const merged = newestOf([...recent.map((row) => reading.keyedOf(row)), ...found], limit + 1);
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
 * Reads days, the newest first, until there are more items than the page has, or a request has read enough.
 * @returns `begin` the start of the oldest day that was read; undefined: all were
 */
async function readDays<T>(env: Env, parts: readonly ArchivedDay[], limit: number, match: (line: string) => Keyed<T> | null) {
  const days = [...Map.groupBy(parts, ({ day }) => day)];
  // Of the last one there may be further parts.
  const isCut = parts.length >= MAX_PARTS && days.length > 1;
  const whole = isCut ? days.slice(0, -1) : days;
  let found: Keyed<T>[] = [];
  let bytes = 0;
  for (const [i, [day, ofDay]] of whole.entries()) {
    bytes += ofDay.reduce((sum, part) => sum + part.bytes, 0);
    if (i > 0 && (i >= MAX_DAYS || bytes > MAX_BYTES || found.length > limit)) return { found, begin: day + DAY_MS };
    try {
      found = newestOf([...found, ...(await readDay(env, ofDay, limit, match))], limit + 1);
    } catch (error) {
      if (!(error instanceof DamagedPart)) throw error;
      // The next page begins with this day.
      if (i > 0) return { found, begin: day + DAY_MS };
      throw unreadable(error);
    }
  }
  const last = whole.at(-1)?.[0];
  return { found, begin: isCut ? last : undefined };
}

async function readDay<T>(env: Env, parts: readonly ArchivedDay[], limit: number, match: (line: string) => Keyed<T> | null) {
  let found: Keyed<T>[] = [];
  for (const part of parts) {
    for await (const line of linesOf(env, part)) {
      const one = match(line);
      if (one === null) continue;
      found.push(one);
      // Far more than are needed are dropped, so that a day takes little memory.
      if (found.length > 4 * limit + 1000) found = newestOf(found, limit + 1);
    }
  }
  return found;
}

/** The newest of these, each once. */
function newestOf<T>(all: readonly Keyed<T>[], most: number): Keyed<T>[] {
  const sorted = all.toSorted((a, b) => -compared(a.keys, b.keys));
  return sorted.filter((one, i) => i === 0 || compared(one.keys, (sorted[i - 1] as Keyed<T>).keys) !== 0).slice(0, most);
}

function compared(a: Keys, b: Keys): number {
  for (const [i, key] of a.entries()) {
    const other = b[i] as typeof key;
    if (key !== other) return key < other ? -1 : 1;
  }
  return 0;
}

function unreadable({ message, part }: DamagedPart): Problem {
  const older = isoOf(part.day);
  return new Problem(410, `${message}. What is older than ${dayText(part)} can be read with to=${older}`, {
    errors: [{ pointer: "", code: "archive_damaged", message }],
  });
}
