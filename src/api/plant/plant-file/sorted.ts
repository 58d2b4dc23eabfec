/** Rows sorted by their keys, in the order of code units: the same for every reader, whatever the language. */
export function sorted<T>(rows: readonly T[], keysOf: (row: T) => readonly string[]): T[] {
  const keyed = rows.map((row) => ({ row, key: keysOf(row).join("\u0000") }));
  return keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ row }) => row);
}
