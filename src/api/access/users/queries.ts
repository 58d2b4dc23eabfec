import { and, desc, eq, getTableColumns, isNull, sql } from "drizzle-orm";
import type { CompanyDb } from "../../../db/client.ts";
import { ifGiven } from "../../../db/conditions.ts";
import { apiTokens, notifications, personas, reportSubscriptions, roles, users } from "../../../db/schema.ts";
import type { SetUpTable } from "../../../resource/queries.ts";

export { roles };

export type UserRow = typeof users.$inferSelect;

const { id, companyId, updatedAt, deletedAt } = users;

export const userTable: SetUpTable = {
  ...{ table: users, id, companyId, updatedAt, deletedAt },
  columns: () => getTableColumns(users),
};

/** The statement that notifies a user of a change. */
export function insertNotification(db: CompanyDb, user: UserRow, { title, body }: { title: string; body: string }) {
  return db.insert(notifications).values({ id: crypto.randomUUID(), userId: user.id, title, body, createdAt: user.updatedAt });
}

/** The statement that revokes the API tokens that act for a user. */
export function revokeTokensOf(db: CompanyDb, userId: number, now: number) {
  return db
    .update(apiTokens)
    .set({ revokedAt: now, updatedAt: now })
    .where(and(eq(apiTokens.createdBy, userId), eq(apiTokens.isOfCompany, false), isNull(apiTokens.revokedAt)));
}

/** The maximum number of things of a type that are listed. */
export const maxListed = 100;

/**
 * The API tokens of a user, and the personas and reports of the user's company that send to the user's address; undefined if the company (undefined:
 * any) has no such user. Reads one item more of each type than is listed, to know whether there are more. One trip to D1.
 */
export async function findDependents(db: CompanyDb, userId: number, ofCompany: number | undefined) {
  const own = db
    .select({ email: users.email, userCompanyId: users.companyId })
    .from(users)
    .where(and(eq(users.id, userId), isNull(users.deletedAt), ifGiven(users.companyId, ofCompany)));
  const emailOf = sql`(SELECT lower(one.email) FROM ${users} AS one WHERE one.id = ${userId})`;
  const companyIdOf = sql`(SELECT one.company_id FROM ${users} AS one WHERE one.id = ${userId})`;
  const isListed = sql`EXISTS (SELECT 1 FROM json_each(${reportSubscriptions.addresses}) AS listed WHERE lower(listed.value) = ${emailOf})`;
  const [[user], tokens, foundPersonas, reports] = await db.batch([
    own,
    db
      .select({ id: apiTokens.id, name: apiTokens.name, isOfCompany: apiTokens.isOfCompany })
      .from(apiTokens)
      .where(and(eq(apiTokens.createdBy, userId), isNull(apiTokens.revokedAt)))
      .orderBy(desc(apiTokens.id))
      .limit(maxListed + 1),
    db
      .select({
        id: sql<string>`${personas.id}`.as("persona_id"),
        name: sql<string>`${personas.name}`.as("persona_name"),
        devices: sql<number>`json_array_length(${personas.push})`.as("device_count"),
      })
      .from(personas)
      .where(sql`${personas.companyId} = ${companyIdOf} AND lower(${personas.email} ->> 'value') = ${emailOf}`)
      .limit(maxListed + 1),
    db
      .select({
        id: sql<string>`${reportSubscriptions.id}`.as("report_id"),
        name: sql<string>`${reportSubscriptions.name}`.as("report_name"),
      })
      .from(reportSubscriptions)
      .where(and(sql`${reportSubscriptions.companyId} = ${companyIdOf}`, isNull(reportSubscriptions.deletedAt), isListed))
      .orderBy(desc(reportSubscriptions.createdAt))
      .limit(maxListed + 1),
  ]);
  return user && { tokens, personas: foundPersonas, reports };
}
