/** What a file may hold. A file of a machine and a day has some thousand rows. */
const mostRows = 200_000;
const mostColumns = 500;

export type Delimiter = ";" | "," | "\t";

/** The delimiter of which the first line has most, outside quotes. */
export function delimiterOf(text: string): Delimiter {
  const line = (/^[^\r\n]*/.exec(text)?.[0] ?? "").replaceAll(/"[^"]*"/g, "");
  const counts = ([";", "\t", ","] as const).map((delimiter) => ({ delimiter, count: line.split(delimiter).length }));
  return counts.toSorted((a, b) => b.count - a.count)[0]?.delimiter ?? ",";
}

/**
 * The rows of a CSV file (RFC 4180), without empty ones, each with the line on which it begins. Fields may be quoted, and then hold delimiters, line
 * breaks and doubled quotes.
 * @throws Error naming the line
 */
export function rowsOf(text: string, delimiter: Delimiter): { line: number; fields: string[] }[] {
  const rows: { line: number; fields: string[] }[] = [];
  const field = new RegExp(`"((?:[^"]|"")*)"|([^"\\r\\n${delimiter}][^\\r\\n${delimiter}]*)`, "y");
  let [at, line] = [0, 1];
  let fields: string[] = [];
  let begun = 1;
  const endRow = () => {
    if (fields.some((value) => value !== "")) rows.push({ line: begun, fields });
    if (rows.length > mostRows) throw new Error(`the file has more than ${mostRows} rows`);
    fields = [];
  };
  while (at < text.length) {
    if (fields.length === 0) begun = line;
    field.lastIndex = at;
    const [found = "", quoted, plain = ""] = field.exec(text) ?? [];
    fields.push((quoted?.replaceAll('""', '"') ?? plain).trim());
    if (fields.length > mostColumns) throw new Error(`line ${line} has more than ${mostColumns} columns`);
    line += found.split("\n").length - 1;
    at += found.length;
    const next = text[at];
    if (next === delimiter) {
      at += 1;
      // Nothing stands behind the last delimiter of the file.
      if (at === text.length) fields.push("");
    } else if (next === "\r" || next === "\n") {
      at += text.startsWith("\r\n", at) ? 2 : 1;
      line += 1;
      endRow();
    } else if (next !== undefined) throw new Error(`line ${line} has a quote that is not closed, or text around one`);
  }
  endRow();
  return rows;
}
