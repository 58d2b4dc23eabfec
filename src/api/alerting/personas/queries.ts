import { and, eq, getTableColumns, isNull, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { CompanyDb } from "../../../db/client.ts";
import { ifGiven, inList } from "../../../db/conditions.ts";
import { isUnchanged } from "../../../db/expect.ts";
import { alertRules, personas, reportSubscriptions, users } from "../../../db/schema.ts";
import type { PersonaQuery } from "./query.ts";

export type PersonaRow = typeof personas.$inferSelect;

/** The statement that reads a persona of a company (undefined: any). */
export function selectPersona(db: CompanyDb, id: string, companyId: number | undefined) {
  const isOwn = ifGiven(personas.companyId, companyId);
  return db
    .select()
    .from(personas)
    .where(and(eq(personas.id, id), isOwn));
}

/** The statement that reads those of these personas that the company has. */
export function selectPersonasOf(db: CompanyDb, companyId: SQL, ids: readonly string[]) {
  // The plus rules out the index by company, so that the personas are found by id.
  return db
    .select({ id: personas.id })
    .from(personas)
    .where(and(sql`+${personas.companyId} = ${companyId}`, inList(personas.id, ids)));
}

/** Condition: the persona is unchanged since it was read. */
export function isSamePersona(persona: PersonaRow): SQL {
  return isUnchanged(personas, persona);
}

/** The statement that stores a new persona. */
export function insertPersona(db: CompanyDb, persona: PersonaRow) {
  return db.insert(personas).values(persona);
}

/** The statement that replaces a persona. */
export function updatePersona(db: CompanyDb, { id, ...values }: PersonaRow) {
  return db.update(personas).set(values).where(eq(personas.id, id));
}

/** The personas that match a query, sorted by name. Reads one more than the limit. */
export function selectPersonasInOrder(db: CompanyDb, { companyId, cursor, limit }: PersonaQuery) {
  const { companyId: _, createdAt: __, updatedAt: ___, ...shown } = getTableColumns(personas);
  return db
    .select(shown)
    .from(personas)
    .where(
      and(
        ifGiven(personas.companyId, companyId),
        cursor && sql`(${personas.name}, ${personas.id}) > (${cursor[0]}, ${cursor[1]})`,
      ),
    )
    .orderBy(personas.name, personas.id)
    .limit(limit + 1);
}

/** The statement that deletes a persona. */
export function deletePersona(db: CompanyDb, id: string) {
  return db.delete(personas).where(eq(personas.id, id));
}

/** The statement that reads those of these alert rules that the persona's company has. */
export function selectAlertRules(db: CompanyDb, personaId: string, ruleIds: readonly string[]) {
  const ownCompany = sql`(SELECT ${personas.companyId} FROM ${personas} WHERE ${personas.id} = ${personaId})`;
  return db
    .select({ id: alertRules.id })
    .from(alertRules)
    .where(and(inList(alertRules.id, ruleIds), sql`${alertRules.companyId} = ${ownCompany}`, isNull(alertRules.deletedAt)));
}

/** Rules and report subscriptions that name a persona of a company and are not deleted. */
const usesIn = (companyId: SQLWrapper, personaId: SQLWrapper | string) => sql`
  SELECT 'alert rule' AS kind, ${alertRules.name} AS name
  FROM ${alertRules}, json_each(${alertRules.levels}) AS one_level, json_each(one_level.value, '$.personaIds') AS recipient
  WHERE ${alertRules.deletedAt} IS NULL AND recipient.value = ${personaId} AND ${alertRules.companyId} = ${companyId}
  UNION ALL
  SELECT 'report subscription' AS kind, ${reportSubscriptions.name} AS name
  FROM ${reportSubscriptions}, json_each(${reportSubscriptions.personaIds}) AS recipient
  WHERE ${reportSubscriptions.deletedAt} IS NULL AND recipient.value = ${personaId} AND ${reportSubscriptions.companyId} = ${companyId}`;

/** The company of a persona, for a statement. */
export function companyOfPersona(id: string): SQL {
  return sql`(SELECT ${personas.companyId} FROM ${personas} WHERE ${personas.id} = ${id})`;
}

/** The statement that reads the user of the persona's company who has its e-mail address: none or one row. */
export function selectUserOf(db: CompanyDb, personaId: string) {
  const own = sql`SELECT ${personas.companyId}, lower(${personas.email} ->> 'value') FROM ${personas} WHERE ${personas.id} = ${personaId}`;
  return db
    .select({ id: users.id })
    .from(users)
    .where(and(sql`(${users.companyId}, ${users.email}) = (${own})`, eq(users.isActive, true), isNull(users.deletedAt)));
}

/**
 * Condition: the persona is a user's, that is, it is of the user's company and has the user's e-mail address. SQLite uses the index only if both
 * sides are expressions, so lower() is on both.
 */
const isOfUser = (userId: number) => {
  const ofUser = (what: SQLWrapper) => sql`(SELECT ${what} FROM ${users} WHERE ${users.id} = ${userId})`;
  return sql`${personas.companyId} = ${ofUser(users.companyId)}
    AND lower(${personas.email} ->> 'value') = ${ofUser(sql`lower(${users.email})`)}`;
};

/** The statement that reads the personas of a user, each with whether any alert rule or report names it. */
export function selectPersonasOfUser(db: CompanyDb, userId: number) {
  const isNamed = sql`EXISTS (${usesIn(personas.companyId, personas.id)})`;
  const isNotified = sql<boolean>`${personas.isActive} AND (json_array_length(${personas.alertIds}) > 0 OR ${isNamed})`;
  return db
    .select({ ...getTableColumns(personas), isNotified: isNotified.mapWith(Boolean).as("is_notified") })
    .from(personas)
    .where(isOfUser(userId));
}

/** Condition: the user has no persona. */
export function hasNoPersona(userId: number): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM ${personas} WHERE ${isOfUser(userId)})`;
}

/** The statement that reads the members of a user that a new persona takes over. */
export function selectUser(db: CompanyDb, id: number) {
  return db.select({ name: users.name, email: users.email, companyId: users.companyId }).from(users).where(eq(users.id, id));
}
