import { z } from "@hono/zod-openapi";
import { pointerOf } from "./members.ts";

// Messages for members that break their schema, if the schema has no text of its own. Every message follows the member's name:
// "/limit: must be at most 500".

type RawIssue = z.core.$ZodRawIssue;

/** The message of a member that is missing: by it, `faultsOf` gives the code `required`. */
export const missing = "is required";

/** Replaces zod's messages, such as "Too big: expected number to be <=500", with ours: "must be at most 500". */
export function usePlainMessages(): void {
  z.config({ customError: messageOf });
}

/** The message of an issue; undefined if its schema must have one. */
function messageOf(issue: RawIssue): string | undefined {
  if (isMissing(issue)) return missing;
  switch (issue.code) {
    case "invalid_type":
      return `must be ${types[issue.expected] ?? issue.expected}${sentOf(issue.expected, issue.input)}`;
    case "invalid_value":
      return `must be ${choice(issue.values)}`;
    case "too_small":
      return minimum(issue.origin, Number(issue.minimum), issue.exact ?? false, issue.inclusive ?? false);
    case "too_big":
      return maximum(issue.origin, Number(issue.maximum), issue.exact ?? false, issue.inclusive ?? false);
    case "invalid_format":
      return (
        formats[issue.format] ?? (issue.format === "regex" ? `must match ${issue.pattern}` : `must be a valid ${issue.format}`)
      );
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    case "invalid_union":
      return Array.isArray(issue.options) ? `must be ${choice(issue.options)}` : alternatives(issue.errors);
    case "invalid_key":
      return `has a key that ${issue.issues[0]?.message}`;
    case "invalid_element":
      return `has an element that ${issue.issues[0]?.message}`;
    default:
      return undefined;
  }
}

/** Whether nothing was sent. A union by a member, such as `kind`, is given the whole object that lacks it. */
function isMissing({ code, input, discriminator }: RawIssue): boolean {
  if (code !== "invalid_union" || typeof discriminator !== "string") return input === undefined;
  return typeof input === "object" && input !== null && !(discriminator in input);
}

const types: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "an integer",
  boolean: "a boolean",
  object: "an object",
  record: "an object",
  array: "an array",
  null: "null",
};

/** The value that was sent instead; nothing for NaN, which is text in a query where a number was expected. */
function sentOf(expected: string, input: unknown): string {
  if (Number.isNaN(input)) return "";
  if (expected === "int" && typeof input === "number") return ", not a fraction";
  const type = input === null ? "null" : Array.isArray(input) ? "array" : typeof input;
  return `, not ${types[type] ?? type}`;
}

const formats: Readonly<Record<string, string>> = {
  datetime: "must be an ISO 8601 time with Z or an offset, such as 2026-03-02T09:14:05Z",
  date: "must be a date, such as 2026-03-02",
  email: "must be an e-mail address",
  url: "must be a URL",
  uuid: "must be a UUID",
};

function choice(values: readonly unknown[]): string {
  const texts = values.map((value) => JSON.stringify(value));
  return texts.length === 1 ? String(texts[0]) : `one of ${texts.join(", ")}`;
}

function alternatives(errors: readonly (readonly z.core.$ZodIssue[])[]): string {
  const texts = errors.flatMap(([first]) => (first ? [`${pointerOf(first.path)} ${first.message}`.trim()] : []));
  return [...new Set(texts)].join(", or ") || "has a form that is not allowed";
}

const countable: Readonly<Record<string, string>> = { string: "characters", array: "items", file: "bytes" };

function minimum(origin: string, least: number, isExact: boolean, isInclusive: boolean): string {
  const unit = countable[origin];
  if (!unit) return `must be ${isInclusive ? "at least" : "more than"} ${least}`;
  if (isExact) return `must have exactly ${least} ${unit}`;
  return least === 1 ? "must not be empty" : `must have at least ${least} ${unit}`;
}

function maximum(origin: string, most: number, isExact: boolean, isInclusive: boolean): string {
  const unit = countable[origin];
  if (!unit) return `must be ${isInclusive ? "at most" : "less than"} ${most}`;
  return `must have ${isExact ? "exactly" : "at most"} ${most} ${unit}`;
}
