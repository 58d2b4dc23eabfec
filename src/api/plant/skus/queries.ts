import { and, eq, getTableColumns, isNotNull, sql } from "drizzle-orm";
import type { CompanyDb } from "../../../db/client.ts";
import { inList } from "../../../db/conditions.ts";
import { jsonRows } from "../../../db/json-rows.ts";
import { skuStandards, skus } from "../../../db/schema.ts";
import { jsonColumn, type SetUpTable } from "../../../resource/queries.ts";

/** Seconds per cycle on a machine; null: on any. */
export interface Standard {
  machineId: number | null;
  standardCycleSeconds: number;
}

/** A SKU with its standards, sorted by machine; the one for any machine comes first. */
export type SkuRow = typeof skus.$inferSelect & { standards: Standard[] };

const { id, companyId, updatedAt, deletedAt } = skus;

const columns = {
  ...getTableColumns(skus),
  standards: jsonColumn(
    "standards",
    sql`(SELECT json_group_array(json_object('machineId', nullif(${skuStandards.machineId}, 0),
      'standardCycleSeconds', ${skuStandards.standardCycleSeconds}) ORDER BY ${skuStandards.machineId}) FROM ${skuStandards}
      WHERE ${skuStandards.companyId} = ${companyId} AND ${skuStandards.skuId} = ${id})`,
  ),
};

export const skuTable: SetUpTable = {
  ...{ table: skus, id, companyId, updatedAt, deletedAt },
  columns: () => columns,
  idIsPerCompany: true,
};

/** The statement that lets a new SKU use the id of a deleted one. It inherits the history, which refers to the id. */
export function deleteForgotten(db: CompanyDb, sku: SkuRow) {
  return db.delete(skus).where(and(eq(companyId, sku.companyId), eq(id, sku.id), isNotNull(deletedAt)));
}

/** The statement that lets new SKUs use the ids of deleted ones. */
export function deleteAllForgotten(db: CompanyDb, ofCompany: number, ids: readonly string[]) {
  return db.delete(skus).where(and(eq(companyId, ofCompany), inList(id, ids), isNotNull(deletedAt)));
}

/** The statements that replace the standards of SKUs of a company. */
export function replaceAllStandards(db: CompanyDb, ofCompany: number, rows: readonly Pick<SkuRow, "id" | "standards">[]) {
  const isOne = inList(
    skuStandards.skuId,
    rows.map((row) => row.id),
  );
  const all = rows.flatMap(({ id: skuId, standards }) =>
    standards.map(({ machineId, standardCycleSeconds }) => ({
      ...{ companyId: ofCompany, skuId, machineId: machineId ?? 0, standardCycleSeconds },
    })),
  );
  return [
    db.delete(skuStandards).where(and(eq(skuStandards.companyId, ofCompany), isOne)),
    db.insert(skuStandards).select(jsonRows(skuStandards, all)),
  ];
}

/** The statements that replace the standards of a SKU. */
export function replaceStandards(db: CompanyDb, sku: SkuRow, standards: readonly Standard[]) {
  return [
    db.delete(skuStandards).where(and(eq(skuStandards.companyId, sku.companyId), eq(skuStandards.skuId, sku.id))),
    db.insert(skuStandards).select(sql`SELECT ${sku.companyId}, ${sku.id}, coalesce(value->>'machineId', 0),
      value->>'standardCycleSeconds' FROM json_each(${JSON.stringify(standards)})`),
  ];
}
