import type { z } from "@hono/zod-openapi";
import { LocalClock, type Localize, localizerOf } from "./local-times.ts";

// Items as CSV (RFC 4180): a header, then one row per item, all with the same columns.

/** The format of cells. */
export interface CsvStyle {
  /** IANA time zone of the times; null: ISO 8601 in UTC. */
  timezone: string | null;
  /** `,` goes with `;` between cells and a byte order mark, as Excel expects in many countries. */
  decimal: "." | ",";
}

/** A column: its name in the header, the path of its value in an item, and what writes its times in local time. */
interface Column {
  name: string;
  path: readonly string[];
  localize: Localize | null;
}

/** The parts of a zod schema's definition that determine its columns. */
interface Definition {
  type: string;
  shape?: Record<string, z.ZodType>;
  innerType?: z.ZodType;
  out?: z.ZodType;
}

const lineEnd = "\r\n";
/**
 * Where a spreadsheet would read the rest of a text as a formula: at its beginning, and, because a spreadsheet may expect another separator
 * than the file has, also after any separator or quote in it.
 */
const beforeFormula = /^(?=[=+\-@＝＋－＠\t\r\n])|(?<=[,;|\t\r\n"])(?=[=+\-@＝＋－＠])/g;

/**
 * Writes items of a schema. A member of a nested object has a column of its own, named with dots (`machine.name`). Lists and maps are
 * JSON text. Null is an empty cell. Where a spreadsheet would read a text as a formula, it gets an apostrophe.
 */
export class CsvWriter {
  readonly #columns: readonly Column[];
  readonly #style: CsvStyle;
  readonly #clock: LocalClock | null;
  readonly #separator: string;
  readonly #special: RegExp;

  constructor(item: z.ZodType, style: CsvStyle) {
    this.#columns = columnsOf(item);
    this.#style = style;
    this.#clock = style.timezone === null ? null : new LocalClock(style.timezone);
    this.#separator = style.decimal === "," ? ";" : ",";
    this.#special = style.decimal === "," ? /[";\r\n]/ : /[",\r\n]/;
  }

  /** The header line, after the byte order mark if there is one. */
  head(): string {
    const mark = this.#style.decimal === "," ? "\uFEFF" : "";
    return mark + this.#columns.map(({ name }) => this.#quoted(name)).join(this.#separator) + lineEnd;
  }

  /** The lines of items. */
  lines(items: readonly unknown[]): string {
    return items.map((item) => this.#columns.map((column) => this.#cell(column, item)).join(this.#separator) + lineEnd).join("");
  }

  #cell({ path, localize }: Column, item: unknown): string {
    let value = item;
    for (const name of path) value = (value as Record<string, unknown> | null | undefined)?.[name];
    if (value === null || value === undefined) return "";
    if (localize && this.#clock) value = localize(value, this.#clock);
    if (typeof value === "number") return this.#style.decimal === "," ? String(value).replace(".", ",") : String(value);
    if (typeof value === "boolean") return String(value);
    return this.#quoted(typeof value === "string" ? withoutFormulas(value) : JSON.stringify(listed(value)));
  }

  #quoted(text: string): string {
    return this.#special.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  }
}

export function withoutFormulas(text: string): string {
  return text.replace(beforeFormula, "'");
}

/** The text that `withoutFormulas` made safe. */
export function asWritten(text: string): string {
  return text.replace(/(^|[,;|\t\r\n"])'(?=[=+\-@＝＋－＠\t\r\n])/g, "$1");
}

/** A list or map whose texts are safe in a spreadsheet. */
function listed(value: unknown): unknown {
  if (typeof value === "string") return withoutFormulas(value);
  if (Array.isArray(value)) return value.map(listed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [withoutFormulas(name), listed(one)]));
}

function columnsOf(schema: z.ZodType, path: readonly string[] = []): Column[] {
  const { type, shape, innerType, out } = schema.def as unknown as Definition;
  if (innerType) return columnsOf(innerType, path);
  if (type === "pipe" && out) return columnsOf(out, path);
  if (!shape) return [{ name: path.join("."), path, localize: localizerOf(schema) }];
  return Object.entries(shape).flatMap(([name, member]) => columnsOf(member, [...path, name]));
}
