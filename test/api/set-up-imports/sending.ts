import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { call } from "../../support/call.ts";
import type { newPlant } from "../plant/plant-file/full-plant.ts";

export type Plant = Awaited<ReturnType<typeof newPlant>>;

/** Sends a file of set-up. */
export async function send({ token }: Plant, file: string | Uint8Array, query: string, more: object = {}) {
  return await call("POST", `/v1/setup/imports?${query}`, {
    token,
    body: file,
    headers: { "content-type": "text/csv" },
    ...more,
  });
}

/** The report of a file that is taken. */
export async function reportOf(plant: Plant, file: string | Uint8Array, query: string) {
  const { status, body } = await send(plant, file, query);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

const tables = ["lines", "machines", "operators", "skus", "stop_causes", "defect_reasons", "work_orders"];
/** What a change of any item changes, and what machines note of it. */
const stamps = ["updated_at", "created_at", "config_version", "configured_version"];

/** All rows of the set-up of a company that are not deleted, without when they were written. */
export async function dumpOf({ companyId }: Plant): Promise<Record<string, unknown[]>> {
  const rowsOf = async (sql: string) => (await env.DB_0.prepare(sql).bind(companyId).all<Record<string, unknown>>()).results;
  const dump = await Promise.all(
    tables.map(async (table) => {
      const rows = await rowsOf(
        `SELECT * FROM ${table} WHERE company_id = ? AND deleted_at IS NULL ORDER BY ${table === "work_orders" ? "code" : "id"}`,
      );
      return [table, rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !stamps.includes(name))))];
    }),
  );
  const standards = await rowsOf(
    "SELECT one.* FROM sku_standards AS one JOIN skus ON skus.id = sku_id AND skus.company_id = one.company_id WHERE one.company_id = ? AND deleted_at IS NULL ORDER BY sku_id, machine_id",
  );
  const ofOrders = (columns: string, table: string) =>
    rowsOf(
      `SELECT code, ${columns} FROM ${table} JOIN work_orders ON id = work_order_id WHERE company_id = ? AND deleted_at IS NULL ORDER BY code, 2`,
    );
  return {
    ...Object.fromEntries(dump),
    sku_standards: standards,
    work_order_machines: await ofOrders("machine_id", "work_order_machines"),
    work_order_targets: await ofOrders("sku_id, target_quantity, reported_correct, reported_defects", "work_order_targets"),
  };
}

export async function countOf({ companyId }: Plant, table: string): Promise<number> {
  const counted = env.DB_0.prepare(`SELECT count(*) AS n FROM ${table} WHERE company_id = ?`).bind(companyId);
  return (await counted.first<number>("n")) ?? 0;
}

/** A text in UTF-16. */
export function utf16(text: string, { isBigEndian = false, hasMark = true } = {}): Uint8Array {
  const units = [...((hasMark ? "\uFEFF" : "") + text)].flatMap((one) => one.charCodeAt(0));
  return Uint8Array.from(units.flatMap((unit) => (isBigEndian ? [unit >> 8, unit & 255] : [unit & 255, unit >> 8])));
}
