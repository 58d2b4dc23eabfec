import { and, eq, getTableColumns, isNotNull, sql } from "drizzle-orm";
import { skuStandards, skus } from "../../../db/schema.ts";
import { machineTable } from "../machines/queries.ts";
import { areThere, isFree, type SetUpTable } from "../queries.ts";

/** Seconds per cycle on a machine; null: on any. */
export interface Standard {
  machineId: number | null;
  standardCycleSeconds: number;
}

export type SkuRow = typeof skus.$inferSelect & { standards: Standard[] };

const { id, companyId, updatedAt, deletedAt } = skus;

export const skuTable: SetUpTable<SkuRow> = {
  ...{ table: skus, id, companyId, updatedAt, deletedAt },
  columns: getTableColumns(skus),
  newId: () => crypto.randomUUID(),
  extras: () => ({
    standards: sql`(SELECT json_group_array(json_object('machineId', nullif(${skuStandards.machineId}, 0),
      'standardCycleSeconds', ${skuStandards.standardCycleSeconds}) ORDER BY ${skuStandards.machineId}) FROM ${skuStandards}
      WHERE ${skuStandards.companyId} = ${companyId} AND ${skuStandards.skuId} = ${id})`,
  }),
  checks(next, before) {
    const isNew = before ? [] : [isFree(skuTable, { ...next, id: "" }, id, next.id, "/id")];
    if (next.standards === before?.standards) return isNew;
    const own = next.standards.flatMap((standard, index) => (standard.machineId === null ? [] : { ...standard, index }));
    const ids = own.map(({ machineId }) => machineId ?? 0);
    return [...isNew, areThere(machineTable, next.companyId, ids, (i) => `/standards/${own[i]?.index}/machineId`)];
  },
  // A deleted SKU's id may be used again; its history goes by the id and is the new one's.
  clear: (db, next) => [db.delete(skus).where(and(ofSku(skus.companyId, skus.id, next), isNotNull(deletedAt)))],
  attach(db, next, before) {
    if (next.standards === before?.standards) return [];
    return [
      db.delete(skuStandards).where(ofSku(skuStandards.companyId, skuStandards.skuId, next)),
      db.insert(skuStandards).select(sql`SELECT ${next.companyId}, ${next.id}, coalesce(value->>'machineId', 0),
        value->>'standardCycleSeconds' FROM json_each(${JSON.stringify(next.standards)})`),
    ];
  },
  machines(before, next) {
    if (!next || next.standards === before?.standards) return [];
    const ids = [...(before?.standards ?? []), ...next.standards].map(({ machineId }) => machineId);
    return ids.includes(null) ? "all" : ids.filter((machineId) => machineId !== null);
  },
};

function ofSku(
  company: typeof companyId | typeof skuStandards.companyId,
  sku: typeof id | typeof skuStandards.skuId,
  row: SkuRow,
) {
  return and(eq(company, row.companyId), eq(sku, row.id));
}
