import { eq, getTableColumns } from "drizzle-orm";
import type { Db } from "../../../db/client.ts";
import { companies, reportSubscriptions } from "../../../db/schema.ts";
import type { Owner, SetUpTable } from "../queries.ts";

export type ReportSubscriptionRow = typeof reportSubscriptions.$inferSelect;

const { id, companyId, updatedAt, deletedAt } = reportSubscriptions;

export const reportSubscriptionTable: SetUpTable = {
  ...{ table: reportSubscriptions, id, companyId, updatedAt, deletedAt },
  columns: () => getTableColumns(reportSubscriptions),
};

/** The statement that reads the time zone of a company. */
export function selectTimezone(db: Db, owner: Owner) {
  return db.select({ timezone: companies.timezone }).from(companies).where(eq(companies.id, owner));
}
