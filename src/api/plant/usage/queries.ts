import { count, eq, sql } from "drizzle-orm";
import type { CompanyDb } from "../../../db/client.ts";
import { totalOf } from "../../../db/report-counts.ts";
import { companies, events, incidents } from "../../../db/schema.ts";

/** The statement that reads whether there is a company, and how many rows machines and alerts have made for it. */
export function selectMade(db: CompanyDb, companyId: number) {
  const ofCompany = { companyIds: [companyId], machineIds: undefined, includeDeleted: true };
  const countOf = (table: typeof events | typeof incidents) =>
    sql<number>`(${db
      .select({ n: count().as("n") })
      .from(table)
      .where(eq(table.companyId, companyId))})`;
  return db
    .select({
      shiftRecords: sql<number>`${totalOf({ report: "shifts", ...ofCompany })}`.as("shift_records"),
      stops: sql<number>`${totalOf({ report: "stops", ...ofCompany })}`.as("stops"),
      incidents: countOf(incidents).as("incidents"),
      events: countOf(events).as("events"),
    })
    .from(companies)
    .where(eq(companies.id, companyId));
}
