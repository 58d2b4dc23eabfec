import { env } from "cloudflare:workers";
import { and, asc, eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { entryId, kindOf, shownChanges, storedEntry } from "../../src/core/audit-entries.ts";
import type { AuditRow } from "../../src/db/audit-row.ts";
import { audit } from "../../src/db/schema.ts";

const db = drizzle(env.DB_0);

/** The audit entries of a company, an action or an object, as `GET /v1/audit` shows them, in the order in which they were made. */
export async function auditEntries(of: { companyId?: number; action?: string; objectId?: string | number }) {
  const { companyId, action, objectId } = of;
  const rows = await db
    .select()
    .from(audit)
    .where(
      and(
        companyId === undefined ? undefined : eq(audit.companyId, companyId),
        action === undefined ? undefined : eq(audit.action, action),
        objectId === undefined ? undefined : eq(audit.objectId, String(objectId)),
      ),
    )
    .orderBy(asc(audit.at), asc(audit.nr));
  return rows.map(shownEntry);
}

type Row = typeof audit.$inferSelect;

function shownEntry({ nr, kind: _, form, changes, ...row }: Row) {
  return { id: entryId({ at: row.at, nr }), ...row, objectType: kindOf(row.action), ...shownChanges({ form, changes }) };
}

/** Stores an entry: by default the split of a stop. */
export async function createAuditEntry(required: Pick<AuditRow, "companyId" | "userId">, options: Partial<AuditRow> = {}) {
  const action = options.action ?? "stop.split";
  const entry = {
    ...{
      id: crypto.randomUUID(),
      at: 1000,
      apiTokenId: null,
      requestId: null,
      action,
      objectType: kindOf(action),
      objectId: "7",
    },
    ...{ before: null, after: null },
  };
  const row = storedEntry({ ...entry, ...required, ...options });
  return shownEntry(await db.insert(audit).values(row).returning().get());
}
