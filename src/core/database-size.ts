import type { AnyDb, CompanyDb } from "../db/client.ts";
import { conflict, type Problem, refusal } from "./problem.ts";

// A database has a limit on its size (DATABASE_LIMIT_BYTES), at which it refuses every write. These are shares of it.

/** From here on `/health` and `GET /v1/usage` warn. */
export const FILLING = 0.6;
/** From here on superusers are notified. */
export const NEARLY_FULL = 0.7;
/** From here on there are no new companies. */
const NO_NEW_COMPANIES = 0.8;
/** From here on people's writes are refused, so that there is room for what machines send. */
const FULL = 0.98;

/** How full the database is, in percent, rounded down. */
export const percentOf = (share: number): number => Math.floor(share * 100);

/** Refuses a write if the database is full. Call it after something was read, whose answer has the size. */
export function refuseIfFull(db: AnyDb): void {
  if (isFull(db)) throw databaseFull();
}

export function isFull(db: AnyDb): boolean {
  return db.filled() >= FULL;
}

/** The refusal of a write by a full database: 503. */
export function databaseFull(): Problem {
  const message =
    "the database is full: nothing can be changed until there is room again. What machines send is kept in their objects";
  return refusal(503, [{ pointer: "", code: "database_full", message }], { "retry-after": "600" });
}

/** Refuses a new company if the database is filling. */
export function refuseNewCompany(db: CompanyDb): void {
  const share = db.filled();
  if (share < NO_NEW_COMPANIES) return;
  const message = `the database is ${percentOf(share)} % full: there are no new companies from ${percentOf(NO_NEW_COMPANIES)} % on`;
  throw conflict(message, [{ pointer: "", code: "database_filling", message }]);
}
