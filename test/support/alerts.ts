import { env } from "cloudflare:workers";
import { drizzle } from "drizzle-orm/d1";
import * as schema from "../../src/db/schema.ts";

const db = drizzle(env.DB_0);
const stamps = () => ({ createdAt: Date.now(), updatedAt: Date.now() });

/** A rule for stops longer than 5 minutes at any machine, which notifies nobody, unless the options say otherwise. */
export async function createAlertRule(companyId: number, options: Partial<typeof schema.alertRules.$inferInsert> = {}) {
  const about = { kind: "stop" as const, params: { minutes: 5 }, machineIds: null, lineIds: null, shiftIds: null };
  const row = { id: crypto.randomUUID(), companyId, name: "Stands", ...about, levels: [], texts: null, isActive: true };
  return db
    .insert(schema.alertRules)
    .values({ ...row, ...stamps(), ...options })
    .returning()
    .get();
}

/** An open incident of a rule. */
export async function createIncident(
  rule: { id: string; companyId: number },
  options: Partial<typeof schema.incidents.$inferInsert> = {},
) {
  const { id: ruleId, companyId } = rule;
  const opened = { since: Date.now() - 300_000, openedAt: Date.now(), level: 1, facts: {} };
  const row = { id: crypto.randomUUID(), companyId, ruleId, subject: `machine:${crypto.randomUUID()}`, ...opened };
  return db
    .insert(schema.incidents)
    .values({ ...row, ...stamps(), ...options })
    .returning()
    .get();
}
