import { isDeepStrictEqual } from "node:util";
import { z } from "@hono/zod-openapi";
import { answerText } from "../../core/answer-text.ts";
import { codesOf, faultCodes } from "../../core/fault-codes.ts";
import { type SetUpImportKind, setUpImportKinds } from "../../db/values.ts";
import type { SetUpRow } from "../../resource/queries.ts";
import type { Item } from "../../resource/resource.ts";
import type { Decimal, MappedColumn, RowFault, SentRow, Verdict } from "./judge.ts";
import { importKinds, nameOf, type Surroundings } from "./kinds.ts";
import { delimiterNames, encodings, type FileTable, writeTable } from "./read-file.ts";

/** The most faults that an answer names, each with its lines, and items before and after. */
const MOST_FAULTS = 100;
const MOST_RANGES = 20;
const MOST_SAMPLES = 20;
const CELLS_OF_COLUMN = 3;
const CHARACTERS_OF_CELL = 80;

const members = z.record(answerText, z.unknown());
const count = z.int().min(0);

export const setUpImportReport = z
  .object({
    id: z.int().nullable().openapi({ description: "By which it can be undone; null: nothing was changed, or it was a dry run" }),
    dryRun: z.boolean(),
    kind: z.enum(setUpImportKinds),
    file: z.object({
      encoding: z.enum(encodings),
      hasByteOrderMark: z.boolean(),
      delimiter: z.enum(delimiterNames),
      decimal: z.enum(["point", "comma"]),
      rows: count.openapi({ description: "Without the header, and without rows of empty cells" }),
      columns: z.array(
        z.object({
          header: answerText,
          member: answerText.nullable().openapi({ description: "The member that its cells set; null: the column is left out" }),
          samples: z.array(answerText).openapi({ description: "Some of its cells" }),
        }),
      ),
    }),
    created: count.openapi({ description: "Rows that are new items" }),
    changed: count,
    unchanged: count.openapi({ description: "Rows that say what the item is already" }),
    faulty: count,
    faults: z
      .array(
        z.object({
          member: answerText.nullable().openapi({ description: "Null: the row as a whole" }),
          header: answerText.nullable(),
          code: z.enum(codesOf(faultCodes)),
          message: answerText,
          rows: count,
          lines: z.array(z.tuple([z.int(), z.int()])).openapi({
            description: `Where they are in the file: the first and last line of each run, the first ${MOST_RANGES} of them. The header is line 1`,
          }),
        }),
      )
      .openapi({ description: `What is wrong, most rows first, ${MOST_FAULTS} at most` }),
    samples: z
      .array(
        z.object({
          line: z.int(),
          name: answerText,
          before: members.nullable().openapi({ description: "The columns that differ, as they were; null: it is new" }),
          after: members,
        }),
      )
      .openapi({ description: `The first ${MOST_SAMPLES} changed items, and as many new ones` }),
  })
  .openapi("SetUpImportReport");
export type SetUpImportReport = z.infer<typeof setUpImportReport>;

/** A file as it was read and judged. */
export interface Judged {
  kind: SetUpImportKind;
  table: FileTable;
  columns: readonly MappedColumn[];
  decimal: Decimal;
  /** Whether the first line is a header. */
  hasHeader: boolean;
  verdict: Verdict;
  about: Surroundings;
}

export function reportOf(judged: Judged, { id, dryRun }: { id: number | null; dryRun: boolean }): SetUpImportReport {
  const { kind, table, columns, decimal, verdict } = judged;
  const { encoding, hasByteOrderMark, delimiter, rows } = table;
  return {
    ...{ id, dryRun, kind },
    file: {
      ...{ encoding, hasByteOrderMark, delimiter, rows: rows.length },
      decimal: decimal === "," ? "comma" : "point",
      columns: columns.map(({ header, member }, place) => ({ header, member, samples: samplesOf(table, place) })),
    },
    created: verdict.changes.filter(({ before }) => before === null).length,
    changed: verdict.changes.filter(({ before }) => before !== null).length,
    unchanged: verdict.unchanged,
    faulty: verdict.faulty.length,
    faults: faultGroups(verdict.faulty, columns),
    samples: changeSamples(judged),
  };
}

function samplesOf({ rows }: FileTable, place: number): string[] {
  const cells: string[] = [];
  for (const row of rows) {
    const cell = row.cells[place] ?? "";
    if (cell !== "" && !cells.includes(cell)) cells.push(cell);
    if (cells.length === CELLS_OF_COLUMN) break;
  }
  return cells.map((cell) => cell.slice(0, CHARACTERS_OF_CELL));
}

function headerOf(columns: readonly MappedColumn[], member: string | null): string | null {
  return columns.find((column) => member !== null && column.member === member)?.header ?? null;
}

function faultGroups(faulty: readonly SentRow[], columns: readonly MappedColumn[]): SetUpImportReport["faults"] {
  const all = faulty.flatMap(({ line, faults }) => faults.map((fault) => ({ line, ...fault })));
  const groups = [...Map.groupBy(all, ({ member, code, message }) => JSON.stringify([member, code, message])).values()];
  const found = groups.flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const { member, code, message } = first;
    const lines = rangesOf(group.map(({ line }) => line)).slice(0, MOST_RANGES);
    return { member, header: headerOf(columns, member), code, message, rows: group.length, lines };
  });
  return found.sort((a, b) => b.rows - a.rows).slice(0, MOST_FAULTS);
}

/** The runs of lines. Rows of several lines make several runs. */
function rangesOf(lines: readonly number[]): [number, number][] {
  const ranges: [number, number][] = [];
  for (const line of lines) {
    const last = ranges.at(-1);
    if (last && line <= last[1] + 1) last[1] = line;
    else ranges.push([line, line]);
  }
  return ranges;
}

function changeSamples({ kind, verdict, about }: Judged): SetUpImportReport["samples"] {
  const changed = verdict.changes.filter(({ before }) => before !== null).slice(0, MOST_SAMPLES);
  const created = verdict.changes.filter(({ before }) => before === null).slice(0, MOST_SAMPLES);
  return [...changed, ...created].map(({ line, before, next }) => {
    const name = nameOf(kind, next, about);
    const shown = (row: SetUpRow): Item => importKinds[kind].shown(row, about);
    const after = shown(next);
    if (before === null) return { line, name, before: null, after };
    const old = shown(before);
    const differing = Object.keys(after).filter((member) => !isDeepStrictEqual(old[member], after[member]));
    const only = (item: Item) => Object.fromEntries(differing.map((member) => [member, item[member]]));
    return { line, name, before: only(old), after: only(after) };
  });
}

/** The faulty rows as a file, each with what is wrong in a last column. It can be mended and sent again. */
export function faultyRows({ table, columns, hasHeader, verdict }: Judged): string {
  const why = ({ member, message }: RowFault) => {
    const header = headerOf(columns, member) || member;
    return header === null ? message : `${header} ${message}`;
  };
  const head = hasHeader ? [[...table.head.cells, "why"]] : [];
  const rows = verdict.faulty.map(({ cells, faults }) => {
    const own = columns.map((_, place) => cells[place] ?? "");
    return [...own, ...cells.slice(columns.length), faults.map(why).join("; ")];
  });
  return `\uFEFF${writeTable([...head, ...rows], table.delimiter)}`;
}
