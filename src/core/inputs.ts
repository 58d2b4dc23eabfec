import { z } from "@hono/zod-openapi";
import type { FaultCode } from "./fault-codes.ts";
import { isLine, isStorable, lineText } from "./lines.ts";

// Request members that operations share.

/** A time whose offset has lost its plus: in a query, `+` means a space. */
const withoutPlus = /^\d{4}-\d\d-\d\dT[\d:.]+ \d\d:?\d\d$/;

/** An ISO 8601 date-time with Z or an offset, parsed to epoch ms. */
export const instant = z.iso
  .datetime({
    offset: true,
    abort: true,
    error: ({ input }) =>
      typeof input === "string" && withoutPlus.test(input)
        ? "has a space where the + of its offset should be: in a query, write + as %2B, or use Z"
        : undefined,
  })
  .transform((text) => Date.parse(text))
  .openapi({ type: "string", format: "date-time", description: "ISO 8601 with Z or an offset" });

/** The digits of an id, parsed to a number. */
export const idText = z
  .string()
  .regex(/^\d{1,15}$/, "must be an id: digits only")
  .transform(Number);

/** An id in a body, as a number or as its digits, parsed to a number. */
export const idNumberOrText = z
  .preprocess((sent) => (typeof sent === "number" ? String(sent) : sent), idText)
  .openapi({ type: ["integer", "string"], pattern: "^\\d{1,15}$", minimum: 0, maximum: 999_999_999_999_999 });

/** An id in a body that may be null, as a number or as its digits. */
export const idOrNull = (description: string) =>
  idNumberOrText.nullable().openapi({ type: ["integer", "string", "null"], description });

/** The schema of an id in a path or query in the OpenAPI document. */
export const idShape = { type: "integer", minimum: 0, maximum: 999_999_999_999_999 } as const;

/** An id in a path or query, parsed to a number. */
export const idParameter = idText.openapi(idShape);

// Every text that enters is one of the following kinds. All refuse what a store would not return unchanged: half of a surrogate pair, and
// control characters.

/** A line of text of at most `maxLength` characters. */
export const text = byLength(lineText);

/** Text of several lines, such as a comment. */
export const multilineText = byLength((maxLength) =>
  z.string().max(maxLength).refine(isStorable, "must not contain control characters, or half of a surrogate pair"),
);

/** Each is several parameters of a statement, of which D1 allows 100. */
const MOST_WORDS = 5;

/** What somebody looks for in a list. */
export const searchText = text(100)
  .refine((search) => search.split(/\s+/).length <= MOST_WORDS, `must have at most ${MOST_WORDS} words`)
  .optional()
  .openapi({ example: "bottle 500" });

/** A name that people read in lists and messages. What cannot be seen in it would let two names look the same, or turn the text around it. */
export const nameText = byLength((maxLength) =>
  text(maxLength)
    .min(1, { abort: true })
    .refine(
      (name) => !invisible.test(name),
      "must not contain invisible characters, or characters that change the direction of text",
    )
    .refine((name) => /\S/.test(name), "must not be blank"),
);

/** An id that the caller chooses. It becomes a part of paths, where `.` and `..` mean folders. */
export const idOfCaller = byLength((maxLength) =>
  nameText(maxLength).refine((id) => id !== "." && id !== "..", "must not be . or .., which have a meaning in paths"),
);

/** A text in a path that names something. What can be no name names nothing: it becomes the empty text, so the answer is 404. */
export const nameInPath = z
  .string()
  .transform((name) => (name.length <= 200 && isLine(name) ? name : ""))
  .openapi({ type: "string" });

/** Controls of direction, zero-width characters (but the joiners that scripts and emoji need), line separators, and fillers that show nothing. */
const invisible =
  /[\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|\u034f|\u{e0001}/u;

/** One schema per length: each costs start-up time, and these are used a hundred times. */
function byLength(make: (maxLength: number) => z.ZodString): (maxLength: number) => z.ZodString {
  const made = new Map<number, z.ZodString>();
  return (maxLength) => {
    const known = made.get(maxLength) ?? make(maxLength);
    made.set(maxLength, known);
    return known;
  };
}

const maxDepth = 50;
/** Of JSON in UTF-8, written now. Until November 2026 it could be up to 1 MiB, and such rows may still be stored. */
const maxMapBytes = 64 * 1024;

/** An object whose content is up to the client. Deeper nesting could be parsed, but not serialized again. */
export const keptMap = z
  .record(z.string(), z.unknown())
  .superRefine((value, c) => {
    if (!isShallow(value, maxDepth)) c.addIssue({ code: "custom", message: `must be nested at most ${maxDepth} levels deep` });
    else if (!isKept(value))
      c.addIssue({ code: "custom", message: "must not contain control characters, or half of a surrogate pair" });
    else if (Buffer.byteLength(JSON.stringify(value)) > maxMapBytes) {
      c.addIssue(brokenRule("too_big", [], `must be at most ${maxMapBytes / 1024} KiB of JSON`));
    }
  })
  .openapi({ description: `At most ${maxMapBytes / 1024} KiB of JSON` });

/** Whether all texts in a value can be stored, keys included. */
function isKept(value: unknown): boolean {
  if (typeof value === "string") return isStorable(value);
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([key, part]) => isStorable(key) && isKept(part));
}

function isShallow(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return depth > 0 && Object.values(value).every((part) => isShallow(part, depth - 1));
}

/** An issue for `addIssue`: the member at `path` breaks a rule. Callers get `faultCode` as its code instead of zod's `custom`. */
export function brokenRule(faultCode: FaultCode, path: (string | number)[], message: string) {
  return { code: "custom" as const, path, message, params: { faultCode } };
}

/** The issue of a list that contains the value at `path` twice. */
export function repeatedAt(...path: (string | number)[]) {
  return brokenRule("repeated", path, "is already in the list");
}

/** A list of at most 1,000 different texts or numbers. */
export function distinct<T extends z.ZodType<string | number>>(item: T) {
  return z
    .array(item)
    .max(1000)
    .superRefine((list, c) => {
      const seen = new Set<string | number>();
      for (const [i, one] of list.entries()) {
        if (seen.has(one)) c.addIssue(repeatedAt(i));
        seen.add(one);
      }
    })
    .openapi({ uniqueItems: true });
}

/** The company in the query of a list. For all but superusers it is their own. */
export const companyQuery = idParameter.optional().openapi({
  description: "The company to read: only superusers may name another one than their own, which is the default",
});

/** A flag in a query. */
export const flagText = z
  .enum(["true", "false"])
  .transform((flag) => flag === "true")
  .openapi({ type: "boolean" });

const splitText = z
  .union([z.string(), z.array(z.string())])
  .transform((sent) => [sent].flat().flatMap((items) => items.split(",")));

type ItemShape =
  | typeof idShape
  | { type: "string"; pattern: string }
  | { type: "string"; maxLength: number }
  | { type: "string"; enum: string[] };

/**
 * A list in a query, of at most 1,000: the parameter repeated, or its items separated by commas.
 * @param shape the schema of an item in the OpenAPI document
 */
export function listText<T extends z.ZodType<unknown, string>>(item: T, shape: ItemShape) {
  return splitText
    .pipe(z.array(item).max(1000))
    .openapi({ type: "array", items: shape, maxItems: 1000, description: "Repeated, or separated by commas" });
}

/** Machines in the query of a list or report. Refs become ids before the operation sees them: `resolveMachineRefs`. */
export const machineMembers = {
  machineIds: listText(idParameter, idShape).optional(),
  machineRefs: listText(text(100).min(1), { type: "string", pattern: "^[^,]+$" }).optional().openapi({
    description: "Machines by their refs in the company, in addition to `machineIds`. Repeated, or separated by commas",
  }),
};

/** The `superRefine` check of a filter's range: it must not end before it starts. */
export function rangeRule({ from, to }: { from?: number | undefined; to?: number | undefined }, c: z.RefinementCtx): void {
  if (from !== undefined && to !== undefined && from > to) {
    c.addIssue(brokenRule("invalid_range", ["from"], "must not be after `to`"));
  }
}
