import fc from "fast-check";

// Wrong and malicious input, as people, programs and attackers send it.

export type Json = string | number | boolean | null | Json[] | { [member: string]: Json };

const nested = (depth: number) => Array.from({ length: depth }).reduce<Json>((inner) => [inner], 1);
const numbers = [0, -0, -1, 1.5, 2 ** 31, 2 ** 53, 2 ** 53 + 2, -(2 ** 63), 1e308, Number.MIN_VALUE];
const texts = ["", " ", "0", "-1", "1e3", "\0", "a\0b", "\ud800", "x\udfff", "\u202e", "💥", "__proto__", "constructor", "null"];
const dates = ["2026-02-30T00:00:00Z", "0000-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "2026-01-01", "2026-01-01T00:00:00+23:59"];
const others = ["'; DROP TABLE users; --", "../../etc/passwd", "Completed", "superuser", "8d0e3b1c-5a0f-4f43-9a55-1c7d2f4be001"];
const lengths = [50, 100, 101, 200, 201, 2000, 2001, 70_000].map((length) => "x".repeat(length));
const lists: Json[] = [[], [null], [1, 1], ["a", "a"], nested(1000), Array(1001).fill(1), [...Array(1001).keys()].map(String)];
const objects: Json[] = [{}, { id: 1 }, JSON.parse('{"__proto__": {"role": "superuser"}}'), { constructor: { prototype: 1 } }];

const oddText = fc.oneof(
  fc.constantFrom(...texts, ...dates, ...others, ...lengths),
  fc.string({ unit: "binary", maxLength: 20 }),
);
const oddNumber = fc.oneof(fc.constantFrom(...numbers), fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }));
const anything = fc.oneof(
  fc.constantFrom<Json>(null, true, false, ...lists, ...objects),
  fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>,
  oddText,
  oddNumber,
);

/** One change of a body, at the place with this number. A nudge replaces a text by another text, and a number by another number. */
export const change = fc.record({
  place: fc.nat(),
  how: fc.constantFrom("nudge", "nudge", "nudge", "nudge", "replace", "replace", "remove", "repeat", "add"),
  member: fc.oneof(
    fc.constantFrom("__proto__", "constructor", "toString", "id", ""),
    fc.string({ unit: "binary", maxLength: 5 }),
  ),
  value: anything,
  oddText,
  oddNumber,
});
export type Change = typeof change extends fc.Arbitrary<infer C> ? C : never;

type Holder = { inside: Record<string, Json> | Json[]; key: string };

function placesOf(inside: Holder["inside"]): Holder[] {
  return Object.entries(inside).flatMap(([key, value]) => [
    { inside, key },
    ...(typeof value === "object" && value !== null ? placesOf(value) : []),
  ]);
}

/** Returns a copy of a body with changes applied. */
export function spoil(body: unknown, changes: readonly Change[]): Json {
  const root: Record<string, Json> = { body: JSON.parse(JSON.stringify(body)) };
  for (const { place, how, member, value: shared, oddText, oddNumber } of changes) {
    const value = structuredClone(shared);
    const places = placesOf(root);
    const { inside, key } = places[place % places.length] ?? { inside: root, key: "body" };
    const members = inside as Record<string, Json>;
    const held = members[key] ?? null;
    if (how === "replace") members[key] = value;
    if (how === "remove") delete members[key];
    if (how === "repeat" && Array.isArray(inside)) inside.push(structuredClone(held));
    if (how === "nudge" && typeof held === "string") members[key] = oddText;
    if (how === "nudge" && typeof held === "number") members[key] = oddNumber;
    if (how === "add" && typeof held === "object" && held !== null) {
      Object.defineProperty(held, member, { value, enumerable: true, configurable: true, writable: true });
    }
  }
  return root.body ?? null;
}

const bytes = (text: string) => new TextEncoder().encode(text);
const joined = (...parts: (string | number[])[]) =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === "string" ? [...bytes(part)] : part)));
const deep = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
const deepObject = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
/** Replaces the first number or text in the text. */
const firstValue = (text: string, value: string) =>
  text.replace(/:\s*("(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false)/, () => `:${value}`);
const inFirstText = (text: string, inside: number[]): Uint8Array | string => {
  const at = text.indexOf(':"');
  return at < 0 ? joined(text, inside) : joined(text.slice(0, at + 2), inside, text.slice(at + 2));
};

/** Ways to break JSON that may trip a parser, by name. Each takes the text of a good body. */
export const stumblings: Record<string, (good: string) => string | Uint8Array> = {
  "member __proto__": (good) =>
    `{"__proto__":{"role":"superuser","companyId":1},"constructor":{"prototype":{"x":1}},${good.slice(1)}`,
  "members twice": (good) => `${good.slice(0, -1)},${good.slice(1)}`,
  "first value twice, once wrong": (good) => firstValue(`${good.slice(0, -1)},${good.slice(1)}`, "[]"),
  "nested 10,000 deep": () => deep(10_000),
  "an object 10,000 deep": () => deepObject(10_000),
  "a member 10,000 deep": (good) => `{"deep":${deep(10_000)},${good.slice(1)}`,
  "a value 10,000 deep": (good) => firstValue(good, deep(10_000)),
  "values 10,000 deep": (good) => good.replaceAll(/:(\d+|"[^"]*")/g, () => `:${deepObject(10_000)}`).slice(0, 1_000_000),
  "never closed": () => "[".repeat(50_000),
  "a text of 900 kB": (good) => firstValue(good, `"${"x".repeat(900_000)}"`),
  "a text of 10 MB": (good) => firstValue(good, `"${"x".repeat(10_000_000)}"`),
  "1e400": (good) => firstValue(good, "1e400"),
  "-1e400": (good) => firstValue(good, "-1e400"),
  "1e-400": (good) => firstValue(good, "1e-400"),
  "-0": (good) => firstValue(good, "-0"),
  "2^53+1": (good) => firstValue(good, "9007199254740993"),
  "400 digits": (good) => firstValue(good, "1".repeat(400)),
  "100,000 digits": (good) => firstValue(good, "9".repeat(100_000)),
  "numbers that are all huge": (good) => good.replaceAll(/:-?\d+(\.\d+)?/g, ":1e308"),
  "a NUL, escaped": (good) => good.replaceAll(':"', ':"\\u0000'),
  "a NUL, raw": (good) => inFirstText(good, [0]),
  "half a surrogate pair, escaped": (good) => good.replaceAll(':"', ':"\\ud800'),
  "half a surrogate pair, raw": (good) => inFirstText(good, [0xed, 0xa0, 0x80]),
  "bytes that are no UTF-8": (good) => inFirstText(good, [0xff, 0xfe, 0x80]),
  "an overlong slash": (good) => inFirstText(good, [0xc0, 0xaf]),
  "a byte order mark": (good) => joined([0xef, 0xbb, 0xbf], good),
  "UTF-16": (good) => Uint8Array.from([...good].flatMap((letter) => [letter.charCodeAt(0) & 0xff, letter.charCodeAt(0) >> 8])),
  "trailing comma": (good) => `${good.slice(0, -1)},}`,
  "a comment": (good) => `/* good */${good}`,
  "two bodies": (good) => good + good,
  "single quotes": (good) => good.replaceAll('"', "'"),
  "cut off": (good) => good.slice(0, -2),
  nothing: () => "",
  "a space": () => " ",
  "a list": (good) => `[${good}]`,
  null: () => "null",
  "a number": () => "0",
  "a text": (good) => JSON.stringify(good),
  NaN: (good) => firstValue(good, "NaN"),
  Infinity: (good) => firstValue(good, "Infinity"),
  undefined: (good) => firstValue(good, "undefined"),
};

/** Content types that are not valid for a JSON body, or look as if they were not. */
export const contentTypes = [
  ...["", "x", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/octet-stream"],
  ...["application/json; charset=utf-16", "application/json;charset=latin1", "APPLICATION/JSON", "application/json, text/html"],
  ...["application/problem+json", "application/jsonx", ` application/json ;${"x".repeat(5000)}`, "text/csv"],
];

/** Odd parts of a path or values of a query, as written in a URL. */
const parts = [
  ...["", "0", "-1", "1.5", "1e3", "9".repeat(15), "9".repeat(16), "x".repeat(101), "x".repeat(5000), "null", "undefined"],
  ...["%00", "a%00b", "%FF", "%ED%A0%80", "%F0%9F%92%A5", "%", "%zz", "%2F", "%2e%2e", "'", "*", "+", ",", ";", "__proto__"],
  ...["1,".repeat(1001), "true", "2026-02-30T00:00:00Z", "9999-12-31T23:59:59Z", "WzFd", "W10", "bnVsbA"],
];
export const addressPart = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...parts) },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme", maxLength: 10 }).map((text) => encodeURIComponent(text)) },
  { weight: 1, arbitrary: fc.string({ maxLength: 10 }).map((text) => text.replaceAll(/[/?#]/g, "")) },
);
