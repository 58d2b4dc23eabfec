/** The members and places that a path names, such as `$.counters.total` and `a.b[0]`; null: it is no path. */
export function pathOf(text: string): (string | number)[] | null {
  const steps: (string | number)[] = [];
  let rest = text.startsWith("$") ? text.slice(1) : `.${text}`;
  if (rest.startsWith(".[")) rest = rest.slice(1);
  while (rest !== "") {
    const [found, name, quoted, index] = /^(?:\.([^.[\]"]+)|\["([^"]*)"\]|\[(\d{1,9})\])/.exec(rest) ?? [];
    if (found === undefined) return null;
    steps.push(index === undefined ? (name ?? quoted ?? "") : Number(index));
    rest = rest.slice(found.length);
  }
  return steps;
}

/** What stands at a path of a JSON document; undefined: nothing. */
export function valueAt(document: unknown, path: readonly (string | number)[]): unknown {
  let value = document;
  for (const step of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<string | number, unknown>)[step];
  }
  return value;
}

/** Whole numbers that a `number` does not hold are read as bigint, so that counters of 64 bits are exact. */
function exact(_: string, value: unknown, { source }: { source?: string } = {}): unknown {
  const isRounded = typeof value === "number" && !Number.isSafeInteger(value) && source !== undefined && /^-?\d+$/.test(source);
  return isRounded ? BigInt(source) : value;
}

/** The JSON of a payload; undefined: it is none. */
export function jsonOf(payload: Buffer): unknown {
  try {
    // Few payloads have such numbers, and reading every number's text takes several times as long.
    const text = payload.toString("utf8");
    return /\d{16}/.test(text) ? JSON.parse(text, exact) : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A point in time as machines write it: ISO 8601 with its zone, or seconds or milliseconds since 1970. Null: it is none. */
export function timeOf(value: unknown): number | null {
  if (typeof value === "string" && /^\d{9,14}(?:\.\d+)?$/.test(value)) return timeOf(Number(value));
  if (typeof value === "string" && /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:?\d\d)$/.test(value)) return valid(Date.parse(value));
  if (typeof value === "bigint") return timeOf(Number(value));
  if (typeof value !== "number") return null;
  // Seconds reach this number in the year 5138, milliseconds did in 1973.
  return valid(value < 1e11 ? value * 1000 : value);
}

function valid(ms: number): number | null {
  return Number.isFinite(ms) && ms > 0 && ms < 1e14 ? Math.round(ms) : null;
}
