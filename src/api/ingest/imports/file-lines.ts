import type { ImportFormat } from "../../../db/values.ts";

// The lines of a file that is read a piece at a time.

/** The most bytes of a piece, and the most lines. Tests lower them. */
export const bounds = { pieceBytes: 4 * 1024 * 1024, pieceLines: 25_000 };
/** The most bytes of a line. */
const MAX_LINE_BYTES = 64 * 1024;

const LINE_FEED = 10;

/** The header of a CSV file. */
export interface Head {
  separator: "," | ";";
  columns: string[];
}

/** A line of a file, read as what was sent, or why it cannot be read. */
export interface FileLine {
  line: number;
  /** Where it begins in the file. */
  offset: number;
  sent: unknown;
  refusal: { code: "malformed_json" | "malformed_utf8" | "invalid_line"; message: string } | null;
}

/** Where the next line begins, and its number. */
export interface Place {
  offset: number;
  line: number;
}

/** The lines of a piece that are not blank, and the place after them; null: not even the first line ends in it. */
export interface Piece {
  lines: FileLine[];
  next: Place;
}

/**
 * Reads the lines of a piece.
 * @param bytes those from the place on, up to `pieceBytes`
 * @param isEnd whether the file ends with them
 */
export function readPiece(
  bytes: Uint8Array,
  { offset, line }: Place,
  { isEnd, format, head }: { isEnd: boolean; format: ImportFormat; head: Head | null },
): Piece | null {
  const lines: FileLine[] = [];
  let start = 0;
  let number = line;
  while (start < bytes.length && lines.length < bounds.pieceLines) {
    const feed = bytes.indexOf(LINE_FEED, start);
    if (feed < 0 && !isEnd) break;
    const end = feed < 0 ? bytes.length : feed;
    const read = number === 1 && format === "csv" ? null : readLine(bytes.subarray(start, end), format, head);
    if (read) lines.push({ line: number, offset: offset + start, ...read });
    start = feed < 0 ? bytes.length : feed + 1;
    number++;
  }
  if (start === 0 && !isEnd) return null;
  return { lines, next: { offset: offset + start, line: number } };
}

/** What a line says; null: it is blank. */
function readLine(bytes: Uint8Array, format: ImportFormat, head: Head | null): Pick<FileLine, "sent" | "refusal"> | null {
  if (bytes.length > MAX_LINE_BYTES)
    return refused("invalid_line", `The line has ${bytes.length} bytes; ${MAX_LINE_BYTES} are allowed.`);
  const text = textOf(bytes);
  if (text === null) return refused("malformed_utf8", "The line is not UTF-8.");
  if (/^\s*$/.test(text)) return null;
  return format === "csv" && head ? readCsv(text, head) : readJson(text);
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });

/** The text of bytes, without a byte order mark; null: they are not UTF-8. */
export function textOf(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}

function readJson(text: string): Pick<FileLine, "sent" | "refusal"> {
  try {
    return { sent: withoutNulls(JSON.parse(text)), refusal: null };
  } catch {
    return refused("malformed_json", "The line is not JSON.");
  }
}

/** An exported event has null where a member was left out. */
function withoutNulls(sent: unknown): unknown {
  if (typeof sent !== "object" || sent === null || Array.isArray(sent)) return sent;
  return Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null));
}

/** The members of an event that are numbers. */
const numbers = new Set(["nodeId", "channel", "value", "reading", "machineId", "operatorId"]);

function readCsv(text: string, { separator, columns }: Head): Pick<FileLine, "sent" | "refusal"> {
  const cells = cellsOf(text, separator);
  if (!cells) return refused("invalid_line", "The quotes of the line are not closed.");
  if (cells.length !== columns.length)
    return refused("invalid_line", `The line has ${cells.length} cells, and the header ${columns.length}.`);
  const sent: Record<string, unknown> = {};
  for (const [i, name] of columns.entries()) {
    const cell = cells[i] ?? "";
    if (cell === "") continue;
    sent[name] = numbers.has(name) && /^-?\d+(\.\d+)?$/.test(cell) ? Number(cell) : cell;
  }
  return { sent, refusal: null };
}

/**
 * The cells of a line of CSV (RFC 4180): cells in double quotes may contain separators and doubled quotes. Null: a quote is not closed, or is not
 * where a cell begins. No member of an event may contain a line break, so a cell with one is not closed.
 */
export function cellsOf(text: string, separator: "," | ";"): string[] | null {
  const line = text.endsWith("\r") ? text.slice(0, -1) : text;
  if (!line.includes('"')) return line.split(separator).map((cell) => cell.trim());
  const cells: string[] = [];
  const cell = separator === "," ? /(?:"((?:[^"]|"")*)"|([^",]*))(,|$)/gy : /(?:"((?:[^"]|"")*)"|([^";]*))(;|$)/gy;
  for (const [, quoted, plain = "", end] of line.matchAll(cell)) {
    cells.push(quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"'));
    if (end === "") return cells;
  }
  return null;
}

function refused(code: NonNullable<FileLine["refusal"]>["code"], message: string): Pick<FileLine, "sent" | "refusal"> {
  return { sent: null, refusal: { code, message } };
}
