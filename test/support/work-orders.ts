import { env } from "cloudflare:workers";
import { drizzle } from "drizzle-orm/d1";
import { orderRuns, type Role } from "../../src/db/schema.ts";
import { call } from "./call.ts";
import { createCompany, createMachine, createOperator, createSku, createUser, createWorkOrder } from "./factories.ts";

const db = drizzle(env.DB_0);

/** A company with two machines, two SKUs, an operator, and a user whose account and grants are already in the service's memory. */
export async function createOrderPlant(role: Role = "user") {
  const { companyId } = await createCompany();
  const [first, second] = [await createMachine(companyId), await createMachine(companyId)];
  const [bolt, nut] = [await createSku(companyId), await createSku(companyId)];
  const { operatorId } = await createOperator(companyId);
  const user = await createUser(companyId, role);
  // The first request looks up the caller: after it, only the operation's own trips remain.
  await call("PUT", "/work-order-target", { token: user.token, body: {} });
  const newOrder = async (options: Parameters<typeof createWorkOrder>[2] = {}) =>
    (await createWorkOrder(first, bolt.skuId, options)).workOrderId;
  return { first, second, bolt: bolt.skuId, nut: nut.skuId, operatorId, ...user, newOrder };
}

/** The stored data of an order: its row, machine ids, targets and reports, oldest first. */
export async function storedOrder(workOrderId: string) {
  const rowsOf = (table: string, column: string, order: string) =>
    env.DB_0.prepare(`select * from ${table} where ${column} = ? order by ${order}`).bind(workOrderId);
  const [orders, machines, targets, reports] = await env.DB_0.batch<Record<string, unknown>>([
    rowsOf("work_orders", "id", "id"),
    rowsOf("work_order_machines", "work_order_id", "machine_id"),
    rowsOf("work_order_targets", "work_order_id", "rowid"),
    rowsOf("work_order_progress", "work_order_id", "rowid"),
  ]);
  return {
    order: orders?.results[0],
    machineIds: machines?.results.map((row) => row.machine_id),
    targets: targets?.results.map((row) => ({
      skuId: row.sku_id,
      quantity: row.target_quantity,
      reported: [row.reported_correct, row.reported_defects],
    })),
    reports: reports?.results ?? [],
  };
}

/** A run of an order that the line counted, by default over in a moment, as a machine's object publishes it. */
export async function createOrderRun(
  machineId: number,
  workOrderId: string,
  skuId: string,
  correct: number,
  defects: number,
  startAt = Math.floor(Math.random() * 1e9),
  endAt: number | null = startAt + 1,
) {
  await db.insert(orderRuns).values({ machineId, startAt, revision: 1, workOrderId, skuId, correct, defects, endAt });
}

/** Adds a target to an order, with a reported quantity. */
export async function addTarget(workOrderId: string, skuId: string, reportedCorrect = 0) {
  await env.DB_0.prepare(
    `insert into work_order_targets (work_order_id, sku_id, target_quantity, reported_correct, created_at, updated_at)
     values (?, ?, 10, ?, 0, 0)`,
  )
    .bind(workOrderId, skuId, reportedCorrect)
    .run();
}
