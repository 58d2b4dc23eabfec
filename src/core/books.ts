import { eq, type SQL, sql } from "drizzle-orm";
import type { CompanyDb } from "../db/client.ts";
import { books } from "../db/schema.ts";
import { closedBooks } from "./closed-books.ts";

/** What a write changes of the past. */
export interface ChangedPast {
  /** Null: of no company. */
  companyId: number | null;
  /** The first instant whose numbers it may change (epoch ms). */
  from: number;
  /** The member that says so: a JSON pointer. */
  pointer: string;
}

/** Condition: the books of a company are open from an instant on, and are not being closed either. */
function booksOpenAt(companyId: number, instant: number): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM ${books} WHERE ${books.companyId} = ${companyId} AND ${closedTo} > ${instant})`;
}

export function areBooksOpen({ companyId, from }: ChangedPast): SQL {
  return booksOpenAt(companyId ?? 0, from);
}

/**
 * Refuses a change of closed books.
 * @throws Problem 409 that names the member and the instant
 */
export async function refuseClosedBooks(db: CompanyDb, { companyId, from, pointer }: ChangedPast): Promise<void> {
  const row = await db
    .select({ closedTo: closedTo.as("closed_to") })
    .from(books)
    .where(eq(books.companyId, companyId ?? 0))
    .get();
  if (!row || from >= row.closedTo) return;
  throw closedBooks(pointer, row.closedTo);
}

const closedTo = sql<number>`max(${books.lockedTo}, ifnull(${books.closingTo}, 0))`;
