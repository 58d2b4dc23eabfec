/**
 * Replaces Drizzle's `entity.js` (`[alias]` in wrangler.toml), whose `is(value, type)` tells what a part of a statement is.
 *
 * Drizzle asks that for each part and each kind it may be of, some ten times a column. Where the answer is no, its own version goes on to compare the
 * names of the classes that the value's class extends, because a program may hold two copies of Drizzle: `is(stops.id, StringChunk)` looks at
 * `SQLiteInteger`, `SQLiteBaseInteger`, `SQLiteColumn` and `Column` before it says no. The Worker holds one copy, so that
 * `instanceof` is the answer: `test/db/entity.test.ts` compares both. It takes 0.3 ms off a page of stops: see docs/performance.md.
 */

/** The member of a class that names it. The same symbols as Drizzle's. */
export const entityKind = Symbol.for("drizzle:entityKind");
export const hasOwnEntityKind = Symbol.for("drizzle:hasOwnEntityKind");

/** Whether a value is of a class of Drizzle's, or of one that extends it. */
export function is<T>(value: unknown, type: abstract new (...given: never[]) => T): value is T {
  return value instanceof type;
}
