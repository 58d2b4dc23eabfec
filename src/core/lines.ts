import { z } from "zod";

// Texts that every store returns unchanged. Gateways check what they send by the same rules, so this needs nothing of the service.

/** A line of text of at most `maxLength` characters. A new schema each time: operations share those of `text` in inputs.ts. */
export function lineText(maxLength: number): z.ZodString {
  return z
    .string()
    .max(maxLength)
    .refine(isLine, "must not contain control characters, line breaks, or half of a surrogate pair");
}

/** Whether every store returns a text unchanged. Tabs and line breaks are allowed. */
export function isStorable(value: string): boolean {
  return value.isWellFormed() && !/[\p{Cc}]/u.test(value.replaceAll(/[\t\n\r]/g, ""));
}

/** The same, without tabs and line breaks. */
export function isLine(value: string): boolean {
  return value.isWellFormed() && !/\p{Cc}/u.test(value);
}
