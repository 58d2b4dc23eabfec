import { type ComponentChildren, isValidElement, type VNode } from "preact";
import { locale } from "../app/language.ts";
import { type CsvCell, csvText } from "../domain/csv.ts";
import { saveFile } from "./save-file.ts";
import { inOrder, type Order, shownColumns, type TableData } from "./table.tsx";

/** Makes the browser save a table as CSV: its columns, rows and sums, in the shown order. Columns of buttons are left out. */
export function saveTable<Row>(data: TableData<Row>, order: Order | null, name: string): void {
  const columns = shownColumns(data).filter(({ name }) => name !== "");
  const sums = columns.map(({ total, isNumber }) => cellOf(textIn(total), isNumber));
  const rows = [
    columns.map((column) => column.name),
    ...inOrder(data, order).map((row) =>
      columns.map(({ cell, isNumber, sortBy }): CsvCell => {
        const value = isNumber ? sortBy?.(row) : undefined;
        return typeof value === "number" ? rounded(value) : cellOf(textIn(cell(row)), isNumber);
      }),
    ),
    ...(columns.some(({ total }) => total !== undefined) ? [sums] : []),
  ];
  saveFile(new Blob([csvText(rows, decimal)], { type: "text/csv" }), `${name}.csv`);
}

/** The decimal sign of the page's language. */
export const decimal = new Intl.NumberFormat(locale).format(0.5).includes(",") ? "," : ".";

/** Without the digits that come from adding fractions. */
function rounded(value: number): number {
  return Number(value.toFixed(6));
}

/** A text of a column of numbers as a number, if it is nothing but one: without thousands' separators, plus and percent signs. */
function cellOf(text: string, isNumber = false): CsvCell {
  if (!isNumber || !/^[+−]?\d[\d.,]*(\s%)?$/.test(text)) return text;
  const digits = text.replace(decimal === "," ? /[.+%\s]/g : /[,+%\s]/g, "").replace(decimal, ".");
  return Number(digits.replace("−", "-"));
}

/** The text of a cell, without pictures. Components are not rendered for it: only their children are read. */
function textIn(cell: ComponentChildren): string {
  if (Array.isArray(cell)) return cell.map(textIn).join("");
  if (typeof cell === "string" || typeof cell === "number") return String(cell);
  if (!isValidElement(cell)) return "";
  const { type, props } = cell as VNode<{ children?: ComponentChildren }>;
  return type === "svg" ? "" : textIn(props.children);
}
