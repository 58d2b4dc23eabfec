import { DrizzleQueryError } from "drizzle-orm";

/** The error behind a failed query. The message of a DrizzleQueryError itself contains the SQL and every parameter. */
export function rootOf(error: Error): Error {
  if (!(error instanceof DrizzleQueryError)) return error;
  return error.cause ? rootOf(error.cause) : new Error("query failed");
}

/** True if a batch failed because one of its expectations was false (see `db/expect.ts`). */
export function isStaleRead(error: unknown): boolean {
  return error instanceof Error && rootOf(error).message.includes("stale_read");
}

/** True if D1 refused the input (a violated constraint, or a value that is too large), as opposed to failing. */
export function isRefusal(error: unknown): boolean {
  return error instanceof Error && /SQLITE_(CONSTRAINT|MISMATCH|TOOBIG)/.test(rootOf(error).message);
}

/** True if D1 refused a write because the database has reached its size limit. Nothing is wrong with the input then. */
export function isFullDatabase(error: unknown): boolean {
  return error instanceof Error && /SQLITE_FULL|database or disk is full|maximum DB size/i.test(rootOf(error).message);
}

/** The columns of the unique index that a batch violated, as SQLite names them: "work_orders.company_id, work_orders.code". */
export function violatedUnique(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  return /UNIQUE constraint failed: ([\w., ]+?)(?::|$)/.exec(rootOf(error).message)?.[1] ?? null;
}
