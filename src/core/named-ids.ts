import type { BatchResponse } from "drizzle-orm/batch";
import type { CompanyDb } from "../db/client.ts";
import { oneCompanyOf } from "./actor.ts";
import type { Caller } from "./caller.ts";
import type { ListCheck } from "./cursor.ts";
import { refusal } from "./problem.ts";
import { type NamedIds, selectUnknown, type UnknownId } from "./queries.ts";
import type { Batch } from "./write.ts";

// The ids that a request names must belong to its company: an unknown one is refused, so that it does not look like an empty result.

/**
 * The company that a request is about, and the ids that must belong to it. Superusers may name a company, which is then looked up like other ids.
 * @throws Problem 404 if any other caller names a company that is not their own
 */
export function aboutCompany(actor: Caller["actor"], query: { companyId?: number | undefined }, named: NamedIds) {
  const companyId = oneCompanyOf(actor, query.companyId);
  return { companyId, named: { ...named, ...(companyId !== actor.companyId && { companyId: [companyId] }) } };
}

/** @throws Problem 404 if there is an unknown id */
export function refuseUnknown(unknown: UnknownId | null): void {
  if (!unknown) return;
  const message = unknown.member === "companyId" ? "is not the id of a company" : `is not one of the company's: ${unknown.id}`;
  throw refusal(404, [{ pointer: `/query/${unknown.member}`, code: "not_found", message }]);
}

/** A check for `readPage` that refuses a list whose query names ids that do not exist in the company (undefined: in any). */
export function checkOfIds(db: CompanyDb, companyId: number | undefined, named: NamedIds): ListCheck | null {
  const statement = selectUnknown(db, companyId, named);
  if (!statement) return null;
  return { statement, verify: (rows) => refuseUnknown((rows as Awaited<typeof statement>)[0]?.unknown ?? null) };
}

/**
 * Reads statements in one trip, together with a check that all ids in the request belong to the company.
 * @throws Problem 404 if one does not
 */
export async function readWithIds<Q extends Batch>(
  db: CompanyDb,
  { companyId, named }: { companyId: number; named: NamedIds },
  statements: Q,
): Promise<BatchResponse<Q>> {
  const unknown = selectUnknown(db, companyId, named);
  if (!unknown) return await db.batch(statements);
  const [[found], ...results] = await db.batch([unknown, ...statements]);
  refuseUnknown(found?.unknown ?? null);
  return results as unknown as BatchResponse<Q>;
}
