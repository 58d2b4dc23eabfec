/** The SQL literal of a value as its column stores it: null, number or text. */
export function literal(value: unknown): string {
  if (value === null) return "NULL";
  if (typeof value === "number") return String(value);
  return `'${String(value).replaceAll("'", "''")}'`;
}

/** SQL text with its values as literals. */
export function sql(parts: TemplateStringsArray, ...values: (string | number | null)[]): string {
  return String.raw({ raw: parts }, ...values.map(literal));
}
