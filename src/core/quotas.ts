import { and, eq, inArray, sql } from "drizzle-orm";
import type { CompanyDb } from "../db/client.ts";
import { rootOf } from "../db/errors.ts";
import { quotas, usage } from "../db/schema.ts";
import { Problem } from "./problem.ts";

// The database counts what each company stores, and refuses what would exceed a quota, by triggers (see docs/operations.md). Here are the
// names of the quotas, and the refusal.

/** What is counted, by the names in the table `usage`, and the quota that limits its rows; of kept answers their bytes. Null: none but `bytes`. */
const quotaOfKind = {
  users: "users",
  machines: "machines",
  lines: "lines",
  shifts: "shifts",
  operators: "skus-and-operators",
  skus: "skus-and-operators",
  "stop-causes": "stop-causes",
  "operator-plans": "operator-plans",
  widgets: "widgets",
  dashboards: "dashboards",
  "gateway-tokens": "gateway-tokens",
  "api-tokens": "api-tokens",
  personas: "personas",
  "chat-rooms": "chat-rooms",
  "alert-rules": "alert-rules",
  "report-subscriptions": "report-subscriptions",
  "webhook-subscriptions": "webhook-subscriptions",
  tags: "tags",
  configs: "configs",
  "work-orders": "open-orders",
  "help-calls": null,
  "kept-answers": "kept-answers",
} as const;

export type UsageKind = keyof typeof quotaOfKind;
export const usageKinds = Object.keys(quotaOfKind) as UsageKind[];

/** The quotas: of rows, of bytes of kept answers, and of `bytes` of all kinds and pictures together. */
export const quotaNames = [...new Set(Object.values(quotaOfKind).filter((quota) => quota !== null)), "bytes"] as const;
export type QuotaName = (typeof quotaNames)[number];

export interface QuotaUse {
  quota: QuotaName;
  used: number;
  limit: number;
}

interface UsageRow {
  kind: string;
  items: number;
  bytes: number;
}

interface LimitRow {
  companyId: number;
  quota: string;
  most: number;
}

/** The statements that read what a company stores, and its limits with those of companies in general (company 0). */
export function selectUsage(db: CompanyDb, companyId: number) {
  const { kind, items, bytes } = usage;
  return [
    db.select({ kind, items, bytes }).from(usage).where(eq(usage.companyId, companyId)),
    db
      .select()
      .from(quotas)
      .where(inArray(quotas.companyId, [0, companyId])),
  ] as const;
}

/** The use of each quota, from the results of `selectUsage`. */
export function quotaUses(rows: readonly UsageRow[], limits: readonly LimitRow[]): QuotaUse[] {
  return quotaNames.map((quota) => {
    const counted = rows.map(({ kind, items, bytes }) => {
      if (quota === "bytes") return kind === "all" ? bytes : 0;
      if (quotaOfKind[kind as UsageKind] !== quota) return 0;
      return quota === "kept-answers" ? bytes : items;
    });
    const ofQuota = limits.filter((one) => one.quota === quota);
    const limit = ofQuota.find(({ companyId }) => companyId !== 0) ?? ofQuota[0];
    return { quota, used: counted.reduce((sum, one) => sum + one, 0), limit: limit?.most ?? 0 };
  });
}

/** The statement that gives a company a limit of its own; null: the usual one again. */
export function setLimit(db: CompanyDb, companyId: number, quota: QuotaName, most: number | null) {
  if (most === null) return db.delete(quotas).where(and(eq(quotas.companyId, companyId), eq(quotas.quota, quota)));
  const target = [quotas.companyId, quotas.quota];
  return db
    .insert(quotas)
    .values({ companyId, quota, most })
    .onConflictDoUpdate({ target, set: { most: sql`excluded.most` } });
}

/** The 409 for a batch that would have exceeded a quota of a company; null for any other error. Reads the usage, in one trip. */
export async function overQuota(db: CompanyDb, error: unknown, companyId: number): Promise<Problem | null> {
  const [, name] = (error instanceof Error && /quota_exceeded ([\w-]+)/.exec(rootOf(error).message)) || [];
  if (!name) return null;
  const [rows, limits] = await db.batch([...selectUsage(db, companyId)]);
  const use = quotaUses(rows, limits).find(({ quota }) => quota === name);
  if (!use) return null;
  const amount = name === "bytes" ? "bytes in its set-up and pictures" : `of ${name}`;
  const remedy = name === "bytes" ? "Make some of it smaller" : "Delete some";
  const detail = `The company has ${use.used} ${amount}, and its quota \`${name}\` is ${use.limit}. ${remedy}, or ask the operator of this service for more.`;
  return new Problem(409, detail, { members: { quota: { name: use.quota, used: use.used, limit: use.limit } } });
}
