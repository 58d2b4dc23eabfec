/** A line of a CSV text: its number in the text, counted from 1, and its fields. */
export interface CsvLine {
  number: number;
  fields: string[];
}

/**
 * The lines of a CSV text (RFC 4180) that hold anything. Fields are separated by commas; in double quotes they may hold
 * commas, line breaks, and quotes that are doubled. A line whose quotes do not fit has no fields, and is the last.
 */
export function parseCsv(csv: string): CsvLine[] {
  const lines: CsvLine[] = [];
  let fields: string[] = [];
  let number = 1;
  let startedAt = 1;
  let read = 0;
  // Each match is a field and what ends it.
  for (const [whole, quoted, plain = "", end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|\r|$)/gy)) {
    read += whole.length;
    fields.push(quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"'));
    number += (quoted?.match(/\n/g) ?? []).length;
    if (end === ",") continue;
    if (fields.some((field) => field !== "")) lines.push({ number: startedAt, fields });
    fields = [];
    number += 1;
    startedAt = number;
  }
  return read < csv.length ? [...lines, { number: startedAt, fields: [] }] : lines;
}
