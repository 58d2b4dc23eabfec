import { type CsvCell, csvText } from "./csv.ts";

// Files of set-up: what their columns can be, and templates to fill in.

export type ImportKind = "skus" | "operators" | "machines" | "lines" | "stop-causes" | "defect-reasons" | "work-orders";

/** What the columns of a kind can be, in the order of its template. */
export const importMembers: Readonly<Record<ImportKind, readonly string[]>> = {
  skus: ["id", "name", "standardCycleSeconds"],
  operators: ["code", "name"],
  machines: [
    ...["ref", "name", "line", "signal", "nodeId", "stopAfterSeconds", "noDataAfterSeconds", "reportingSeconds"],
    ...["holdFactor", "standardCycleSeconds", "hourlyRate"],
  ],
  lines: ["name", "order"],
  "stop-causes": ["name", "above", "level", "isProgrammed", "isIncludedInAvailability"],
  "defect-reasons": ["name"],
  "work-orders": [
    ...["code", "name", "status", "priority", "source", "estimatedDeliveryTime"],
    ...["machines", "skus", "quantities"],
  ],
};
export const importKinds = Object.keys(importMembers) as ImportKind[];

/** More bytes are refused by the service. */
export const MOST_BYTES = 4 * 1024 * 1024;

/** The text of a template: the names of its columns, which the service knows in each language, and a row. */
export function templateOf(
  kind: ImportKind,
  names: Readonly<Record<string, string>>,
  row: readonly CsvCell[],
  decimal: "." | ",",
): string {
  return csvText([importMembers[kind].map((member) => names[member] ?? member), row], decimal);
}

/** What each column is, after one of them was chosen to be a member (empty: none): no other is the same. */
export function withColumn(columns: readonly (string | null)[], place: number, member: string): string[] {
  return columns.map((one, i) => (i === place ? member : one === member ? "" : (one ?? "")));
}

/** Lines of a file in words: `2, 5–7`. */
export function linesText(ranges: readonly (readonly [number, number])[], number: (line: number) => string): string {
  return ranges.map(([first, last]) => (first === last ? number(first) : `${number(first)}–${number(last)}`)).join(", ");
}
