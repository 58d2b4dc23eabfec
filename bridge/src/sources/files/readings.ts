import type { Reading } from "../source.ts";
import type { FilesConfig } from "./config.ts";
import type { rowsOf } from "./csv.ts";
import { instantOf } from "./times.ts";

/** The last row has fewer columns than the first: the file may not be complete. */
export class ShortRow extends Error {}

type Rows = ReturnType<typeof rowsOf>;

/**
 * The readings of a table, in the order of their times. Empty fields are no values.
 * @throws Error naming the line and what it must be
 */
export function readingsIn(config: FilesConfig, rows: Rows, fileAt: number): Reading[] {
  const [head, ...others] = rows;
  if (head === undefined) throw new ShortRow("the file is empty");
  const columns = columnsOf(config, head.fields);
  const readings: Reading[] = [];
  let at = Number.NEGATIVE_INFINITY;
  for (const row of others) {
    if (row.fields.length < head.fields.length) throw shortRow(row, head.fields.length, row === others.at(-1));
    if (columns.time !== null) at = timeIn(config, row, columns.time, at);
    for (const [signal, { column, when }] of columns.signals.entries()) {
      const text = row.fields[column] ?? "";
      const isMeant = when.every(([place, value]) => row.fields[place] === value);
      if (isMeant && text !== "") {
        readings.push({ signal, value: valueIn(config, signal, text, row.line), at: columns.time === null ? fileAt : at });
      }
    }
  }
  return readings.toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0));
}

function shortRow({ line, fields }: Rows[number], columns: number, isLast: boolean): Error {
  const text = `line ${line} has ${fields.length} of ${columns} columns`;
  return isLast ? new ShortRow(text) : new Error(text);
}

/** The places of the columns that the configuration names. */
function columnsOf({ time, signal }: FilesConfig, head: readonly string[]) {
  const placeOf = (column: string) => {
    const place = head.indexOf(column);
    if (place === -1) throw new Error(`the first line has no column ${column}, but ${head.join(", ").slice(0, 500)}`);
    return place;
  };
  return {
    time: time === undefined ? null : placeOf(time),
    signals: signal.map(({ column, when }) => ({
      column: placeOf(column),
      when: Object.entries(when ?? {}).map(([name, value]): [number, string] => [placeOf(name), value]),
    })),
  };
}

function timeIn({ zone, date_order }: FilesConfig, { line, fields }: Rows[number], place: number, after: number): number {
  const text = fields[place] ?? "";
  const at = instantOf(text, zone, date_order, after);
  if (at !== null) return at;
  const advice = zone === undefined ? ", with its offset, or zone must be set" : `, in the order ${date_order} (date_order)`;
  throw new Error(`line ${line}: ${JSON.stringify(text.slice(0, 50))} must be a time${advice}`);
}

/** A number of counts, by the decimal sign of the file; or the text of states, SKUs and orders. */
function valueIn({ signal, decimal }: FilesConfig, index: number, text: string, line: number): Reading["value"] {
  const { kind, column, reading } = signal[index] as FilesConfig["signal"][number];
  if (kind === "state" || kind === "sku" || kind === "order" || reading === "edge") return text;
  const digits = decimal === "," ? text.replaceAll(".", "").replace(",", ".") : text;
  if (/^-?\d+(?:\.\d+)?$/.test(digits)) return digits;
  const advice = decimal === "." && /^-?[\d.]*,\d+$/.test(text) ? ': set decimal = ","' : "";
  throw new Error(`line ${line}: ${column} must be a number, and is ${JSON.stringify(text.slice(0, 50))}${advice}`);
}
