import { isDeepStrictEqual } from "node:util";
import type { z } from "@hono/zod-openapi";
import type { FaultCode } from "../../core/fault-codes.ts";
import { type Fault, invalid } from "../../core/problem.ts";
import type { SetUpImportKind } from "../../db/values.ts";
import { append } from "../../oee/extremes.ts";
import { isNumbered, type SetUpRow } from "../../resource/queries.ts";
import type { Item } from "../../resource/resource.ts";
import type { StopCauseRow } from "../plant/stop-causes/queries.ts";
import { causeKey } from "./causes.ts";
import { type ImportColumn, type ImportKind, importKinds, plainName, type Surroundings } from "./kinds.ts";
import { type FileRow, type FileTable, MOST_COLUMNS } from "./read-file.ts";

// What each row of a file makes of the set-up: a new item, a changed one, an item as it is, or faults.

export type Decimal = "." | ",";

/** A column of the file: its header, and the member that its cells are of (null: it is left out). */
export interface MappedColumn {
  header: string;
  member: string | null;
}

export interface RowFault {
  /** Null: of the row as a whole. */
  member: string | null;
  code: FaultCode;
  message: string;
}

/** A row as its cells say it. */
export interface SentRow {
  line: number;
  cells: string[];
  sent: Item;
  faults: RowFault[];
}

/** What a row makes of an item. */
interface RowChange {
  line: number;
  before: SetUpRow | null;
  next: SetUpRow;
}

export interface Verdict {
  changes: RowChange[];
  unchanged: number;
  faulty: SentRow[];
}

/** Ids of new items until they have some: negative, so that they are nobody's. */
const NO_ID = -1;

/**
 * Finds the member of each column: named by the sender, or by its header.
 * @throws Problem 400: a member is named twice, or there is none of that name
 */
export function mapColumns(
  kind: ImportKind,
  { head }: FileTable,
  { columns, hasHeader }: { columns: readonly string[] | undefined; hasHeader: boolean },
): MappedColumn[] {
  if (columns) refuseColumns(kind, columns, head.cells.length);
  const byName = new Map(
    Object.entries(kind.columns).flatMap(([member, { synonyms }]) =>
      [plainName(member), ...synonyms].map((one): [string, string] => [one, member]),
    ),
  );
  const used = new Set<string>();
  const mapped = head.cells.map((cell, i): MappedColumn => {
    const header = hasHeader ? cell : "";
    const named = columns ? columns[i] || null : hasHeader ? (byName.get(plainName(cell)) ?? null) : null;
    // Of two columns that could be the same member, the first is.
    const member = named !== null && used.has(named) ? null : named;
    if (member !== null) used.add(member);
    return { header, member };
  });
  return mapped;
}

/** Refuses a file that does not say which item each row is. A dry run of it says so of each row, and shows the columns. */
export function refuseNameless({ key, resource }: ImportKind, columns: readonly MappedColumn[]): void {
  if (columns.some(({ member }) => member === key)) return;
  const message = `must name the column of the ${key}, which tells ${resource.names.nouns} apart: its header, or columns, says which one it is`;
  throw invalid([{ pointer: "/lines/1", code: "invalid_head", message }]);
}

function refuseColumns(kind: ImportKind, columns: readonly string[], count: number): void {
  const pointer = "/query/columns";
  const names = Object.keys(kind.columns);
  for (const [i, name] of columns.entries()) {
    if (name === "") continue;
    if (!names.includes(name))
      throw invalid([{ pointer, code: "not_found", message: `names ${name.slice(0, 100)}; there are ${names.join(", ")}` }]);
    if (columns.indexOf(name) !== i) throw invalid([{ pointer, code: "repeated", message: `names ${name} twice` }]);
  }
  if (columns.length > Math.max(count, MOST_COLUMNS))
    throw invalid([{ pointer, code: "out_of_range", message: `names ${columns.length} columns; the file has ${count}` }]);
}

/** The decimal sign of a file: the one that more of its numbers have; without such numbers, the one that goes with its delimiter. */
export function decimalOf(kind: ImportKind, { rows, delimiter }: FileTable, columns: readonly MappedColumn[]): Decimal {
  const places = columns.flatMap(({ member }, i) => (member && isOfNumbers(kind.columns[member]) ? i : []));
  let [commas, points] = [0, 0];
  for (const { cells } of rows) {
    for (const number of places.flatMap((place) => partsOf(cells[place] ?? ""))) {
      if (/^[+-]?\d+,\d+$/.test(number)) commas++;
      if (/^[+-]?\d+\.\d+$/.test(number)) points++;
    }
  }
  if (commas === points) return delimiter === "semicolon" ? "," : ".";
  return commas > points ? "," : ".";
}

function isOfNumbers(column: ImportColumn | undefined): boolean {
  return column?.reading === "number" || column?.reading === "numbers";
}

/** What a cell with several values lists. */
function partsOf(cell: string): string[] {
  return cell
    .split(";")
    .map((one) => one.trim())
    .filter((one) => one !== "");
}

/** The faults of a value that its schema refuses, in the form that faults of request bodies have. */
export type FaultsIn = (issues: readonly z.core.$ZodIssue[]) => readonly Pick<Fault, "code" | "message">[];

/** Reads the cells of rows. */
export function readRows(
  kind: ImportKind,
  rows: readonly FileRow[],
  columns: readonly MappedColumn[],
  decimal: Decimal,
  faultsIn: FaultsIn,
): SentRow[] {
  const mapped = columns.flatMap(({ member }, place) => {
    const column = member === null ? undefined : kind.columns[member];
    const schema = member === null ? undefined : (kind.schema.shape[member] as z.ZodType | undefined);
    return member !== null && column && schema ? [{ member, column, schema, place }] : [];
  });
  const nameless: RowFault[] = columns.some(({ member }) => member === kind.key)
    ? []
    : [{ member: kind.key, code: "required", message: "is required, and no column is" }];
  return rows.map(({ line, cells }): SentRow => {
    if (cells.length !== columns.length) {
      const message = `has ${cells.length} cells, and the first line ${columns.length}`;
      return { line, cells, sent: {}, faults: [{ member: null, code: "invalid_line", message }] };
    }
    const sent: Item = {};
    const faults = [...nameless];
    for (const { member, column, schema, place } of mapped) {
      const value = cellValue(cells[place] ?? "", column, decimal);
      if (typeof value === "object" && !Array.isArray(value)) {
        faults.push({ member, ...value });
        continue;
      }
      const parsed = schema.safeParse(value);
      if (parsed.success) sent[member] = parsed.data;
      else
        append(
          faults,
          faultsIn(parsed.error.issues).map(({ code, message }) => ({ member, code, message })),
        );
    }
    return { line, cells, sent, faults };
  });
}

type CellFault = Omit<RowFault, "member">;

function numberIn(cell: string, decimal: Decimal): number | CellFault {
  const isNumber = decimal === "," ? /^[+-]?\d+(,\d+)?$/.test(cell) : /^[+-]?\d+(\.\d+)?$/.test(cell);
  if (isNumber) return Number(cell.replace(",", "."));
  const sign = decimal === "," ? "comma" : "point";
  return { code: "invalid_type", message: `must be a number, with a decimal ${sign} and nothing between thousands` };
}

function numbersIn(parts: readonly string[], decimal: Decimal): number[] | undefined | CellFault {
  const numbers = parts.map((one) => numberIn(one, decimal));
  const fault = numbers.find((one) => typeof one === "object");
  if (fault) return fault;
  return numbers.length > 0 ? (numbers as number[]) : undefined;
}

const yes = new Set(["true", "yes", "y", "1", "x", "si", "s", "verdadero"]);
const no = new Set(["false", "no", "n", "0", "falso"]);

/** The value of a cell; undefined: it is empty. */
function cellValue(
  cell: string,
  { reading }: ImportColumn,
  decimal: Decimal,
): string | number | boolean | string[] | number[] | undefined | CellFault {
  if (cell === "") return undefined;
  if (reading === "text") return cell;
  if (reading === "number") return numberIn(cell, decimal);
  const parts = partsOf(cell);
  if (reading === "texts") return parts.length > 0 ? parts : undefined;
  if (reading === "numbers") return numbersIn(parts, decimal);
  const plain = plainName(cell);
  if (reading === "flag") {
    if (yes.has(plain)) return true;
    if (no.has(plain)) return false;
    return { code: "invalid_value", message: "must be yes or no" };
  }
  const found = Object.entries(reading).find(([value, synonyms]) => plain === plainName(value) || synonyms.includes(plain));
  if (found) return found[0];
  return { code: "invalid_value", message: `must be ${Object.keys(reading).join(" or ")}` };
}

/** What tells the item of a row apart from others of its kind; null: its cells do not say it. */
function keyOf(kind: SetUpImportKind, { sent }: Pick<SentRow, "sent">, { causes }: Surroundings): string | null {
  const value = sent[importKinds[kind].key];
  if (typeof value !== "string") return null;
  return kind === "stop-causes" ? JSON.stringify(causeKey(sent, causes)) : value;
}

/** The items that there are, by what tells them apart. */
function byKey(kind: SetUpImportKind, rows: readonly SetUpRow[], about: Surroundings): Map<string, SetUpRow> {
  if (kind !== "stop-causes") return new Map(rows.map((row) => [String((row as unknown as Item)[importKinds[kind].key]), row]));
  const causes = rows as StopCauseRow[];
  return new Map(causes.map((row) => [JSON.stringify({ level: row.level, path: about.causes.pathOf(row) }), row]));
}

/** A row with what tells its item apart. */
interface KeyedRow {
  row: SentRow;
  key: string | null;
}

/** Judges the rows of a file. */
export function judgeRows(
  kind: SetUpImportKind,
  rows: readonly SentRow[],
  found: readonly SetUpRow[],
  about: Surroundings,
  companyId: number,
): Verdict {
  const keyed = rows.map((row): KeyedRow => ({ row, key: keyOf(kind, row, about) }));
  const judge = new Judge(kind, keyed, found, about, companyId);
  // Causes come after those above them.
  const inOrder = kind === "stop-causes" ? keyed.toSorted((a, b) => depthOf(a.key) - depthOf(b.key)) : keyed;
  for (const one of inOrder) judge.take(one);
  judge.verdict.faulty.sort((a, b) => a.line - b.line);
  return judge.verdict;
}

class Judge {
  readonly verdict: Verdict = { changes: [], unchanged: 0, faulty: [] };
  readonly #name: SetUpImportKind;
  readonly #kind: ImportKind;
  readonly #known: ReadonlyMap<string, SetUpRow>;
  readonly #lines: ReadonlyMap<string | null, KeyedRow[]>;
  readonly #missing: ReturnType<typeof missingIn>;
  readonly #about: Surroundings;
  readonly #companyId: number;

  constructor(
    kind: SetUpImportKind,
    rows: readonly KeyedRow[],
    found: readonly SetUpRow[],
    about: Surroundings,
    companyId: number,
  ) {
    this.#name = kind;
    this.#kind = importKinds[kind];
    this.#known = byKey(kind, found, about);
    this.#lines = Map.groupBy(rows, ({ key }) => key);
    this.#missing = missingIn(this.#kind);
    this.#about = about;
    this.#companyId = companyId;
  }

  take({ row, key }: KeyedRow): void {
    const before = key === null ? null : (this.#known.get(key) ?? null);
    const faults = [...row.faults, ...(key === null ? [] : this.#faultsOf(row, key, before))];
    const values = faults.length > 0 ? null : this.#kind.valuesOf(this.#sentOf(row, key, before), before, this.#about);
    if (values === null || Array.isArray(values)) {
      this.verdict.faulty.push({ ...row, faults: values === null ? faults : values.map(faultOf) });
      return;
    }
    const next = { ...(before ?? this.#newRow()), ...values } as SetUpRow;
    if (before && isDeepStrictEqual(before, next)) {
      this.verdict.unchanged++;
      return;
    }
    if (!before && this.#name === "stop-causes") this.#about.causes.add(next as StopCauseRow);
    this.verdict.changes.push({ line: row.line, before, next });
  }

  #faultsOf(row: SentRow, key: string, before: SetUpRow | null): RowFault[] {
    const same = this.#lines.get(key) ?? [];
    const lines = same.map((one) => one.row.line);
    return [
      ...(same.length > 1 ? [repeated(this.#kind, lines)] : []),
      ...(before ? [] : this.#missing.faults.filter(({ member }) => !isIn(row, member))),
    ];
  }

  #sentOf(row: SentRow, key: string | null, before: SetUpRow | null): Item {
    const sent = before ? row.sent : { ...this.#missing.defaults, ...row.sent };
    return this.#name === "stop-causes" && key !== null ? { ...sent, ...levelIn(key) } : sent;
  }

  #newRow(): Item {
    const { table } = this.#kind.resource;
    const id = isNumbered(table) ? { id: NO_ID - this.verdict.changes.length } : {};
    return { ...id, companyId: this.#companyId, createdAt: 0, updatedAt: 0, deletedAt: null };
  }
}

function isIn({ sent, faults }: SentRow, member: string | null): boolean {
  return (member !== null && member in sent) || faults.some((fault) => fault.member === member);
}

/** What columns that a file lacks say of a new item: their defaults, or that they are required. */
function missingIn({ schema }: ImportKind): { defaults: Item; faults: RowFault[] } {
  const defaults: Item = {};
  const faults: RowFault[] = [];
  for (const [member, one] of Object.entries(schema.shape)) {
    const parsed = (one as z.ZodType).safeParse(undefined);
    if (parsed.success) defaults[member] = parsed.data;
    else faults.push({ member, code: "required", message: "is required of a new one, and the file has no such column" });
  }
  return { defaults, faults };
}

function repeated({ key }: ImportKind, lines: readonly number[]): RowFault {
  const [first = 0, ...others] = lines.slice(0, 10);
  const more = lines.length > 10 ? " and others" : "";
  return { member: key, code: "repeated", message: `is the same on the lines ${[first, ...others].join(", ")}${more}` };
}

function faultOf({ pointer, code, message }: Fault): RowFault {
  return { member: pointer.slice(1), code, message };
}

function levelIn(key: string): Pick<StopCauseRow, "level"> {
  return { level: (JSON.parse(key) as { level: StopCauseRow["level"] }).level };
}

function depthOf(key: string | null): number {
  return key === null ? 0 : (JSON.parse(key) as { path: string[] }).path.length;
}
