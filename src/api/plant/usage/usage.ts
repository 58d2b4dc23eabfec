import { noCompany, oneCompanyOf } from "../../../core/actor.ts";
import type { Caller } from "../../../core/caller.ts";
import { FILLING, percentOf } from "../../../core/database-size.ts";
import { selectCompany } from "../../../core/queries.ts";
import {
  type QuotaName,
  type QuotaUse,
  quotaNames,
  quotaUses,
  selectUsage,
  setLimit,
  type UsageKind,
  usageKinds,
} from "../../../core/quotas.ts";
import { write } from "../../../core/write.ts";
import { selectMade } from "./queries.ts";

export interface Usage {
  companyId: number;
  quotas: QuotaUse[];
  kinds: { kind: UsageKind; items: number; bytes: number }[];
  made: { shiftRecords: number; stops: number; incidents: number; events: number };
  /** Of all companies; null for everybody but superusers. */
  database: { percent: number; isFilling: boolean } | null;
}

/** What a company stores, and its quotas. Throws 404 if the caller has no access to the company. */
export async function getUsage({ db, actor }: Caller, named: number | undefined): Promise<Usage> {
  const companyId = oneCompanyOf(actor, named);
  const [rows, limits, [made]] = await db.batch([...selectUsage(db, companyId), selectMade(db, companyId)]);
  if (!made) throw noCompany();
  const kinds = usageKinds.map((kind) => {
    const { items = 0, bytes = 0 } = rows.find((row) => row.kind === kind) ?? {};
    return { kind, items, bytes };
  });
  const isShown = actor.role === "superuser";
  const database = isShown ? { percent: percentOf(db.filled()), isFilling: db.filled() >= FILLING } : null;
  return { companyId, quotas: quotaUses(rows, limits), kinds, made, database };
}

/** Limits to change; null: the usual one again. */
export type Limits = { [Quota in QuotaName]?: number | null | undefined };

/** Changes limits of a company. Returns the use of all its quotas. */
export async function setUsageLimits(caller: Caller, companyId: number, limits: Limits): Promise<{ quotas: QuotaUse[] }> {
  const { db } = caller;
  const named = quotaNames.flatMap((quota) => {
    const most = limits[quota];
    return most === undefined ? [] : [{ quota, most }];
  });
  const { answer } = await write(
    caller,
    (db) => [...selectUsage(db, companyId), selectCompany(db, companyId)],
    (rows, stored, [company]) => {
      if (!company) throw noCompany();
      const others = stored.filter((row) => row.companyId === 0 || !named.some(({ quota }) => quota === row.quota));
      const own = named.flatMap(({ quota, most }) => (most === null ? [] : [{ companyId, quota, most }]));
      const [before, after] = [quotaUses(rows, stored), quotaUses(rows, [...own, ...others])];
      const limitsIn = (uses: QuotaUse[]) => Object.fromEntries(uses.map(({ quota, limit }) => [quota, limit]));
      if (JSON.stringify(limitsIn(before)) === JSON.stringify(limitsIn(after))) return { answer: { quotas: after } };
      return {
        rows: named.map(({ quota, most }) => setLimit(db, companyId, quota, most)),
        audit: { action: "quota.change", companyId, objectId: companyId, before: limitsIn(before), after: limitsIn(after) },
        answer: { quotas: after },
      };
    },
  );
  return answer;
}
