import { eq, getTableColumns, sql } from "drizzle-orm";
import type { Db } from "../../../db/client.ts";
import { inList } from "../../../db/conditions.ts";
import { companies, personas, reportSubscriptions, webhookSubscriptions } from "../../../db/schema.ts";
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

/** The statement that reads which of these personas a company has. */
export function selectPersonas(db: Db, owner: Owner, ids: readonly string[]) {
  return db
    .select({ id: personas.id })
    .from(personas)
    .where(sql`${inList(personas.id, ids)} AND +${personas.companyId} = ${owner}`);
}

/** The statement that reads which of these webhook subscriptions a company has. */
export function selectWebhooks(db: Db, owner: Owner, ids: readonly string[]) {
  const { id, companyId, deletedAt } = webhookSubscriptions;
  return db
    .select({ id })
    .from(webhookSubscriptions)
    .where(sql`${inList(id, ids)} AND +${companyId} = ${owner} AND ${deletedAt} IS NULL`);
}
