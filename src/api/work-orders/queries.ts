import { and, type Column, desc, eq, getTableColumns, isNull, type SQL, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/sqlite-core";
import type { Db } from "../../db/client.ts";
import { ifGiven, inList } from "../../db/conditions.ts";
import { isUnchanged } from "../../db/expect.ts";
import {
  machines,
  operators,
  orderRuns,
  skus,
  workOrderMachines,
  workOrderProgress,
  workOrderStatuses,
  workOrders,
  workOrderTargets,
} from "../../db/schema.ts";
import type { WorkOrderQuery } from "./query.ts";

export type OrderRow = typeof workOrders.$inferSelect;
export type TargetRow = typeof workOrderTargets.$inferSelect;
export type ProgressRow = typeof workOrderProgress.$inferSelect;

/** An order and who asks for it: `companyId` is undefined for who may ask for any company's. */
export interface OrderScope {
  workOrderId: string;
  companyId: number | undefined;
}

export interface Target {
  skuId: string;
  quantity: number;
}

/** A target as it is stored. */
export interface StoredTarget extends Omit<TargetRow, "workOrderId" | "updatedAt"> {
  /** Whether the line counted units of it, or a machine has it in work. */
  hasRuns: boolean;
}

export type StoredOrder = Awaited<ReturnType<typeof selectOrder>>[number];

/** A list that other tables keep of an order, in the shape of its items. */
const listed = <T>(name: string, list: SQL) => sql`(${list})`.mapWith((json: string): T[] => JSON.parse(json)).as(name);

/** 1 if there are such rows, otherwise 0. */
const exists = (rows: SQL) => sql<number>`EXISTS (SELECT 1 FROM ${rows})`;

/** True for a run that made something. */
const madeUnits = sql`(${orderRuns.correct} <> 0 OR ${orderRuns.defects} <> 0)`;

/** The statement that reads an order with its machines and its targets (of one SKU, where one is named): none or one row. */
export function selectOrder(db: Db, scope: OrderScope, skuId?: string) {
  const t = workOrderTargets;
  const isSku = ifGiven(t.skuId, skuId);
  return db
    .select({
      ...getTableColumns(workOrders),
      machineIds: belongings.machineIds,
      targets: listed<StoredTarget>(
        "targets",
        sql`SELECT json_group_array(json_object('skuId', ${t.skuId}, 'targetQuantity', ${t.targetQuantity},
          'reportedCorrect', ${t.reportedCorrect}, 'reportedDefects', ${t.reportedDefects},
          'correctStatedAt', ${t.correctStatedAt}, 'defectsStatedAt', ${t.defectsStatedAt}, 'createdAt', ${t.createdAt},
          'hasRuns', json(iif(EXISTS (SELECT 1 FROM ${orderRuns} WHERE ${orderRuns.workOrderId} = ${t.workOrderId}
            AND ${orderRuns.skuId} = ${t.skuId} AND (${madeUnits} OR ${orderRuns.endAt} IS NULL)), 'true', 'false'))))
          FROM ${t} WHERE ${and(sql`${t.workOrderId} = ${workOrders.id}`, isSku)}`,
      ),
    })
    .from(workOrders)
    .where(isVisible(scope));
}

/** The statement that tells what was done for an order: one row, with 1 or 0 each. */
export function selectOrderUse(db: Db, workOrderId: string) {
  const p = workOrderProgress;
  const ofOrder = eq(orderRuns.workOrderId, workOrderId);
  const reportedUnits = sql`(coalesce(${p.correct}, 0) <> 0 OR coalesce(${p.defects}, 0) <> 0
    OR ${p.mode} = 'absolute' AND coalesce(${p.correct}, ${p.defects}) IS NOT NULL)`;
  return db
    .select({
      isCounted: exists(sql`${orderRuns} WHERE ${ofOrder} AND ${madeUnits}`).as("is_counted"),
      isReported: exists(sql`${p} WHERE ${p.workOrderId} = ${workOrderId} AND ${reportedUnits}`).as("is_reported"),
      isInWork: exists(sql`${orderRuns} WHERE ${ofOrder} AND ${isNull(orderRuns.endAt)}`).as("is_in_work"),
    })
    .from(sql`(SELECT 1)`);
}

/** Whose machines and SKUs a request may name: those of a company, of the company of the first known machine, or of an order's. */
export type Owner = { companyId: number } | { machineIds: readonly number[] } | OrderScope;

function companyIdOf(owner: Owner): SQL {
  if ("workOrderId" in owner) return sql`(SELECT ${workOrders.companyId} FROM ${workOrders} WHERE ${isVisible(owner)})`;
  if ("companyId" in owner) return sql`${owner.companyId}`;
  // CROSS JOIN keeps the order of the list.
  return sql`(SELECT ${machines.companyId} FROM json_each(${JSON.stringify(owner.machineIds)}) AS named
    CROSS JOIN ${machines} ON ${machines.id} = named.value WHERE ${machines.deletedAt} IS NULL LIMIT 1)`;
}

/** The statement that reads which of these machines the owner has. */
export function selectMachines(db: Db, owner: Owner, ids: readonly number[]) {
  return db
    .select({ id: machines.id, companyId: machines.companyId })
    .from(machines)
    .where(isOwned(machines, companyIdOf(owner), ids));
}

/** The statement that reads which of these SKUs the owner has. */
export function selectSkus(db: Db, owner: Owner, ids: readonly string[]) {
  return db
    .select({ id: skus.id })
    .from(skus)
    .where(isOwned(skus, companyIdOf(owner), ids));
}

/** The statement that reads which of these operators the owner has. */
export function selectOperators(db: Db, owner: Owner, ids: readonly number[]) {
  return db
    .select({ id: operators.id })
    .from(operators)
    .where(isOwned(operators, companyIdOf(owner), ids));
}

/** Hold while a company has these machines and SKUs. */
export function areStillThere(companyId: number, machineIds: readonly number[], skuIds: readonly string[]): SQL[] {
  const areThere = (table: Owned, ids: readonly (number | string)[]) =>
    sql`(SELECT count(*) FROM ${table} WHERE ${isOwned(table, sql`${companyId}`, ids)}) = ${ids.length}`;
  return [
    ...(machineIds.length > 0 ? [areThere(machines, machineIds)] : []),
    ...(skuIds.length > 0 ? [areThere(skus, skuIds)] : []),
  ];
}

/** Holds while an order is as it was read. Every change of its machines, targets and totals is a change of the order. */
export function isSameOrder(order: StoredOrder): SQL {
  return isUnchanged(workOrders, order);
}

/** The statement that stores a new order. */
export function insertOrder(db: Db, order: OrderRow) {
  return db.insert(workOrders).values(order);
}

/** The statement that sets members of an order. */
export function updateOrder(db: Db, id: string, values: Partial<OrderRow>) {
  return db.update(workOrders).set(values).where(eq(workOrders.id, id));
}

/** The statements that make these the machines of an order. */
export function replaceMachines(db: Db, workOrderId: string, machineIds: readonly number[]) {
  const { workOrderId: order, machineId } = workOrderMachines;
  return [
    db.delete(workOrderMachines).where(and(eq(order, workOrderId), sql`NOT ${inList(machineId, machineIds)}`)),
    db
      .insert(workOrderMachines)
      .select(sql`SELECT ${workOrderId}, value FROM json_each(${JSON.stringify(machineIds)}) WHERE true`)
      .onConflictDoNothing(),
  ];
}

/** The statements that make these the targets of an order. What was reported of a target that stays is kept. */
export function replaceTargets(db: Db, workOrderId: string, targets: readonly Target[], now: number) {
  const skuIds = targets.map(({ skuId }) => skuId);
  return [
    db
      .delete(workOrderTargets)
      .where(and(eq(workOrderTargets.workOrderId, workOrderId), sql`NOT ${inList(workOrderTargets.skuId, skuIds)}`)),
    db
      .insert(workOrderTargets)
      .select(sql`SELECT ${workOrderId}, value->>'skuId', value->>'quantity', 0, 0, ${now}, ${now}, NULL, NULL
        FROM json_each(${JSON.stringify(targets)}) WHERE true`)
      .onConflictDoUpdate({
        target: [workOrderTargets.workOrderId, workOrderTargets.skuId],
        set: { targetQuantity: sql`excluded.target_quantity`, updatedAt: now },
      }),
  ];
}

/** The statement that sets members of a target. */
export function updateTarget(db: Db, workOrderId: string, skuId: string, values: Partial<TargetRow>) {
  return db
    .update(workOrderTargets)
    .set(values)
    .where(and(eq(workOrderTargets.workOrderId, workOrderId), eq(workOrderTargets.skuId, skuId)));
}

/** The statement that adds to the history of an order. */
export function insertProgress(db: Db, row: ProgressRow) {
  return db.insert(workOrderProgress).values(row);
}

/**
 * The statement that reads what was made of each target of an order (of one SKU, where one is named): `counted` by the line since each
 * total was stated; and since an instant, `countedSince` by the line in runs that began then or later, and `reportedSince` for later.
 */
export function selectMade(db: Db, workOrderId: string, skuId: string | undefined, since: number) {
  const t = workOrderTargets;
  const p = workOrderProgress;
  // A statement of its own inside: Drizzle leaves out the table's name of columns that stand in a selected expression itself.
  const sumOf = (rows: SQL) => sql<number>`coalesce((${rows}), 0)`;
  const counted = (units: Column, from: SQL | number) =>
    sumOf(sql`SELECT sum(${units}) FROM ${orderRuns} WHERE ${orderRuns.workOrderId} = ${t.workOrderId}
      AND ${orderRuns.skuId} = ${t.skuId} AND ${orderRuns.startAt} >= ${from}`);
  // Only reports since it became a target: a SKU that was removed and added again starts anew.
  const reported = (units: Column) =>
    sumOf(sql`SELECT sum(${units}) FROM ${p} WHERE ${p.workOrderId} = ${t.workOrderId} AND ${p.skuId} = ${t.skuId}
      AND ${p.mode} = 'delta' AND ${p.occurredAt} > ${since} AND ${p.createdAt} >= ${t.createdAt}`);
  return db
    .select({
      skuId: t.skuId,
      countedCorrect: counted(orderRuns.correct, sql`coalesce(${t.correctStatedAt}, 0)`).as("counted_correct"),
      countedDefects: counted(orderRuns.defects, sql`coalesce(${t.defectsStatedAt}, 0)`).as("counted_defects"),
      countedCorrectSince: counted(orderRuns.correct, since).as("counted_correct_since"),
      countedDefectsSince: counted(orderRuns.defects, since).as("counted_defects_since"),
      reportedCorrectSince: reported(p.correct).as("reported_correct_since"),
      reportedDefectsSince: reported(p.defects).as("reported_defects_since"),
    })
    .from(t)
    .where(and(eq(t.workOrderId, workOrderId), ifGiven(t.skuId, skuId)));
}

/** The statement that reads which machines may have a run of an order across an instant: all that it has, and those with such a run. */
export function selectMachinesToCut(db: Db, workOrderId: string, at: number) {
  const { workOrderId: order, machineId } = workOrderMachines;
  const isAcross = and(eq(orderRuns.workOrderId, workOrderId), sql`coalesce(${orderRuns.endAt}, ${at} + 1) > ${at}`);
  return db.select({ machineId: sql<number>`id`.as("id") }).from(
    sql`(SELECT ${machineId} AS id FROM ${workOrderMachines} WHERE ${eq(order, workOrderId)}
        UNION SELECT ${orderRuns.machineId} FROM ${orderRuns} WHERE ${isAcross})`,
  );
}

function isVisible({ workOrderId, companyId }: OrderScope): SQL {
  const isOwn = ifGiven(workOrders.companyId, companyId);
  return sql`${and(eq(workOrders.id, workOrderId), isNull(workOrders.deletedAt), isOwn)}`;
}

export type OrderRead = ReturnType<typeof orderOf>;

/** The orders that a query selects, newest first, one more than its limit. One trip. */
export function listOrders(db: Db, { companyId, statuses, machineIds, cursor, limit }: WorkOrderQuery) {
  const isAny = statuses === undefined || workOrderStatuses.every((status) => statuses.includes(status));
  const { workOrderId, machineId } = workOrderMachines;
  const hasMachine = (ids: readonly number[]) =>
    sql`EXISTS (SELECT 1 FROM ${workOrderMachines} WHERE ${workOrderId} = ${workOrders.id} AND ${inList(machineId, ids)})`;
  const selected = (isOne: SQL | undefined) =>
    and(
      ifGiven(workOrders.companyId, companyId),
      isOne,
      machineIds && hasMachine(machineIds),
      cursor && sql`(${workOrders.createdAt}, ${workOrders.id}) < (${cursor[0]}, ${cursor[1]})`,
    );
  if (isAny) return selectOrders(db, [selected(undefined)], limit + 1);
  return selectOrders(
    db,
    [...new Set(statuses)].map((status) => selected(eq(workOrders.status, status))),
    limit + 1,
  );
}

/** An order of the company (undefined: any); undefined when it has none. One trip. */
export async function findOrder(db: Db, id: string, companyId: number | undefined) {
  const [row] = await selectOrders(db, [isVisible({ workOrderId: id, companyId })], 1);
  return row && orderOf(row);
}

// As JSON in the order's own row: a page is found once, and each of its orders read with what belongs to it.
const belongings = {
  machineIds: listed<number>(
    "machine_ids",
    sql`SELECT json_group_array(${workOrderMachines.machineId}) FROM ${workOrderMachines}
      WHERE ${workOrderMachines.workOrderId} = ${workOrders.id}`,
  ),
  targets: listed<Pick<typeof workOrderTargets.$inferSelect, "skuId" | "targetQuantity" | "reportedCorrect" | "reportedDefects">>(
    "targets",
    sql`SELECT json_group_array(json_object('skuId', ${workOrderTargets.skuId}, 'targetQuantity', ${workOrderTargets.targetQuantity},
      'reportedCorrect', ${workOrderTargets.reportedCorrect}, 'reportedDefects', ${workOrderTargets.reportedDefects}))
      FROM ${workOrderTargets} WHERE ${workOrderTargets.workOrderId} = ${workOrders.id}`,
  ),
  runs: listed<{ skuId: string; correct: number; defects: number }>(
    "runs",
    // Of a SKU with a stated total what was made since alone counts; whatever was made of it, it is listed.
    sql`SELECT json_group_array(json_object('skuId', made.sku_id, 'correct', made.correct, 'defects', made.defects))
      FROM (SELECT run.sku_id,
          sum(run.correct * (run.start_at >= coalesce(target.stated_at, 0))) AS correct,
          sum(run.defects * (run.start_at >= coalesce(target.defects_stated_at, 0))) AS defects
        FROM ${orderRuns} AS run LEFT JOIN ${workOrderTargets} AS target
          ON target.work_order_id = run.work_order_id AND target.sku_id = run.sku_id
        WHERE run.work_order_id = ${workOrders.id} GROUP BY run.sku_id
        HAVING max(run.correct <> 0 OR run.defects <> 0)) AS made`,
  ),
};

/**
 * Orders with their machines and targets, and what the line counted for them per SKU, newest first. Those of each condition are
 * found by an index in that order, and merged as they are read: no order meets two of them. One trip.
 */
function selectOrders(db: Db, conditions: readonly (SQL | undefined)[], limit: number) {
  const ordersOf = (condition: SQL | undefined) =>
    db
      .select({ ...getTableColumns(workOrders), ...belongings })
      .from(workOrders)
      .where(and(condition, isNull(workOrders.deletedAt)));
  const [first = ordersOf(sql`0`), second, ...others] = conditions.map(ordersOf);
  const all = second ? unionAll(first, second, ...others) : first;
  return all.orderBy(desc(workOrders.createdAt), desc(workOrders.id)).limit(limit);
}

/** An order and what belongs to it, from its row. */
export function orderOf({ machineIds, targets, runs, ...order }: Awaited<ReturnType<typeof selectOrders>>[number]) {
  return { order, machineIds, targets, runs };
}

type Owned = typeof machines | typeof skus | typeof operators;

/** Whether a row is one of these, of the company, and not deleted. */
function isOwned(table: Owned, companyId: SQL | Column, ids: readonly (number | string)[]): SQL {
  return sql`${table.companyId} = ${companyId} AND ${table.deletedAt} IS NULL AND ${inList(table.id, ids)}`;
}
