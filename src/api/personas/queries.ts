import { and, eq, getTableColumns, sql } from "drizzle-orm";
import { checkedBatch } from "../../db/checked-batch.ts";
import type { Db } from "../../db/client.ts";
import { companies, personas } from "../../db/schema.ts";
import type { keepAnswer } from "../../http/idempotency.ts";
import type { Audit } from "../../http/old-audit.ts";
import type { PersonaQuery } from "./list-personas.ts";

export type Persona = Omit<typeof personas.$inferSelect, "companyId" | "createdAt" | "updatedAt">;

/** Stores a company's new persona. One trip. False: there is no such company. */
export async function insertPersona(
  db: Db,
  companyId: number,
  persona: Persona,
  keep: (condition: ReturnType<typeof sql>) => ReturnType<typeof keepAnswer>,
  audit: Audit,
  now: number,
): Promise<boolean> {
  const { id, name, isActive, isUser, sms, whatsapp, email, push, alertHours, alertIds, language } = persona;
  const json = JSON.stringify;
  const [created] = await db.batch([
    db
      .insert(personas)
      .select(
        sql`SELECT ${id}, ${companies.id}, ${name}, ${isActive}, ${isUser}, ${json(sms)}, ${json(whatsapp)}, ${json(email)},
          ${json(push)}, ${json(alertHours)}, ${json(alertIds)}, ${language}, ${now}, ${now}
          FROM ${companies} WHERE ${companies.id} = ${companyId}`,
      )
      .returning({ id: personas.id }),
    audit(
      { action: "persona.create", companyId, objectId: id, before: null, after: persona },
      sql`FROM ${companies} WHERE ${companies.id} = ${companyId}`,
    ),
    ...keep(sql`EXISTS (SELECT 1 FROM ${personas} WHERE ${personas.id} = ${id})`),
  ]);
  return created.length > 0;
}

/** A persona as it is stored, with whose it is and its version. */
export interface StoredPersona {
  companyId: number;
  updatedAt: number;
  persona: Persona;
}

/** The persona of this id, if it is the company's (undefined: anyone's). One trip. */
export async function findPersona(db: Db, id: string, companyId: number | undefined): Promise<StoredPersona | undefined> {
  const isOwn = companyId === undefined ? undefined : eq(personas.companyId, companyId);
  const row = await db
    .select()
    .from(personas)
    .where(and(eq(personas.id, id), isOwn))
    .get();
  if (!row) return undefined;
  const { companyId: owner, createdAt: _, updatedAt, ...persona } = row;
  return { companyId: owner, updatedAt, persona };
}

/** Stores a persona as it is to be, with what is kept and audited; of one that stays the same what is kept alone. One trip. False: overtaken. */
export async function changePersona(
  db: Db,
  { companyId, updatedAt, persona: before }: StoredPersona,
  next: Persona,
  kept: ReturnType<typeof keepAnswer>,
  audit: Audit,
  now: number,
): Promise<boolean> {
  const [first, ...others] = kept;
  if (JSON.stringify(next) === JSON.stringify(before)) {
    if (first) await db.batch([first, ...others]);
    return true;
  }
  const isRow = and(eq(personas.id, before.id), eq(personas.updatedAt, updatedAt));
  const written = await checkedBatch(
    db,
    [{ finds: sql`iif(EXISTS (SELECT 1 FROM ${personas} WHERE ${isRow}), NULL, 1)` }],
    [
      db
        .update(personas)
        .set({ ...next, updatedAt: Math.max(now, updatedAt + 1) })
        .where(isRow),
      audit({ action: "persona.change", companyId, objectId: before.id, before, after: next }),
      ...kept,
    ],
  );
  return !("failed" in written);
}

/** The personas that a query selects, by name, one more than its limit. One trip. */
export function listPersonas(db: Db, { companyId, cursor, limit }: PersonaQuery) {
  const { companyId: _, createdAt: __, updatedAt: ___, ...shown } = getTableColumns(personas);
  return db
    .select(shown)
    .from(personas)
    .where(
      and(
        companyId === undefined ? undefined : eq(personas.companyId, companyId),
        cursor && sql`(${personas.name}, ${personas.id}) > (${cursor[0]}, ${cursor[1]})`,
      ),
    )
    .orderBy(personas.name, personas.id)
    .limit(limit + 1);
}
