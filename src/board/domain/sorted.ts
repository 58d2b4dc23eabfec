// Rows in the order of what a person reads in one of their columns.

/** The value by which rows are sorted; null, of which nothing is known, comes last. */
export type SortValue = number | string | null;

/** Rows in order: numbers by size, texts as a dictionary has them, with their numbers by size. What is not known is last in both directions. */
export function sorted<Row>(
  rows: readonly Row[],
  by: (row: Row) => SortValue,
  isDescending: boolean,
  { compare }: Intl.Collator,
): Row[] {
  const sign = isDescending ? -1 : 1;
  const all = rows.map((row) => ({ row, value: by(row) }));
  all.sort((a, b) => {
    if (a.value === null || b.value === null) return Number(a.value === null) - Number(b.value === null);
    if (typeof a.value === "number" && typeof b.value === "number") return sign * (a.value - b.value);
    return sign * compare(String(a.value), String(b.value));
  });
  return all.map(({ row }) => row);
}

/** Whether people first want to see the largest: of numbers, but not of texts. */
export function isLargestFirst<Row>(rows: readonly Row[], by: (row: Row) => SortValue): boolean {
  return typeof rows.map(by).find((value) => value !== null) === "number";
}
