// A table as a file for spreadsheets, in the format of the page's language. The API's CSV (src/core/csv.ts) has all columns instead, and UTC.

/** A cell: a number, which spreadsheets can add up, or a text. */
export type CsvCell = number | string;

/** Where a spreadsheet would read the rest of a text as a formula, as in the API's CSV. */
const beforeFormula = /^(?=[=+\-@＝＋－＠\t\r\n])|(?<=[,;|\t\r\n"])(?=[=+\-@＝＋－＠])/g;

/**
 * The text of a CSV file (RFC 4180). With a decimal comma, cells are separated by `;`, as spreadsheets expect there; the byte order mark tells
 * them that it is UTF-8.
 */
export function csvText(rows: readonly (readonly CsvCell[])[], decimal: "." | ","): string {
  const separator = decimal === "," ? ";" : ",";
  const special = decimal === "," ? /[";\r\n]/ : /[",\r\n]/;
  const cell = (value: CsvCell) => {
    if (typeof value === "number") return String(value).replace(".", decimal);
    const text = value.replace(beforeFormula, "'");
    return special.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
  };
  return `\uFEFF${rows.map((row) => `${row.map(cell).join(separator)}\r\n`).join("")}`;
}
