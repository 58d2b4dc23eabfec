import { and, type Column, desc, eq, getTableColumns, isNull, type SQL, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/sqlite-core";
import type { Db } from "../../db/client.ts";
import {
  machines,
  operators,
  orderRuns,
  skus,
  type WorkOrderStatus,
  workOrderMachines,
  workOrderProgress,
  workOrderStatuses,
  workOrders,
  workOrderTargets,
} from "../../db/schema.ts";
import { type Audit, brief, briefList } from "../../http/audit.ts";
import type { keepAnswer } from "../../http/idempotency.ts";
import { isoOf } from "../../oee/time.ts";
import type { WorkOrderQuery } from "./list-work-orders.ts";

export { type WorkOrderStatus, workOrderStatuses };

/** The status that an order in each status gets by a change. Where the change is refused there is none. */
export type Outcomes = Partial<Record<WorkOrderStatus, WorkOrderStatus>>;

/** Gives the statements that keep an answer once a condition holds. */
type Keep = (condition: SQL) => ReturnType<typeof keepAnswer>;

/** An order and who asks for it: `companyId` is undefined for who may ask for any company's. */
interface OrderScope {
  workOrderId: string;
  companyId: number | undefined;
}

interface Target {
  skuId: string;
  quantity: number;
}

export interface NewOrder {
  code: string;
  name: string;
  status: WorkOrderStatus;
  priority: number;
  source: string;
  /** Epoch ms. */
  estimatedDeliveryAt: number | null;
  machineIds: readonly number[];
  targets: readonly Target[];
}

/**
 * Creates an order of `companyId`, or where that is undefined of its first known machine's company. One trip.
 * @returns the machines and SKUs of that company among the named ones: created if that is all of them; null: the code is taken
 */
export async function insertOrder(db: Db, companyId: number | undefined, order: NewOrder, keep: Keep, audit: Audit, now: number) {
  const { code, name, status, priority, source, estimatedDeliveryAt, machineIds, targets } = order;
  const id = crypto.randomUUID();
  const skuIds = targets.map(({ skuId }) => skuId);
  // CROSS JOIN: in the order of the list.
  const ofMachines = sql`(SELECT ${machines.companyId} FROM json_each(${JSON.stringify(machineIds)}) AS named
    CROSS JOIN ${machines} ON ${machines.id} = named.value WHERE ${machines.deletedAt} IS NULL LIMIT 1)`;
  const owner = companyId === undefined ? ofMachines : sql`${companyId}`;
  const isThere = isAt(id, id);
  const created = await unlessCodeTaken(
    db.batch([
      db
        .select({ id: machines.id })
        .from(machines)
        .where(isOwned(machines, owner, machineIds)),
      db
        .select({ id: skus.id })
        .from(skus)
        .where(isOwned(skus, owner, skuIds)),
      db.insert(workOrders).select(sql`SELECT ${id}, ${owner}, ${code}, ${name}, ${status}, ${priority}, ${source},
        ${estimatedDeliveryAt}, ${id}, ${now}, ${now}, NULL
        WHERE ${areOwned(machines, owner, machineIds)} AND ${areOwned(skus, owner, skuIds)}`),
      audit(
        { action: "work-order.create", companyId: workOrders.companyId, objectId: id, before: null, after: shownOf(order) },
        sql`FROM ${workOrders} WHERE ${and(eq(workOrders.id, id), isThere)}`,
      ),
      insertMachines(db, id, machineIds, isThere),
      upsertTargets(db, id, targets, isThere, now),
      ...keep(isThere),
    ]),
  );
  return created && { machineIds: created[0].map(({ id }) => id), skuIds: created[1].map(({ id }) => id) };
}

/** What an update makes of an order; what is undefined stays. */
export interface OrderUpdate {
  name: string | undefined;
  code: string | undefined;
  machineIds: readonly number[] | undefined;
  targets: readonly Target[] | undefined;
}

/**
 * Updates an order that has an outcome for its status, if all machines and SKUs are its company's. One trip.
 * @returns the order's status before, whether it was updated, and the company's machines and SKUs among the named ones;
 * `isCodeTaken` alone when another order has the code
 */
export async function updateOrder(
  db: Db,
  scope: OrderScope,
  update: OrderUpdate,
  outcomes: Outcomes,
  keep: Keep,
  audit: Audit,
  now: number,
) {
  const { name, code, machineIds = [], targets = [] } = update;
  const { workOrderId: id } = scope;
  const changeId = crypto.randomUUID();
  const skuIds = targets.map(({ skuId }) => skuId);
  const owner = sql`(SELECT ${workOrders.companyId} FROM ${workOrders} WHERE ${isVisible(scope)})`;
  const isDone = isAt(id, changeId);
  const isPossible = sql`${and(isVisible(scope), hasOutcome(outcomes), areOwned(machines, owner, machineIds), areOwned(skus, owner, skuIds))}`;
  const done = await unlessCodeTaken(
    db.batch([
      db.select({ status: workOrders.status }).from(workOrders).where(isVisible(scope)),
      db
        .select({ id: machines.id })
        .from(machines)
        .where(isOwned(machines, owner, machineIds)),
      db
        .select({ id: skus.id })
        .from(skus)
        .where(isOwned(skus, owner, skuIds)),
      auditUpdate(audit, id, update, outcomes, isPossible),
      db
        .update(workOrders)
        .set({ changeId, name, code, status: outcomeOf(outcomes), updatedAt: now })
        .where(isPossible)
        .returning({ id: workOrders.id }),
      ...(update.machineIds ? replaceMachines(db, id, machineIds, isDone) : []),
      ...(update.targets ? replaceTargets(db, id, targets, isDone, now) : []),
      ...keep(isDone),
    ]),
  );
  if (!done) return { isCodeTaken: true as const };
  const [[before], foundMachines, foundSkus, , updated] = done;
  const found = { machineIds: foundMachines.map(({ id }) => id), skuIds: foundSkus.map(({ id }) => id) };
  return { isCodeTaken: false as const, status: before?.status, isUpdated: updated.length > 0, ...found };
}

/** The audit entry of an update: the members that it names, and the status. It has to come before the update. */
function auditUpdate(audit: Audit, id: string, update: OrderUpdate, outcomes: Outcomes, isPossible: SQL) {
  const { name, code, machineIds, targets } = update;
  const { workOrderId: ofMachine, machineId } = workOrderMachines;
  const { workOrderId: ofTarget, skuId, targetQuantity } = workOrderTargets;
  const target = sql`json_object('skuId', ${skuId}, 'targetQuantity', ${targetQuantity})`;
  const machinesNow = briefList(machineId, sql`FROM ${workOrderMachines} WHERE ${eq(ofMachine, id)}`);
  const targetsNow = briefList(target, sql`FROM ${workOrderTargets} WHERE ${eq(ofTarget, id)}`);
  const next = brief({ name, code, machineIds, targets: targets && shownTargets(targets) });
  return audit(
    {
      action: "work-order.change",
      companyId: workOrders.companyId,
      objectId: id,
      before: sql`json_object('status', ${workOrders.status}, 'name', ${workOrders.name}, 'code', ${workOrders.code}
        ${machineIds && sql`, 'machineIds', json(${machinesNow})`} ${targets && sql`, 'targets', json(${targetsNow})`})`,
      after: sql`json_patch(json_object('status', ${outcomeOf(outcomes)}, 'name', ${workOrders.name}, 'code', ${workOrders.code}),
        ${JSON.stringify(next)})`,
    },
    sql`FROM ${workOrders} WHERE ${isPossible}`,
  );
}

/** A new order as it is shown. */
function shownOf({ estimatedDeliveryAt, targets, ...order }: NewOrder) {
  const estimatedDeliveryTime = isoOf(estimatedDeliveryAt);
  return { ...order, estimatedDeliveryTime, targets: shownTargets(targets) };
}

function shownTargets(targets: readonly Target[]) {
  return targets.map(({ skuId, quantity }) => ({ skuId, targetQuantity: quantity }));
}

/** Sets a target of an order in one of the statuses. One trip. Gives the order's status; undefined: no such order or target. */
export async function updateTargetQuantity(
  db: Db,
  scope: OrderScope,
  { skuId, quantity }: Target,
  statuses: readonly WorkOrderStatus[],
  keep: Keep,
  audit: Audit,
  now: number,
): Promise<WorkOrderStatus | undefined> {
  const isTarget = and(eq(workOrderTargets.workOrderId, scope.workOrderId), eq(workOrderTargets.skuId, skuId));
  const hasTarget = sql`EXISTS (SELECT 1 FROM ${workOrderTargets} WHERE ${isTarget})`;
  const isOpen = and(isVisible(scope), isIn(workOrders.status, statuses));
  const isChangeable = and(isTarget, sql`EXISTS (SELECT 1 FROM ${workOrders} WHERE ${isOpen})`);
  const companyId = sql`(SELECT ${workOrders.companyId} FROM ${workOrders} WHERE ${isVisible(scope)})`;
  const before = sql`json_object('skuId', ${workOrderTargets.skuId}, 'targetQuantity', ${workOrderTargets.targetQuantity})`;
  const [[order]] = await db.batch([
    db
      .select({ status: workOrders.status })
      .from(workOrders)
      .where(and(isVisible(scope), hasTarget)),
    audit(
      {
        action: "work-order.set-target",
        companyId,
        objectId: scope.workOrderId,
        before,
        after: { skuId, targetQuantity: quantity },
      },
      sql`FROM ${workOrderTargets} WHERE ${isChangeable}`,
    ),
    db.update(workOrderTargets).set({ targetQuantity: quantity, updatedAt: now }).where(isChangeable),
    ...keep(sql`EXISTS (SELECT 1 FROM ${workOrderTargets} WHERE ${isChangeable})`),
  ]);
  return order?.status;
}

/** What a person reports of an order. */
export interface ProgressReport {
  /** Undefined: of the order's one target. */
  skuId?: string | undefined;
  correct?: number | undefined;
  defects?: number | undefined;
  mode: "delta" | "absolute";
  machineId?: number | undefined;
  operatorId?: number | undefined;
  userId: number;
  comment?: string | undefined;
  /** Epoch ms. */
  occurredAt: number;
}

/**
 * Adds a report to an order that has an outcome for its status, and to its history. One trip.
 * @returns whether it was added, and the order before: its status, and which conditions of the report it met (1 or 0);
 * undefined: no such order
 */
export async function addProgress(
  db: Db,
  scope: OrderScope,
  report: ProgressReport,
  outcomes: Outcomes,
  keep: Keep,
  audit: Audit,
  now: number,
) {
  const { mode, machineId = null, operatorId = null, userId, comment = null, occurredAt } = report;
  const { isTarget, correctAfter, defectsAfter, hasTarget, hasMachine, hasOperator, isPossible } = sqlOf(scope, report);
  const changeId = crypto.randomUUID();
  const isDone = isAt(scope.workOrderId, changeId);
  const isAddable = and(isVisible(scope), hasOutcome(outcomes), hasTarget, hasMachine, hasOperator, isPossible);
  const { skuId, reportedCorrect, reportedDefects } = workOrderTargets;
  const stateJson = (status: Column | SQL, correct: Column | SQL, defects: Column | SQL) =>
    sql`json_object('status', ${status}, 'skuId', ${skuId}, 'reportedCorrect', ${correct}, 'reportedDefects', ${defects})`;
  const [[before], , added] = await db.batch([
    db
      .select({
        status: workOrders.status,
        hasTarget: sql<number>`${hasTarget}`.as("has_target"),
        hasMachine: sql<number>`${hasMachine}`.as("has_machine"),
        hasOperator: sql<number>`${hasOperator}`.as("has_operator"),
      })
      .from(workOrders)
      .where(isVisible(scope)),
    audit(
      {
        action: "work-order.report-progress",
        companyId: workOrders.companyId,
        objectId: scope.workOrderId,
        before: stateJson(workOrders.status, reportedCorrect, reportedDefects),
        after: stateJson(outcomeOf(outcomes), correctAfter, defectsAfter),
      },
      sql`FROM ${workOrders} LEFT JOIN ${workOrderTargets} ON ${isTarget} WHERE ${isAddable}`,
    ),
    db
      .update(workOrders)
      .set({ changeId, status: outcomeOf(outcomes), updatedAt: now })
      .where(isAddable)
      .returning({ id: workOrders.id }),
    db.insert(workOrderProgress).select(sql`SELECT ${changeId}, ${workOrders.id}, ${workOrderTargets.skuId},
      coalesce(round(${correctAfter} - ${workOrderTargets.reportedCorrect}, 6), 0),
      coalesce(round(${defectsAfter} - ${workOrderTargets.reportedDefects}, 6), 0), ${mode}, ${workOrders.status},
      ${machineId}, ${operatorId}, ${userId}, ${comment}, ${occurredAt}, ${now}
      FROM ${workOrders} LEFT JOIN ${workOrderTargets} ON ${isTarget} WHERE ${eq(workOrders.id, scope.workOrderId)} AND ${isDone}`),
    db
      .update(workOrderTargets)
      .set({ reportedCorrect: correctAfter, reportedDefects: defectsAfter, updatedAt: now })
      .where(and(isTarget, isDone)),
    ...keep(isDone),
  ]);
  return { before, isAdded: added.length > 0 };
}

/** The target that a report is about, what it becomes, and what must hold. */
function sqlOf({ workOrderId }: OrderScope, { skuId, correct, defects, mode, machineId, operatorId }: ProgressReport) {
  const isAboutTarget = skuId !== undefined || correct !== undefined || defects !== undefined;
  const isSku = skuId === undefined ? undefined : eq(workOrderTargets.skuId, skuId);
  const isTarget = sql`(${isAboutTarget ? and(eq(workOrderTargets.workOrderId, workOrderId), isSku) : sql`false`})`;
  const correctAfter = reportedAfter(workOrderTargets.reportedCorrect, orderRuns.correct, mode, correct);
  const defectsAfter = reportedAfter(workOrderTargets.reportedDefects, orderRuns.defects, mode, defects);
  const isMachine = and(eq(workOrderMachines.workOrderId, workOrderId), eq(workOrderMachines.machineId, machineId ?? 0));
  return {
    isTarget,
    correctAfter,
    defectsAfter,
    hasTarget: sql`(SELECT count(*) FROM ${workOrderTargets} WHERE ${isTarget}) = ${isAboutTarget ? 1 : 0}`,
    hasMachine: machineId === undefined ? sql`true` : sql`EXISTS (SELECT 1 FROM ${workOrderMachines} WHERE ${isMachine})`,
    hasOperator: areOwned(operators, workOrders.companyId, operatorId === undefined ? [] : [operatorId]),
    isPossible: sql`NOT EXISTS (SELECT 1 FROM ${workOrderTargets} WHERE ${isTarget}
      AND NOT (${canBeTotal(correctAfter, orderRuns.correct)} AND ${canBeTotal(defectsAfter, orderRuns.defects)}))`,
  };
}

function isVisible({ workOrderId, companyId }: OrderScope): SQL {
  const isOwn = companyId === undefined ? undefined : eq(workOrders.companyId, companyId);
  return sql`${and(eq(workOrders.id, workOrderId), isNull(workOrders.deletedAt), isOwn)}`;
}

export type OrderRead = Awaited<ReturnType<typeof readOrders>>[number];

/** The orders that a query selects, newest first, one more than its limit. One trip. */
export async function listOrders(db: Db, { companyId, statuses, machineIds, cursor, limit }: WorkOrderQuery) {
  const isAny = statuses === undefined || workOrderStatuses.every((status) => statuses.includes(status));
  const { workOrderId, machineId } = workOrderMachines;
  const hasMachine = (ids: readonly number[]) =>
    sql`EXISTS (SELECT 1 FROM ${workOrderMachines} WHERE ${workOrderId} = ${workOrders.id} AND ${isIn(machineId, ids)})`;
  const selected = (isOne: SQL | undefined) =>
    and(
      companyId === undefined ? undefined : eq(workOrders.companyId, companyId),
      isOne,
      machineIds && hasMachine(machineIds),
      cursor && sql`(${workOrders.createdAt}, ${workOrders.id}) < (${cursor[0]}, ${cursor[1]})`,
    );
  if (isAny) return readOrders(db, [selected(undefined)], limit + 1);
  return readOrders(
    db,
    [...new Set(statuses)].map((status) => selected(eq(workOrders.status, status))),
    limit + 1,
  );
}

/** An order of the company (undefined: any); undefined when it has none. One trip. */
export async function findOrder(db: Db, id: string, companyId: number | undefined) {
  const [order] = await readOrders(db, [isVisible({ workOrderId: id, companyId })], 1);
  return order;
}

/** A list that other tables keep of an order, in the shape of its items. */
const listed = <T>(name: string, list: SQL) => sql`(${list})`.mapWith((json: string): T[] => JSON.parse(json)).as(name);

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
    sql`SELECT json_group_array(json_object('skuId', made.sku_id, 'correct', made.correct, 'defects', made.defects))
      FROM (SELECT sku_id, sum(correct) AS correct, sum(defects) AS defects FROM ${orderRuns}
        WHERE ${orderRuns.workOrderId} = ${workOrders.id} GROUP BY sku_id) AS made`,
  ),
};

/**
 * Orders with their machines and targets, and what the line counted for them per SKU, newest first. Those of each condition are
 * found by an index in that order, and merged as they are read: no order meets two of them. One trip.
 */
async function readOrders(db: Db, conditions: readonly (SQL | undefined)[], limit: number) {
  const [first, second, ...others] = conditions.map((condition) =>
    db
      .select({ ...getTableColumns(workOrders), ...belongings })
      .from(workOrders)
      .where(and(condition, isNull(workOrders.deletedAt))),
  );
  if (!first) return [];
  const all = second ? unionAll(first, second, ...others) : first;
  const rows = await all.orderBy(desc(workOrders.createdAt), desc(workOrders.id)).limit(limit);
  return rows.map(({ machineIds, targets, runs, ...order }) => ({ order, machineIds, targets, runs }));
}

/** Whether the order carries the change of this id: what belongs to the change is written only then. */
function isAt(workOrderId: string, changeId: string): SQL {
  return sql`EXISTS (SELECT 1 FROM ${workOrders} AS changed WHERE changed.id = ${workOrderId} AND changed.change_id = ${changeId})`;
}

function outcomeOf(outcomes: Outcomes): SQL {
  return sql`(${JSON.stringify(outcomes)} ->> ${workOrders.status})`;
}

function hasOutcome(outcomes: Outcomes): SQL {
  return sql`${outcomeOf(outcomes)} IS NOT NULL`;
}

type Owned = typeof machines | typeof skus | typeof operators;

/** Whether a row is one of these, of the company, and not deleted. */
function isOwned(table: Owned, companyId: SQL | Column, ids: readonly (number | string)[]): SQL {
  return sql`${table.companyId} = ${companyId} AND ${table.deletedAt} IS NULL AND ${isIn(table.id, ids)}`;
}

function areOwned(table: Owned, companyId: SQL | Column, ids: readonly (number | string)[]): SQL {
  return sql`(SELECT count(*) FROM ${table} WHERE ${isOwned(table, companyId, ids)}) = ${ids.length}`;
}

/** One parameter for any number of values; a single one is looked up without a list. */
function isIn(column: Column, values: readonly (number | string)[]): SQL {
  if (values.length === 1) return sql`${column} = ${values[0]}`;
  return sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(values)}))`;
}

function replaceMachines(db: Db, workOrderId: string, machineIds: readonly number[], isDone: SQL) {
  const { workOrderId: order, machineId } = workOrderMachines;
  return [
    db.delete(workOrderMachines).where(and(eq(order, workOrderId), sql`NOT ${isIn(machineId, machineIds)}`, isDone)),
    insertMachines(db, workOrderId, machineIds, isDone),
  ];
}

function insertMachines(db: Db, workOrderId: string, machineIds: readonly number[], isDone: SQL) {
  return db
    .insert(workOrderMachines)
    .select(sql`SELECT ${workOrderId}, value FROM json_each(${JSON.stringify(machineIds)}) WHERE ${isDone}`)
    .onConflictDoNothing();
}

function replaceTargets(db: Db, workOrderId: string, targets: readonly Target[], isDone: SQL, now: number) {
  const skuIds = targets.map(({ skuId }) => skuId);
  const isGone = sql`NOT ${isIn(workOrderTargets.skuId, skuIds)}`;
  return [
    db.delete(workOrderTargets).where(and(eq(workOrderTargets.workOrderId, workOrderId), isGone, isDone)),
    upsertTargets(db, workOrderId, targets, isDone, now),
  ];
}

/** What was reported of a target that is there already stays. */
function upsertTargets(db: Db, workOrderId: string, targets: readonly Target[], isDone: SQL, now: number) {
  return db
    .insert(workOrderTargets)
    .select(sql`SELECT ${workOrderId}, value->>'skuId', value->>'quantity', 0, 0, ${now}, ${now}, NULL
      FROM json_each(${JSON.stringify(targets)}) WHERE ${isDone}`)
    .onConflictDoUpdate({
      target: [workOrderTargets.workOrderId, workOrderTargets.skuId],
      set: { targetQuantity: sql`excluded.target_quantity`, updatedAt: now },
    });
}

/** What people reported of a target after a report. Six decimals: sums of fractions must come out even. */
function reportedAfter(reported: Column, counted: Column, mode: ProgressReport["mode"], value: number | undefined): SQL {
  if (value === undefined) return sql`${reported}`;
  return mode === "delta" ? sql`round(${reported} + ${value}, 6)` : sql`round(${value} - ${countedOf(counted)}, 6)`;
}

/** Whether the total, of what was reported and what the line counted, is one that can be. */
function canBeTotal(reportedAfterwards: SQL, counted: Column): SQL {
  return sql`round(${reportedAfterwards} + ${countedOf(counted)}, 6) BETWEEN 0 AND ${2 ** 53}`;
}

/** What the line counted for a target. */
function countedOf(counted: Column): SQL {
  return sql`coalesce((SELECT sum(${counted}) FROM ${orderRuns} WHERE ${orderRuns.workOrderId} = ${workOrderTargets.workOrderId}
    AND ${orderRuns.skuId} = ${workOrderTargets.skuId}), 0)`;
}

/** What a write gives, or null when it failed because another order of the company has the code. */
async function unlessCodeTaken<T>(write: Promise<T>): Promise<T | null> {
  try {
    return await write;
  } catch (error) {
    if (error instanceof Error && error.message.includes("work_orders.code")) return null;
    throw error;
  }
}
