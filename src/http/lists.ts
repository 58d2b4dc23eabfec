import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { accepts } from "hono/accepts";
import { companyZone } from "../core/company-zone.ts";
import { CsvWriter } from "../core/csv.ts";
import { type Format, type FormatQuery, formats, keysIn, listOf, type Page, type PageQuery } from "../core/cursor.ts";
import { LocalClock, localizerOf } from "../core/local-times.ts";
import { type Fault, invalid } from "../core/problem.ts";
import type { UserEnv } from "./env.ts";
import { taggedHeaders } from "./etag.ts";
import { shownRows } from "./operator-names.ts";
import { db } from "./session.ts";
import { type Part, transfer } from "./transfer.ts";

// How every list and report of /v1 answers: JSON a page at a time, or all of it as a CSV or NDJSON file.

const mediaTypes: Record<Format, string> = {
  json: "application/json",
  csv: "text/csv",
  ndjson: "application/x-ndjson",
};

const fileHeaders = taggedHeaders.extend({
  "content-disposition": z.string().optional().openapi({ description: "Of CSV and NDJSON: the name of the file" }),
});

const csv = z.string().openapi({
  description:
    "RFC 4180: a header, then a line per item. Members of nested objects are columns (`machine.name`), lists are JSON text",
});
const ndjson = z.string().openapi({ description: "One item per line, as JSON" });

/** The 200 of a list of such items, for `responses` of a contract. */
export function listAnswer<T extends z.ZodType>(item: T, description: string) {
  return filesToo(listOf(item), description);
}

const archived = z.literal(true).optional().openapi({
  description: "The items are read from the archive: such a page may be short, or empty, and still have a `cursor`",
});

/** The same, of a list that goes on in the archive where the database ends. */
export function archivedListAnswer<T extends z.ZodType>(item: T, description: string) {
  return filesToo(listOf(item).extend({ archived }), description);
}

/** The 200 of a report whose `data` are rows, for `responses` of a contract. */
export function reportAnswer<S extends Report>(report: S, description: string) {
  return filesToo(report, description);
}

type Report = z.ZodObject<{ data: z.ZodArray<z.ZodType> }>;

function filesToo<S extends z.ZodType>(schema: S, description: string) {
  const content = {
    "application/json": { schema },
    "text/csv": { schema: csv },
    "application/x-ndjson": { schema: ndjson },
  };
  return { description, headers: fileHeaders, content };
}

/** The part of a contract that holds the schema of its rows. */
interface RowsContract<T> {
  responses: { 200: { content: { "application/json": { schema: { shape: { data: { element: z.ZodType<T> } } } } } } };
}

type QueryContext<Q> = Context<UserEnv, string, { in: { query: unknown }; out: { query: Q } }>;

/** Rows that a file reads at a time: initially, and at most. In between, the number depends on their size. */
const FILE_PAGE = 500;
const MAX_FILE_PAGE = 2000;
/** The target size of a part of a file, in characters. */
const PART_LENGTH = 1_000_000;

/**
 * Answers a list in the format that the caller wants. A file is read page by page while it is sent, in the caller's database session; it
 * holds `limit` items at most if there is a limit, otherwise all from the cursor on.
 * @param read reads the page of a query; `isFile`: for a file
 * @throws Problem 400: `tz` without CSV or NDJSON, `decimal` without CSV
 */
export async function answerList<Q extends PageQuery, T>(
  c: QueryContext<Q>,
  contract: RowsContract<T>,
  read: (query: Q, isFile: boolean) => Promise<Page<T>>,
): Promise<Response> {
  const query = c.req.valid("query");
  const writer = await writerOf(c, contract, query);
  if (!writer) return c.json(await read(query, false), 200);
  const shown = await shownRows(c);
  let left = c.req.query("limit") === undefined ? Number.POSITIVE_INFINITY : query.limit;
  const partOf = async (cursor: unknown, wanted: number): Promise<Part> => {
    const { data, cursor: next } = await read({ ...query, total: false, cursor, limit: Math.min(wanted, left) }, true);
    const text = writer.lines(shown(data));
    left -= data.length;
    const fitting = Math.floor((PART_LENGTH / Math.max(text.length, 1)) * data.length);
    const size = Math.min(Math.max(fitting, 1), MAX_FILE_PAGE);
    return { text, rows: data.length, next: next !== null && left > 0 ? () => partOf(keysIn(next), size) : null };
  };
  const first = await partOf(query.cursor, FILE_PAGE);
  return transfer(c, headersOf(c, writer.format), { ...first, text: writer.head + first.text });
}

/** Answers a report whose rows are complete, in the format that the caller wants. */
export async function answerReport<Q extends FormatQuery, R extends { data: unknown[] }>(
  c: QueryContext<Q>,
  contract: RowsContract<unknown>,
  report: R,
): Promise<Response> {
  const writer = await writerOf(c, contract, c.req.valid("query"));
  if (!writer) return c.json(report, 200);
  const shown = await shownRows(c);
  return c.body(writer.head + writer.lines(shown(report.data)), 200, headersOf(c, writer.format));
}

interface Writer {
  format: Exclude<Format, "json">;
  head: string;
  lines(items: readonly unknown[]): string;
}

/** The writer of the wanted format; null for JSON. */
async function writerOf<Q extends FormatQuery>(
  c: QueryContext<Q>,
  contract: RowsContract<unknown>,
  query: Q & { companyId?: number | undefined },
): Promise<Writer | null> {
  // An answer for another Accept differs.
  c.header("vary", "Accept");
  const format = query.format ?? acceptedFormat(c);
  refuseStyle(format, query);
  if (format === "json") return null;
  const companyId = query.companyId ?? c.var.actor.companyId;
  const timezone = query.tz === "local" ? ((await companyZone(db(c), companyId)) ?? null) : null;
  const item = contract.responses[200].content["application/json"].schema.shape.data.element;
  if (format === "ndjson") return { format, head: "", lines: ndjsonLines(item, timezone) };
  const csvWriter = new CsvWriter(item, { timezone, decimal: query.decimal === "comma" ? "," : "." });
  return { format, head: csvWriter.head(), lines: (items) => csvWriter.lines(items) };
}

function acceptedFormat<E extends UserEnv>(c: Context<E>): Format {
  const supports = Object.values(mediaTypes);
  const accepted = accepts(c, { header: "Accept", supports, default: mediaTypes.json });
  return formats.find((format) => mediaTypes[format] === accepted) ?? "json";
}

/** Writes items of a schema as NDJSON. */
function ndjsonLines(item: z.ZodType, timezone: string | null): (items: readonly unknown[]) => string {
  const clock = timezone === null ? null : new LocalClock(timezone);
  const localize = clock && localizerOf(item);
  const line = (one: unknown) => `${JSON.stringify(clock && localize ? localize(one, clock) : one)}\n`;
  return (items) => items.map(line).join("");
}

function refuseStyle(format: Format, { tz, decimal }: FormatQuery): void {
  const errors: Fault[] = [];
  if (tz !== undefined && format === "json") {
    const message = "is only for CSV and NDJSON: send format=csv or format=ndjson with it";
    errors.push({ pointer: "/query/tz", code: "not_supported", message });
  }
  if (decimal !== undefined && format !== "csv") {
    errors.push({ pointer: "/query/decimal", code: "not_supported", message: "is only for CSV: send format=csv with it" });
  }
  if (errors.length > 0) throw invalid(errors);
}

function headersOf<E extends UserEnv>(c: Context<E>, format: Exclude<Format, "json">): Record<string, string> {
  const name = c.req.path
    .replace(/^\/v1\//, "")
    .replaceAll("/", "-")
    .replaceAll(/[^\w.-]/g, "_");
  return {
    "content-type": format === "csv" ? "text/csv; charset=utf-8; header=present" : "application/x-ndjson; charset=utf-8",
    "content-disposition": `attachment; filename="${name}.${format}"`,
  };
}
