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
  priority: number | undefined;
  /** Epoch ms; null: there is none any more. */
  estimatedDeliveryAt: number | null | undefined;
  machineIds: readonly number[] | undefined;
  targets: readonly Target[] | undefined;
}

/**
 * Updates an order that has an outcome for its status, if all machines and SKUs are its company's and no SKU is left out of which
 * something was made. One trip.
 * @returns the order's status before, whether it was updated, the company's machines and SKUs among the named ones, and the SKUs
 * that may not be left out; `isCodeTaken` alone when another order has the code
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
  const { name, code, priority, estimatedDeliveryAt, machineIds = [], targets = [] } = update;
  const { workOrderId: id } = scope;
  const changeId = crypto.randomUUID();
  const skuIds = targets.map(({ skuId }) => skuId);
  const owner = sql`(SELECT ${workOrders.companyId} FROM ${workOrders} WHERE ${isVisible(scope)})`;
  const isDone = isAt(id, changeId);
  // Without targets in the update none is left out.
  const isLeftOut = update.targets ? sql`NOT ${isIn(workOrderTargets.skuId, skuIds)}` : sql`false`;
  const keptTargets = sql`${workOrderTargets} WHERE ${and(eq(workOrderTargets.workOrderId, id), isLeftOut, isMade)}`;
  const isPossible = sql`${and(
    isVisible(scope),
    hasOutcome(outcomes),
    areOwned(machines, owner, machineIds),
    areOwned(skus, owner, skuIds),
    sql`NOT EXISTS (SELECT 1 FROM ${keptTargets})`,
  )}`;
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
      db
        .select({ skuId: workOrderTargets.skuId })
        .from(workOrderTargets)
        .where(and(eq(workOrderTargets.workOrderId, id), isLeftOut, isMade)),
      auditUpdate(audit, id, update, outcomes, isPossible),
      db
        .update(workOrders)
        .set({ changeId, name, code, priority, estimatedDeliveryAt, status: outcomeOf(outcomes), updatedAt: now })
        .where(isPossible)
        .returning({ id: workOrders.id }),
      ...(update.machineIds ? replaceMachines(db, id, machineIds, isDone) : []),
      ...(update.targets ? replaceTargets(db, id, targets, isDone, now) : []),
      ...keep(isDone),
    ]),
  );
  if (!done) return { isCodeTaken: true as const };
  const [[before], foundMachines, foundSkus, kept, , updated] = done;
  const found = {
    machineIds: foundMachines.map(({ id }) => id),
    skuIds: foundSkus.map(({ id }) => id),
    madeSkuIds: kept.map(({ skuId }) => skuId),
  };
  return { isCodeTaken: false as const, status: before?.status, isUpdated: updated.length > 0, ...found };
}

/** The audit entry of an update: the members that it names, and the status. It has to come before the update. */
function auditUpdate(audit: Audit, id: string, update: OrderUpdate, outcomes: Outcomes, isPossible: SQL) {
  const { name, code, priority, estimatedDeliveryAt, machineIds, targets } = update;
  const next = brief({ name, code, priority, machineIds, targets: targets && shownTargets(targets) });
  // Apart: a patch of an object takes a null for a member to be removed.
  const delivery = estimatedDeliveryAt === undefined ? [] : [isoOf(estimatedDeliveryAt)];
  return audit(
    {
      action: "work-order.change",
      companyId: workOrders.companyId,
      objectId: id,
      before: sql`json_object('status', ${workOrders.status}, 'name', ${workOrders.name}, 'code', ${workOrders.code}
        ${priority !== undefined ? sql`, 'priority', ${workOrders.priority}` : undefined}
        ${delivery.length > 0 ? sql`, 'estimatedDeliveryTime', ${isoTextOf(workOrders.estimatedDeliveryAt)}` : undefined}
        ${machineIds && sql`, ${machinesOf(id)}`} ${targets && sql`, ${targetsOf(id)}`})`,
      after: sql`json_set(json_patch(json_object('status', ${outcomeOf(outcomes)}, 'name', ${workOrders.name},
        'code', ${workOrders.code}), ${JSON.stringify(next)})
        ${delivery.length > 0 ? sql`, '$.estimatedDeliveryTime', ${delivery[0]}` : undefined})`,
    },
    sql`FROM ${workOrders} WHERE ${isPossible}`,
  );
}

/** The machines of an order as a member of JSON. */
function machinesOf(workOrderId: string): SQL {
  const { workOrderId: order, machineId } = workOrderMachines;
  return sql`'machineIds', json(${briefList(machineId, sql`FROM ${workOrderMachines} WHERE ${eq(order, workOrderId)}`)})`;
}

/** The targets of an order as a member of JSON. */
function targetsOf(workOrderId: string): SQL {
  const { workOrderId: order, skuId, targetQuantity } = workOrderTargets;
  const target = sql`json_object('skuId', ${skuId}, 'targetQuantity', ${targetQuantity})`;
  return sql`'targets', json(${briefList(target, sql`FROM ${workOrderTargets} WHERE ${eq(order, workOrderId)}`)})`;
}

/** A new order as it is shown. */
function shownOf({ estimatedDeliveryAt, targets, ...order }: NewOrder) {
  const estimatedDeliveryTime = isoOf(estimatedDeliveryAt);
  return { ...order, estimatedDeliveryTime, targets: shownTargets(targets) };
}

function shownTargets(targets: readonly Target[]) {
  return targets.map(({ skuId, quantity }) => ({ skuId, targetQuantity: quantity }));
}

/**
 * Deletes an order for which nothing was made, and which no machine has in work. One trip.
 * @returns whether it was deleted, and the order before: `isMade` when units were counted or reported, `isInWork` when a machine has
 * a run of it (1 or 0 each); undefined: no such order
 */
export async function deleteOrder(db: Db, scope: OrderScope, keep: Keep, audit: Audit, now: number) {
  const changeId = crypto.randomUUID();
  const ofOrder = eq(orderRuns.workOrderId, workOrders.id);
  const { correct, defects, mode, workOrderId } = workOrderProgress;
  const isReport = sql`(coalesce(${correct}, 0) <> 0 OR coalesce(${defects}, 0) <> 0
    OR ${mode} = 'absolute' AND coalesce(${correct}, ${defects}) IS NOT NULL)`;
  const wasMade = sql`(EXISTS (SELECT 1 FROM ${orderRuns} WHERE ${ofOrder} AND ${isCounted})
    OR EXISTS (SELECT 1 FROM ${workOrderTargets} WHERE ${eq(workOrderTargets.workOrderId, workOrders.id)} AND ${isReported})
    OR EXISTS (SELECT 1 FROM ${workOrderProgress} WHERE ${eq(workOrderId, workOrders.id)} AND ${isReport}))`;
  const isInWork = sql`EXISTS (SELECT 1 FROM ${orderRuns} WHERE ${ofOrder} AND ${isNull(orderRuns.endAt)})`;
  const isDeletable = sql`${isVisible(scope)} AND NOT ${wasMade} AND NOT ${isInWork}`;
  const { code, name, status, priority, source, estimatedDeliveryAt } = workOrders;
  const [[before], , deleted] = await db.batch([
    db
      .select({ isMade: sql<number>`${wasMade}`.as("is_made"), isInWork: sql<number>`${isInWork}`.as("is_in_work") })
      .from(workOrders)
      .where(isVisible(scope)),
    audit(
      {
        action: "work-order.delete",
        companyId: workOrders.companyId,
        objectId: scope.workOrderId,
        before: sql`json_object('code', ${code}, 'name', ${name}, 'status', ${status}, 'priority', ${priority}, 'source', ${source},
          'estimatedDeliveryTime', ${isoTextOf(estimatedDeliveryAt)}, ${machinesOf(scope.workOrderId)},
          ${targetsOf(scope.workOrderId)})`,
        after: null,
      },
      sql`FROM ${workOrders} WHERE ${isDeletable}`,
    ),
    db.update(workOrders).set({ changeId, deletedAt: now, updatedAt: now }).where(isDeletable).returning({ id: workOrders.id }),
    ...keep(isAt(scope.workOrderId, changeId)),
  ]);
  return { before, isDeleted: deleted.length > 0 };
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

/** An order before a report: its status, and which conditions of the report it meets (1 or 0). */
export type Reportable = NonNullable<Awaited<ReturnType<typeof addProgress>>["before"]>;

/**
 * An order as a report would meet it (undefined: there is none), with its company and the machines whose runs of it may go across the
 * instant of the report: all that it has, and those that still have such a run. One trip.
 */
export async function findReportable(db: Db, scope: OrderScope, report: ProgressReport) {
  const { workOrderId, machineId } = workOrderMachines;
  const isAcross = and(
    eq(orderRuns.workOrderId, scope.workOrderId),
    sql`coalesce(${orderRuns.endAt}, ${report.occurredAt} + 1) > ${report.occurredAt}`,
  );
  const [order] = await db
    .select({
      ...reportableOf(scope, report),
      companyId: workOrders.companyId,
      machineIds: listed<number>(
        "machine_ids",
        sql`SELECT json_group_array(id) FROM (SELECT ${machineId} AS id FROM ${workOrderMachines}
          WHERE ${eq(workOrderId, scope.workOrderId)} UNION SELECT ${orderRuns.machineId} FROM ${orderRuns} WHERE ${isAcross})`,
      ),
    })
    .from(workOrders)
    .where(isVisible(scope));
  return order;
}

/**
 * Adds a report to an order that has an outcome for its status, and to its history. A report for before the newest stated total is
 * kept in the history alone. One trip.
 * @returns whether it was added, and the order before (undefined: no such order)
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
  const { mode, correct, defects, machineId = null, operatorId = null, userId, comment = null, occurredAt } = report;
  const { isTarget, correctAfter, defectsAfter, hasTarget, hasMachine, hasOperator, isPossible } = sqlOf(scope, report);
  const changeId = crypto.randomUUID();
  const isDone = isAt(scope.workOrderId, changeId);
  const isAddable = and(isVisible(scope), hasOutcome(outcomes), hasTarget, hasMachine, hasOperator, isPossible);
  const { skuId, reportedCorrect, reportedDefects } = workOrderTargets;
  const stateJson = (status: Column | SQL, correct: Column | SQL, defects: Column | SQL) =>
    sql`json_object('status', ${status}, 'skuId', ${skuId}, 'reportedCorrect', ${correct}, 'reportedDefects', ${defects})`;
  const [[before], , added] = await db.batch([
    db.select(reportableOf(scope, report)).from(workOrders).where(isVisible(scope)),
    audit(
      {
        action: "work-order.report-progress",
        companyId: workOrders.companyId,
        objectId: scope.workOrderId,
        before: stateJson(workOrders.status, reportedCorrect, reportedDefects),
        after: stateJson(outcomeOf(outcomes), correctAfter.reported, defectsAfter.reported),
      },
      sql`FROM ${workOrders} LEFT JOIN ${workOrderTargets} ON ${isTarget} WHERE ${isAddable}`,
    ),
    db
      .update(workOrders)
      .set({ changeId, status: outcomeOf(outcomes), updatedAt: now })
      .where(isAddable)
      .returning({ id: workOrders.id }),
    // Before the history: what it says of later instants is part of a stated total, this report itself is not.
    db
      .update(workOrderTargets)
      .set({
        reportedCorrect: correctAfter.reported,
        reportedDefects: defectsAfter.reported,
        correctStatedAt: correctAfter.statedAt,
        defectsStatedAt: defectsAfter.statedAt,
        updatedAt: now,
      })
      .where(and(isTarget, isDone)),
    db.insert(workOrderProgress).select(sql`SELECT ${changeId}, ${workOrders.id}, ${workOrderTargets.skuId},
      ${correct ?? null}, ${defects ?? null}, ${mode}, ${workOrders.status},
      ${machineId}, ${operatorId}, ${userId}, ${comment}, ${occurredAt}, ${now}
      FROM ${workOrders} LEFT JOIN ${workOrderTargets} ON ${isTarget} WHERE ${eq(workOrders.id, scope.workOrderId)} AND ${isDone}`),
    ...keep(isDone),
  ]);
  return { before, isAdded: added.length > 0 };
}

function reportableOf(scope: OrderScope, report: ProgressReport) {
  const { hasTarget, hasMachine, hasOperator } = sqlOf(scope, report);
  return {
    status: workOrders.status,
    hasTarget: sql<number>`${hasTarget}`.as("has_target"),
    hasMachine: sql<number>`${hasMachine}`.as("has_machine"),
    hasOperator: sql<number>`${hasOperator}`.as("has_operator"),
  };
}

/** The target that a report is about, what it becomes, and what must hold. */
function sqlOf({ workOrderId }: OrderScope, report: ProgressReport) {
  const { skuId, correct, defects, machineId, operatorId } = report;
  const isAboutTarget = skuId !== undefined || correct !== undefined || defects !== undefined;
  const isSku = skuId === undefined ? undefined : eq(workOrderTargets.skuId, skuId);
  const isTarget = sql`(${isAboutTarget ? and(eq(workOrderTargets.workOrderId, workOrderId), isSku) : sql`false`})`;
  const correctAfter = totalAfter(ofCorrect, report, correct);
  const defectsAfter = totalAfter(ofDefects, report, defects);
  const isMachine = and(eq(workOrderMachines.workOrderId, workOrderId), eq(workOrderMachines.machineId, machineId ?? 0));
  return {
    isTarget,
    correctAfter,
    defectsAfter,
    hasTarget: sql`(SELECT count(*) FROM ${workOrderTargets} WHERE ${isTarget}) = ${isAboutTarget ? 1 : 0}`,
    hasMachine: machineId === undefined ? sql`true` : sql`EXISTS (SELECT 1 FROM ${workOrderMachines} WHERE ${isMachine})`,
    hasOperator: areOwned(operators, workOrders.companyId, operatorId === undefined ? [] : [operatorId]),
    isPossible: sql`NOT EXISTS (SELECT 1 FROM ${workOrderTargets} WHERE ${isTarget}
      AND NOT (${correctAfter.isPossible} AND ${defectsAfter.isPossible}))`,
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
    .select(sql`SELECT ${workOrderId}, value->>'skuId', value->>'quantity', 0, 0, ${now}, ${now}, NULL, NULL
      FROM json_each(${JSON.stringify(targets)}) WHERE ${isDone}`)
    .onConflictDoUpdate({
      target: [workOrderTargets.workOrderId, workOrderTargets.skuId],
      set: { targetQuantity: sql`excluded.target_quantity`, updatedAt: now },
    });
}

/** The columns behind one of a target's two totals. */
interface Total {
  /** What was last stated, and what was reported for later. */
  reported: Column;
  statedAt: Column;
  counted: Column;
  history: Column;
}

const ofCorrect: Total = {
  reported: workOrderTargets.reportedCorrect,
  statedAt: workOrderTargets.correctStatedAt,
  counted: orderRuns.correct,
  history: workOrderProgress.correct,
};
const ofDefects: Total = {
  reported: workOrderTargets.reportedDefects,
  statedAt: workOrderTargets.defectsStatedAt,
  counted: orderRuns.defects,
  history: workOrderProgress.defects,
};

/**
 * What a report makes of a total: what is reported and stated of it then, and whether it may be so: a report does not bring a total
 * below 0 or beyond 2^53. Late counts of the line may. Six decimals: sums of fractions must come out even.
 */
function totalAfter(total: Total, { mode, occurredAt }: ProgressReport, value: number | undefined) {
  const { reported, statedAt } = total;
  if (value === undefined) return { reported: sql`${reported}`, statedAt: sql`${statedAt}`, isPossible: sql`true` };
  const isOvertaken = sql`${occurredAt} < ${statedAt}`;
  const ifNews = (then: SQL, otherwise: Column) => sql`iif(${isOvertaken}, ${otherwise}, ${then})`;
  const next =
    mode === "delta"
      ? { reported: ifNews(sql`round(${reported} + ${value}, 6)`, reported), statedAt: sql`${statedAt}` }
      : {
          reported: ifNews(sql`round(${value} + ${reportedAfter(total, occurredAt)}, 6)`, reported),
          statedAt: ifNews(sql`${occurredAt}`, statedAt),
        };
  const before = sql`round(${reported} + ${countedSince(total, sql`${statedAt}`)}, 6)`;
  const after = sql`round(${next.reported} + ${countedSince(total, next.statedAt)}, 6)`;
  return { ...next, isPossible: sql`${after} BETWEEN min(0, ${before}) AND max(${2 ** 53}, ${before})` };
}

/** What was added to a target by reports for after an instant, since it is a target. */
function reportedAfter({ history }: Total, at: number): SQL {
  const { workOrderId, skuId, mode, occurredAt, createdAt } = workOrderProgress;
  return sql`coalesce((SELECT sum(${history}) FROM ${workOrderProgress} WHERE ${workOrderId} = ${workOrderTargets.workOrderId}
    AND ${skuId} = ${workOrderTargets.skuId} AND ${mode} = 'delta' AND ${occurredAt} > ${at}
    AND ${createdAt} >= ${workOrderTargets.createdAt}), 0)`;
}

/** What the line counted for a target in runs that began at an instant or later; in all of them where it is null. */
function countedSince({ counted }: Total, since: SQL): SQL {
  return sql`coalesce((SELECT sum(${counted}) FROM ${orderRuns} WHERE ${orderRuns.workOrderId} = ${workOrderTargets.workOrderId}
    AND ${orderRuns.skuId} = ${workOrderTargets.skuId} AND ${orderRuns.startAt} >= coalesce(${since}, 0)), 0)`;
}

/** Whether a run made something. */
const isCounted = sql`(${orderRuns.correct} <> 0 OR ${orderRuns.defects} <> 0)`;

/** Whether units of a target were reported. What was taken back again does not count. */
const isReported = sql`(${workOrderTargets.reportedCorrect} <> 0 OR ${workOrderTargets.reportedDefects} <> 0
  OR ${workOrderTargets.correctStatedAt} IS NOT NULL OR ${workOrderTargets.defectsStatedAt} IS NOT NULL)`;

/** Whether units of a target were reported or counted, or a machine has it in work. */
const isMade = sql`(${isReported} OR EXISTS (SELECT 1 FROM ${orderRuns} WHERE ${orderRuns.workOrderId} = ${workOrderTargets.workOrderId}
  AND ${orderRuns.skuId} = ${workOrderTargets.skuId} AND (${isCounted} OR ${orderRuns.endAt} IS NULL)))`;

/** An instant as the API shows it. */
function isoTextOf(at: Column): SQL {
  return sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${at} / 1000.0, 'unixepoch')`;
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
