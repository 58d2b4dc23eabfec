import { z } from "@hono/zod-openapi";
import type { BatchItem } from "drizzle-orm/batch";
import { type Bounded, type BoundedSelect, boundedRows, rowsOfBounded } from "../db/bounded-rows.ts";
import type { AnyDb } from "../db/client.ts";
import { flagText } from "./inputs.ts";
import { countRows } from "./queries.ts";

// Shared by all lists: each schema costs start-up time.
const limit = z.coerce.number().int().min(1).max(500).default(50).openapi({
  description:
    "Items per page; a page also ends, with its `cursor`, where its JSON would be longer than 1 MiB. For CSV and NDJSON the most items in the file; without it, the file has all of them",
});
const cursorText = z.string().max(1000);
/** A text among the keys of a cursor: what a row has. */
export const keyText = z.string();
const nextCursor = z.string().nullable().openapi({ description: "Of the next page; null on the last" });
const total = flagText.default(false).openapi({ description: "Whether to count the items of all pages" });

/** The highest `total` that a list counts to. */
export const MAX_TOTAL = 10_000;
const allItems = z
  .int()
  .nullable()
  .optional()
  .openapi({ description: `Items on all pages; null: more than ${MAX_TOTAL}. Only with \`total=true\`` });

/** How the items of a list or report can be written. */
export const formats = ["json", "csv", "ndjson"] as const;
export type Format = (typeof formats)[number];

/** Query members that select the format of the answer. */
export const formatMembers = {
  format: z.enum(formats).optional().openapi({
    description: "Overrides the `Accept` header, where `text/csv` and `application/x-ndjson` mean the same",
  }),
  tz: z.enum(["utc", "local"]).optional().openapi({
    description:
      "Times in CSV and NDJSON: ISO 8601 in UTC (default), or in the company's time zone, to the second and with the offset in force: `2026-10-25T02:30:00+02:00`",
  }),
  decimal: z.enum(["point", "comma"]).optional().openapi({
    description:
      "Decimal sign in CSV. With `comma`, cells are separated by `;` and the file starts with a byte order mark, as Excel expects in Spanish or German",
  }),
};

/** The parsed `formatMembers` of a query. */
export interface FormatQuery {
  format?: Format | undefined;
  tz?: "utc" | "local" | undefined;
  decimal?: "point" | "comma" | undefined;
}

/** A query as parsed by `paged`; `cursor` holds the keys of the last row of the previous page. */
export interface PageQuery extends FormatQuery {
  limit: number;
  cursor?: unknown;
  total: boolean;
}

/** A page of items and the cursor of the next one; `total` only if it was requested. */
export interface Page<T> {
  data: T[];
  cursor: string | null;
  total?: number | null;
}

/**
 * The query members of every list: `limit`, `cursor`, `total`, and the format of the answer. The list is paged by keys.
 * @param keys the schema of the keys of a page's last row, in list order; any other cursor is refused
 */
export function paged<K extends z.ZodType>(keys: K) {
  const cursor = cursorText.transform((text, c): z.output<K> => {
    const parsed = keys.safeParse(decoded(text));
    if (parsed.success) return parsed.data;
    c.addIssue({ code: "custom", message: "must be the cursor of an earlier page of this list" });
    return z.NEVER;
  });
  return z.strictObject({
    limit,
    cursor: cursor.optional().openapi({ type: "string", description: "`cursor` of the page before" }),
    total,
    ...formatMembers,
  });
}

/**
 * The most bytes of JSON on a page. Rows may have large members, and a page of 500 of them would fill the memory that all requests of an
 * isolate share. Only a page of one item may be longer.
 */
const MAX_PAGE_BYTES = 1024 * 1024;

/**
 * Returns a page of items and the cursor of the next one from rows that were read with one more than `limit`. The page ends early where its
 * JSON would be longer than `MAX_PAGE_BYTES`.
 * @param keysOf the keys of a row, as given to `paged`
 * @param isCut whether the rows end early because they are too large: `boundedRows`
 */
export function pageOf<Row, T>(
  rows: readonly Row[],
  limit: number,
  keysOf: (row: Row) => readonly (string | number | null)[],
  itemOf: (row: Row) => T,
  isCut = false,
): { data: T[]; cursor: string | null } {
  const data: T[] = [];
  let bytes = 0;
  for (const row of rows.slice(0, limit)) {
    const item = itemOf(row);
    bytes += Buffer.byteLength(JSON.stringify(item)) + 1;
    if (bytes > MAX_PAGE_BYTES && data.length > 0) break;
    data.push(item);
  }
  const last = data.length < rows.length || isCut ? rows[data.length - 1] : undefined;
  return { data, cursor: last === undefined ? null : encodeKeys(keysOf(last)) };
}

/** How a list is read: its statement (which reads one row more than `limit`), the keys of a row as given to `paged`, and its item. */
export interface ListReading<Q, Row, T> {
  select(query: Q): BoundedSelect<Row>;
  keysOf(row: NoInfer<Row>): readonly (string | number | null)[];
  itemOf(row: NoInfer<Row>): T;
  /**
   * Whether a page of rows may be far larger than its answer: the database then measures them, which costs two more rows read for each. The rows
   * of other lists are bounded by the lengths of their members.
   */
  hasLargeRows?: boolean | undefined;
  /** What is read along with it to check the query; null: nothing. */
  check?: ListCheck | readonly ListCheck[] | null;
}

/** A statement, and the function that throws if its rows mean that the list must be refused. */
export interface ListCheck {
  statement: BatchItem<"sqlite">;
  verify(rows: unknown): void;
}

/** Reads a page of a list, and counts all rows if the query requests the total. One trip. */
export async function readPage<Q extends PageQuery, Row, T>(
  db: AnyDb,
  query: Q,
  { select, keysOf, itemOf, hasLargeRows, check }: ListReading<Q, Row, T>,
): Promise<Page<T>> {
  const statement = hasLargeRows ? boundedRows(db, select(query), MAX_PAGE_BYTES) : select(query);
  const counting = query.total ? countRows(db, select({ ...query, cursor: undefined, limit: MAX_TOTAL })) : null;
  const checks = [check ?? []].flat();
  const others = [...(counting ? [counting] : []), ...checks.map(({ statement }) => statement)];
  const [read, ...found] =
    others.length > 0 ? ((await db.batch([statement, ...others])) as [Row[], ...unknown[]]) : [await statement];
  for (const [i, { verify }] of checks.entries()) verify(found[i + (counting ? 1 : 0)]);
  const counted = counting && (found[0] as Count[]);
  const { rows, isCut } = hasLargeRows ? rowsOfBounded(read as Bounded<Row>[]) : { rows: read, isCut: false };
  const page = pageOf(rows, query.limit, keysOf, itemOf, isCut);
  return { ...page, ...(counted && { total: totalOf(counted[0]?.count ?? 0) }) };
}

type Count = Awaited<ReturnType<typeof countRows>>[number];

/** The `total` of a list; null above `MAX_TOTAL`. */
export function totalOf(count: number): number | null {
  return count > MAX_TOTAL ? null : count;
}

/** The schema of the answer of a list of such items. */
export function listOf<T extends z.ZodType>(item: T) {
  return z.object({ data: z.array(item), cursor: nextCursor, total: allItems });
}

/** The keys in a cursor made by `pageOf`. */
export function keysIn(cursor: string): unknown {
  return decoded(cursor);
}

/** The cursor of a page that continues after these keys. */
export function encodeKeys(keys: readonly (string | number | null)[]): string {
  return Buffer.from(JSON.stringify(keys)).toString("base64url");
}

/** The content of a cursor; null if the text is not a cursor. */
function decoded(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, "base64url").toString());
  } catch {
    return null;
  }
}
