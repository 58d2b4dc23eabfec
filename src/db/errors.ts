import { DrizzleQueryError } from "drizzle-orm";

/** The error behind a failed query. The message of a DrizzleQueryError itself holds the SQL and every parameter. */
export function rootOf(error: Error): Error {
  if (!(error instanceof DrizzleQueryError)) return error;
  return error.cause ? rootOf(error.cause) : new Error("query failed");
}

/** Whether a batch failed because an expectation of it did not hold (see `db/expect.ts`). */
export function isStaleRead(error: unknown): boolean {
  return error instanceof Error && rootOf(error).message.includes("stale_read");
}

/** Whether D1 refused what it was given, as opposed to failing: a constraint does not hold, or a value is too large. */
export function isRefusal(error: unknown): boolean {
  return error instanceof Error && /SQLITE_(CONSTRAINT|MISMATCH|TOOBIG)/.test(rootOf(error).message);
}

/** The columns of the unique index that a batch violated, as SQLite names them: "work_orders.company_id, work_orders.code". */
export function violatedUnique(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  return /UNIQUE constraint failed: ([\w., ]+?)(?::|$)/.exec(rootOf(error).message)?.[1] ?? null;
}
