import { asWritten, withoutFormulas } from "../../core/csv.ts";
import type { FaultCode } from "../../core/fault-codes.ts";
import { invalid, type Problem } from "../../core/problem.ts";
import { parseCsv, type Separator, separators } from "../../core/read-csv.ts";

// A file of a spreadsheet as a table of texts: what it says about itself nowhere (its encoding, its delimiter) is recognised, or said by the sender.

export const encodings = ["utf-8", "utf-16le", "utf-16be", "windows-1252"] as const;
export type Encoding = (typeof encodings)[number];

const delimiters = { comma: ",", semicolon: ";", tab: "\t", pipe: "|" } as const satisfies Record<string, Separator>;
export type Delimiter = keyof typeof delimiters;
export const delimiterNames = Object.keys(delimiters) as Delimiter[];

/** The most rows of a file, and columns. */
export const MOST_ROWS = 10_000;
export const MOST_COLUMNS = 200;

export interface FileRow {
  /** The line of the file on which it begins. */
  line: number;
  cells: string[];
}

export interface FileTable {
  encoding: Encoding;
  hasByteOrderMark: boolean;
  delimiter: Delimiter;
  head: FileRow;
  rows: FileRow[];
}

/**
 * Reads a file.
 * @throws Problem 400: it is empty, has another encoding than was said, quotes that are not closed, or too many rows or columns
 */
export function readTable(
  bytes: Uint8Array,
  named: { encoding?: Encoding | undefined; delimiter?: Delimiter | undefined },
): FileTable {
  const { encoding, hasByteOrderMark } = encodingOf(bytes, named.encoding);
  const text = textIn(bytes, encoding);
  const delimiter = named.delimiter ?? delimiterOf(text);
  const lines = parseCsv(text, delimiters[delimiter]);
  const broken = lines.find(({ fields }) => fields.length === 0);
  if (broken)
    throw refused(
      `/lines/${broken.number}`,
      "invalid_line",
      "cannot be read, nor what follows: a cell with a quote must be in quotes, and each quote in it doubled",
    );
  const [head, ...rows] = lines.map(({ number, fields }) => ({
    line: number,
    cells: fields.map((cell) => asWritten(cell.trim())),
  }));
  if (!head) throw refused("", "too_small", "holds no cells: the first line must name the columns");
  if (head.cells.length > MOST_COLUMNS)
    throw refused("/lines/1", "too_big", `has ${head.cells.length} columns; ${MOST_COLUMNS} are allowed`);
  if (rows.length > MOST_ROWS)
    throw refused("", "too_big", `has ${rows.length} rows; ${MOST_ROWS} are allowed: send it in parts`);
  return { encoding, hasByteOrderMark, delimiter, head, rows };
}

function encodingOf(bytes: Uint8Array, named: Encoding | undefined): { encoding: Encoding; hasByteOrderMark: boolean } {
  const [first, second, third] = bytes;
  const marked: Encoding | null =
    first === 0xef && second === 0xbb && third === 0xbf
      ? "utf-8"
      : first === 0xff && second === 0xfe
        ? "utf-16le"
        : first === 0xfe && second === 0xff
          ? "utf-16be"
          : null;
  const hasByteOrderMark = marked !== null && (named ?? marked) === marked;
  if (named) return { encoding: named, hasByteOrderMark };
  if (marked) return { encoding: marked, hasByteOrderMark };
  // A text in UTF-16 that begins with a letter of ASCII has a zero byte there, which no other text has.
  if (second === 0) return { encoding: "utf-16le", hasByteOrderMark };
  if (first === 0) return { encoding: "utf-16be", hasByteOrderMark };
  return { encoding: isUtf8(bytes) ? "utf-8" : "windows-1252", hasByteOrderMark };
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

function textIn(bytes: Uint8Array, encoding: Encoding): string {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    throw refused("", "unreadable", `is not ${encoding}`);
  }
}

/** The delimiter of a file: the one that its first line has most often outside of quotes. */
function delimiterOf(text: string): Delimiter {
  const [head = ""] = text
    .replaceAll(/"(?:[^"]|"")*"/g, "")
    .trimStart()
    .split(/[\r\n]/, 1);
  const counts = delimiterNames.map((name) => ({ name, count: head.split(delimiters[name]).length }));
  return counts.reduce((most, one) => (one.count > most.count ? one : most)).name;
}

/** The lines of a CSV file with these cells, safe to open in a spreadsheet. */
export function writeTable(rows: readonly (readonly string[])[], delimiter: Delimiter): string {
  const separator = delimiters[delimiter];
  const quoted = (cell: string) => {
    const safe = withoutFormulas(cell);
    return /["\r\n]/.test(safe) || separators.some((one) => safe.includes(one)) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  return rows.map((row) => `${row.map(quoted).join(separator)}\r\n`).join("");
}

function refused(pointer: string, code: FaultCode, message: string): Problem {
  return invalid([{ pointer, code, message }]);
}
