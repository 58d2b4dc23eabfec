import type { z } from "@hono/zod-openapi";
import { MINUTE_MS } from "../oee/time.ts";
import { zoneOffsetMs } from "../oee/zone.ts";

// Items as CSV (RFC 4180): a header, then one row per item, all with the same columns.

/** The format of cells. */
export interface CsvStyle {
  /** IANA time zone of the times; null: ISO 8601 in UTC. */
  timezone: string | null;
  /** `,` goes with `;` between cells and a byte order mark, as Excel expects in many countries. */
  decimal: "." | ",";
}

/** A column: its name in the header, and the path of its value in an item. */
interface Column {
  name: string;
  path: readonly string[];
  isTime: boolean;
}

/** The parts of a zod schema's definition that determine its columns. */
interface Definition {
  type: string;
  format?: string;
  shape?: Record<string, z.ZodType>;
  innerType?: z.ZodType;
  out?: z.ZodType;
}

const lineEnd = "\r\n";
/** Text that a spreadsheet would read as a formula. */
const formulaStart = /^[=+\-@\t\r\n]/;
/** Zones change their offset only at multiples of this. */
const OFFSET_STEP_MS = 15 * MINUTE_MS;
const MAX_OFFSETS = 50_000;

/**
 * Writes items of a schema. A member of a nested object has a column of its own, named with dots (`machine.name`). Lists and maps are
 * JSON text. Null is an empty cell. Text that a spreadsheet would read as a formula gets a leading apostrophe.
 */
export class CsvWriter {
  readonly #columns: readonly Column[];
  readonly #style: CsvStyle;
  readonly #separator: string;
  readonly #special: RegExp;
  /** Step of time -> offset of the zone, in ms. */
  readonly #offsets = new Map<number, number>();

  constructor(item: z.ZodType, style: CsvStyle) {
    this.#columns = columnsOf(item);
    this.#style = style;
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

  #cell({ path, isTime }: Column, item: unknown): string {
    let value = item;
    for (const name of path) value = (value as Record<string, unknown> | null | undefined)?.[name];
    if (value === null || value === undefined) return "";
    if (typeof value === "number") return this.#style.decimal === "," ? String(value).replace(".", ",") : String(value);
    if (typeof value === "boolean") return String(value);
    if (typeof value !== "string") return this.#quoted(JSON.stringify(value));
    if (isTime) return this.#time(value);
    return this.#quoted(formulaStart.test(value) ? `'${value}` : value);
  }

  #time(iso: string): string {
    const { timezone } = this.#style;
    if (timezone === null) return iso;
    const at = Date.parse(iso);
    const step = Math.floor(at / OFFSET_STEP_MS);
    let offset = this.#offsets.get(step);
    if (offset === undefined) {
      if (this.#offsets.size >= MAX_OFFSETS) this.#offsets.clear();
      offset = zoneOffsetMs(timezone, step * OFFSET_STEP_MS);
      this.#offsets.set(step, offset);
    }
    return new Date(at + offset).toISOString().slice(0, 19).replace("T", " ");
  }

  #quoted(text: string): string {
    return this.#special.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  }
}

function columnsOf(schema: z.ZodType, path: readonly string[] = []): Column[] {
  const { type, format, shape, innerType, out } = schema.def as unknown as Definition;
  if (innerType) return columnsOf(innerType, path);
  if (type === "pipe" && out) return columnsOf(out, path);
  if (!shape) return [{ name: path.join("."), path, isTime: type === "string" && format === "datetime" }];
  return Object.entries(shape).flatMap(([name, member]) => columnsOf(member, [...path, name]));
}
