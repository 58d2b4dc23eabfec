import { and, eq, sql } from "drizzle-orm";
import type { CompanyDb } from "../../db/client.ts";
import { recalculationSlots } from "../../db/schema.ts";

/** How many machines of a company do a large recalculation at a time. */
const SLOTS = 2;

interface HeldSlot {
  companyId: number;
  machineId: number;
  now: number;
  until: number;
}

/** Takes a slot that is free, or is the machine's already. Returns whether there was one. */
export async function takeSlot(db: CompanyDb, { companyId, machineId, now, until }: HeldSlot): Promise<boolean> {
  const numbers = Array.from({ length: SLOTS }, (_, i) => `SELECT ${i + 1} AS n`).join(" UNION ALL ");
  const taken = await db.all(sql`
    INSERT INTO recalculation_slots (company_id, slot, machine_id, until)
    SELECT ${companyId}, numbers.n, ${machineId}, ${until} FROM (${sql.raw(numbers)}) AS numbers
      LEFT JOIN recalculation_slots AS held ON held.company_id = ${companyId} AND held.slot = numbers.n
      WHERE held.machine_id IS NULL OR held.machine_id = ${machineId} OR held.until < ${now}
      ORDER BY ifnull(held.machine_id = ${machineId}, 0) DESC, numbers.n LIMIT 1
    ON CONFLICT DO UPDATE SET machine_id = excluded.machine_id, until = excluded.until
    RETURNING slot`);
  return taken.length > 0;
}

/** Frees the machine's slot. */
export async function freeSlot(db: CompanyDb, companyId: number, machineId: number): Promise<void> {
  const isOwn = and(eq(recalculationSlots.companyId, companyId), eq(recalculationSlots.machineId, machineId));
  await db.delete(recalculationSlots).where(isOwn);
}
