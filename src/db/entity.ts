/**
 * Replaces Drizzle's `entity.js` (`[alias]` in wrangler.toml), whose `is(value, type)` determines the class of a part of a statement.
 *
 * Drizzle calls it for each part and each possible class, about ten times per column. Because a program may contain two copies of Drizzle, its
 * own version also compares the names of all classes that the value's class extends before it returns false: for `is(stops.id, StringChunk)`
 * these are `SQLiteInteger`, `SQLiteBaseInteger`, `SQLiteColumn` and `Column`. The Worker contains one copy, so `instanceof` gives the same
 * result: `test/db/entity.test.ts` compares both.
 *
 * Without it, a request for a stop takes 11 % more CPU, a page of stops 7 %, a machine 6 %, and a flush the same: see docs/performance.md,
 * "Two tricks, measured again".
 */

/**
 * The member of a class that holds its kind: the same symbol as in Drizzle.
 * @public Drizzle imports it.
 */
export const entityKind = Symbol.for("drizzle:entityKind");
/** @public Drizzle imports it. */
export const hasOwnEntityKind = Symbol.for("drizzle:hasOwnEntityKind");

/** True if a value is an instance of a Drizzle class or of a class that extends it. */
export function is<T>(value: unknown, type: abstract new (...given: never[]) => T): value is T {
  return value instanceof type;
}
