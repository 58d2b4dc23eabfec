/** A line of a CSV text: its number in the text, counted from 1, and its fields. */
export interface CsvLine {
  number: number;
  fields: string[];
}

/**
 * The non-empty lines of a CSV text (RFC 4180). Fields are separated by commas; a field in double quotes may contain commas, line breaks, and
 * doubled quotes. A line with unbalanced quotes has no fields, and is the last.
 */
export function parseCsv(csv: string): CsvLine[] {
  const lines: CsvLine[] = [];
  let fields: string[] = [];
  let number = 1;
  let startedAt = 1;
  let read = 0;
  // Each match is a field and its end.
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
