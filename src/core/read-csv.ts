/** A line of a CSV text: its number in the text, counted from 1, and its fields. */
export interface CsvLine {
  number: number;
  fields: string[];
}

/** What can separate fields. Spreadsheets write semicolons where the decimal sign is a comma. */
export const separators = [",", ";", "\t", "|"] as const;
export type Separator = (typeof separators)[number];

const patterns = {
  ",": /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|\r|$)/gy,
  ";": /(?:"((?:[^"]|"")*)"|([^";\r\n]*))(;|\r?\n|\r|$)/gy,
  "\t": /(?:"((?:[^"]|"")*)"|([^"\t\r\n]*))(\t|\r?\n|\r|$)/gy,
  "|": /(?:"((?:[^"]|"")*)"|([^"|\r\n]*))(\||\r?\n|\r|$)/gy,
} as const satisfies Record<Separator, RegExp>;

/** The separator of a text whose first line names columns: the one of two that it contains. */
export function separatorOf(csv: string): "," | ";" {
  const [head = ""] = csv.split(/[\r\n]/, 1);
  return head.includes(";") ? ";" : ",";
}

/**
 * The non-empty lines of a CSV text (RFC 4180). A field in double quotes may contain separators, line breaks, and doubled quotes. A line with
 * unbalanced quotes has no fields, and is the last.
 */
export function parseCsv(csv: string, separator: Separator): CsvLine[] {
  const lines: CsvLine[] = [];
  let fields: string[] = [];
  let number = 1;
  let startedAt = 1;
  let read = 0;
  // Each match is a field and its end.
  for (const [whole, quoted, plain = "", end] of csv.matchAll(patterns[separator])) {
    read += whole.length;
    fields.push(quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"'));
    number += (quoted?.match(/\n/g) ?? []).length;
    if (end === separator) continue;
    if (fields.some((field) => field !== "")) lines.push({ number: startedAt, fields });
    fields = [];
    number += 1;
    startedAt = number;
  }
  return read < csv.length ? [...lines, { number: startedAt, fields: [] }] : lines;
}
