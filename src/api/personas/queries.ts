import { and, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../db/client.ts";
import { ifGiven } from "../../db/conditions.ts";
import { isUnchanged } from "../../db/expect.ts";
import { personas } from "../../db/schema.ts";
import type { PersonaQuery } from "./query.ts";

export type PersonaRow = typeof personas.$inferSelect;

/** The statement that reads a persona of a company (undefined: any). */
export function selectPersona(db: Db, id: string, companyId: number | undefined) {
  const isOwn = ifGiven(personas.companyId, companyId);
  return db
    .select()
    .from(personas)
    .where(and(eq(personas.id, id), isOwn));
}

/** Holds while a persona is as it was read. */
export function isSamePersona(persona: PersonaRow): SQL {
  return isUnchanged(personas, persona);
}

/** The statement that stores a new persona. */
export function insertPersona(db: Db, persona: PersonaRow) {
  return db.insert(personas).values(persona);
}

/** The statement that replaces a persona. */
export function updatePersona(db: Db, { id, ...values }: PersonaRow) {
  return db.update(personas).set(values).where(eq(personas.id, id));
}

/** The personas that match a query, sorted by name. Reads one more than the limit. */
export function listPersonas(db: Db, { companyId, cursor, limit }: PersonaQuery) {
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
