import { and, type Column, eq, getTableColumns, isNull, lt, or, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/sqlite-core";
import type { CompanyDb } from "../../db/client.ts";
import { byIndex, ifFound, ifGiven, inList } from "../../db/conditions.ts";
import { isUnchanged } from "../../db/expect.ts";
import {
  deletedRunTotals,
  dueOrFirst,
  dueOrLast,
  machines,
  operators,
  orderRuns,
  shiftParts,
  skus,
  workOrderMachines,
  workOrderProgress,
  workOrderStatuses,
  workOrders,
  workOrderTargets,
} from "../../db/schema.ts";
import type { WorkOrderStatus } from "../../db/values.ts";
import { insertOrderEvents } from "../../events/queries.ts";
import { chunksOf } from "../../limits/load.ts";
import { raiseVersions } from "../../objects/notify-machines.ts";
import type { SetUpTable } from "../../resource/queries.ts";
import { openStatuses, RATE_WINDOW_MS } from "./outlook.ts";
import { sortByDue, sortOf, type WorkOrderQuery } from "./query.ts";

export type OrderRow = Omit<typeof workOrders.$inferSelect, "lateNotifiedFor" | "number">;
export type TargetRow = typeof workOrderTargets.$inferSelect;
export type ProgressRow = typeof workOrderProgress.$inferSelect;

/** An order and the company to find it in; undefined: any. */
export interface OrderScope {
  workOrderId: string;
  companyId: number | undefined;
}

export interface Target {
  skuId: string;
  quantity: number;
}

/** A stored target. */
export interface StoredTarget extends Omit<TargetRow, "workOrderId" | "updatedAt"> {
  /** True if the line counted units of it, or a machine is making it. */
  hasRuns: boolean;
  /** When the last of its deleted runs ended (epoch ms); null: none was deleted. */
  deletedRunsTo: number | null;
}

export type StoredOrder = Awaited<ReturnType<typeof selectOrder>>[number];

/** A list of an order's rows in other tables, as JSON that is parsed into items. */
const listed = <T>(name: string, list: SQL) => sql`(${list})`.mapWith((json: string): T[] => JSON.parse(json)).as(name);

/** 1 if there are such rows, else 0. */
const exists = (rows: SQL) => sql<number>`EXISTS (SELECT 1 FROM ${rows})`;

/** True for a run that made something. */
const madeUnits = sql`(${orderRuns.correct} <> 0 OR ${orderRuns.defects} <> 0)`;

const deleted = deletedRunTotals;
/** True for the deleted runs of a target. */
const isOfTarget = sql`${deleted.workOrderId} = ${workOrderTargets.workOrderId} AND ${deleted.skuId} = ${workOrderTargets.skuId}`;

/** The statement that reads an order with its machines and its targets (only of one SKU, if given): none or one row. */
export function selectOrder(db: CompanyDb, scope: OrderScope, skuId?: string) {
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
          'hasRuns', json(iif(${deleted.lastEndAt} IS NOT NULL OR EXISTS (SELECT 1 FROM ${orderRuns}
            WHERE ${orderRuns.workOrderId} = ${t.workOrderId} AND ${orderRuns.skuId} = ${t.skuId}
            AND (${madeUnits} OR ${orderRuns.endAt} IS NULL)), 'true', 'false')), 'deletedRunsTo', ${deleted.lastEndAt}))
          FROM ${t} LEFT JOIN ${deleted} ON ${isOfTarget} WHERE ${and(sql`${t.workOrderId} = ${workOrders.id}`, isSku)}`,
      ),
    })
    .from(workOrders)
    .where(isVisible(scope));
}

/** An order as files of set-up make it (set-up-imports/work-orders.ts). */
export type ImportedOrder = OrderRow & {
  machineIds: number[];
  targets: Target[];
  /** The SKUs of its targets of which units were counted or reported, or which a machine has in work. */
  madeSkuIds: string[];
  /** 1 if anything was made or is being made for it. */
  isMade: number;
};

const { lateNotifiedFor: _late, number: _number, ...importedColumns } = getTableColumns(workOrders);

/** Orders with what files of set-up say of them. */
export const orderTable: SetUpTable = {
  ...{ table: workOrders, id: workOrders.id, companyId: workOrders.companyId },
  ...{ updatedAt: workOrders.updatedAt, deletedAt: workOrders.deletedAt },
  columns: () => orderColumns,
};

const { skuId: targetSku, targetQuantity, reportedCorrect, reportedDefects, correctStatedAt, defectsStatedAt } = workOrderTargets;
const isOfOrder = sql`${workOrderTargets.workOrderId} = ${workOrders.id}`;

const orderColumns = {
  ...importedColumns,
  machineIds: listed<number>(
    "machine_ids",
    sql`SELECT json_group_array(${workOrderMachines.machineId} ORDER BY ${workOrderMachines.machineId}) FROM ${workOrderMachines}
      WHERE ${workOrderMachines.workOrderId} = ${workOrders.id}`,
  ),
  targets: listed<Target>(
    "targets",
    sql`SELECT json_group_array(json_object('skuId', ${targetSku}, 'quantity', ${targetQuantity}) ORDER BY ${targetSku})
      FROM ${workOrderTargets} WHERE ${isOfOrder}`,
  ),
  madeSkuIds: listed<string>(
    "made_sku_ids",
    sql`SELECT json_group_array(${targetSku} ORDER BY ${targetSku}) FROM ${workOrderTargets} LEFT JOIN ${deleted} ON ${isOfTarget}
      WHERE ${isOfOrder} AND (${reportedCorrect} <> 0 OR ${reportedDefects} <> 0 OR ${correctStatedAt} IS NOT NULL
        OR ${defectsStatedAt} IS NOT NULL OR ${deleted.lastEndAt} IS NOT NULL OR EXISTS (SELECT 1 FROM ${orderRuns}
          WHERE ${orderRuns.workOrderId} = ${workOrders.id} AND ${orderRuns.skuId} = ${targetSku}
          AND (${madeUnits} OR ${orderRuns.endAt} IS NULL)))`,
  ),
  isMade: sql<number>`(EXISTS (SELECT 1 FROM ${orderRuns} WHERE ${orderRuns.workOrderId} = ${workOrders.id}
      AND (${madeUnits} OR ${orderRuns.endAt} IS NULL))
    OR EXISTS (SELECT 1 FROM ${deleted} WHERE ${deleted.workOrderId} = ${workOrders.id}))`.as("is_made"),
};

/** The statement that reads which kinds of work were done for an order: one row of 1 or 0. */
export function selectOrderUse(db: CompanyDb, workOrderId: string) {
  const p = workOrderProgress;
  const ofOrder = eq(orderRuns.workOrderId, workOrderId);
  const reportedUnits = sql`(coalesce(${p.correct}, 0) <> 0 OR coalesce(${p.defects}, 0) <> 0
    OR ${p.mode} = 'absolute' AND coalesce(${p.correct}, ${p.defects}) IS NOT NULL)`;
  return db
    .select({
      isCounted: sql<number>`(${exists(sql`${orderRuns} WHERE ${ofOrder} AND ${madeUnits}`)}
        OR ${exists(sql`${deleted} WHERE ${deleted.workOrderId} = ${workOrderId}`)})`.as("is_counted"),
      isReported: exists(sql`${p} WHERE ${p.workOrderId} = ${workOrderId} AND ${reportedUnits}`).as("is_reported"),
      isInWork: exists(sql`${orderRuns} WHERE ${ofOrder} AND ${isNull(orderRuns.endAt)}`).as("is_in_work"),
    })
    .from(sql`(SELECT 1)`);
}

/** The owner of the machines and SKUs in a request: a company, the company of the first known machine, or that of an order. */
export type Owner = { companyId: number } | { machineIds: readonly number[] } | OrderScope;

function companyIdOf(owner: Owner): SQL {
  if ("workOrderId" in owner) return sql`(SELECT ${workOrders.companyId} FROM ${workOrders} WHERE ${isVisible(owner)})`;
  if ("companyId" in owner) return sql`${owner.companyId}`;
  // CROSS JOIN keeps the order of the list.
  return sql`(SELECT ${machines.companyId} FROM json_each(${JSON.stringify(owner.machineIds)}) AS named
    CROSS JOIN ${machines} ON ${machines.id} = named.value WHERE ${machines.deletedAt} IS NULL LIMIT 1)`;
}

/** The statement that reads those of these machines that the owner has. */
export function selectMachines(db: CompanyDb, owner: Owner, ids: readonly number[]) {
  return db
    .select({ id: machines.id, companyId: machines.companyId })
    .from(machines)
    .where(isOwned(machines, companyIdOf(owner), ids));
}

/** The statement that reads those of these SKUs that the owner has. */
export function selectSkus(db: CompanyDb, owner: Owner, ids: readonly string[]) {
  return db
    .select({ id: skus.id })
    .from(skus)
    .where(isOwned(skus, companyIdOf(owner), ids));
}

/** The statement that reads those of these operators that the owner has. */
export function selectOperators(db: CompanyDb, owner: Owner, ids: readonly number[]) {
  return db
    .select({ id: operators.id })
    .from(operators)
    .where(isOwned(operators, companyIdOf(owner), ids));
}

/** Conditions: the company has all of these machines and SKUs. */
export function areStillThere(companyId: number, machineIds: readonly number[], skuIds: readonly string[]): SQL[] {
  const areThere = (table: Owned, ids: readonly (number | string)[]) =>
    sql`(SELECT count(*) FROM ${table} WHERE ${isOwned(table, sql`${companyId}`, ids)}) = ${ids.length}`;
  return [
    ...(machineIds.length > 0 ? [areThere(machines, machineIds)] : []),
    ...(skuIds.length > 0 ? [areThere(skus, skuIds)] : []),
  ];
}

/** Condition: the order is unchanged since it was read. A change of its machines, targets or totals also changes the order. */
export function isSameOrder(order: StoredOrder): SQL {
  return isUnchanged(workOrders, order);
}

/** The statement that stores a new order. */
export function insertOrder(db: CompanyDb, order: OrderRow) {
  return db.insert(workOrders).values(order);
}

/** The statement that updates columns of an order. */
export function updateOrder(db: CompanyDb, id: string, values: Partial<OrderRow>) {
  return db.update(workOrders).set(values).where(eq(workOrders.id, id));
}

const waitingStatuses: readonly (WorkOrderStatus | null)[] = [null, "Backlog", "Planned"];
const begunStatuses: readonly WorkOrderStatus[] = ["InProgress", "Paused", "Completed"];

function isStart(from: WorkOrderStatus | null, to: WorkOrderStatus): boolean {
  return waitingStatuses.includes(from) && begunStatuses.includes(to);
}

function isCompletion(from: WorkOrderStatus | null, to: WorkOrderStatus): boolean {
  return to === "Completed" && from !== "Completed";
}

/**
 * The statements that store the events of a status change. They run after the statements that change the order.
 * @param from the previous status; null: the order is new
 */
export function insertStatusEvents(
  db: CompanyDb,
  { id, from, to, updatedAt }: { id: string; from: WorkOrderStatus | null; to: WorkOrderStatus; updatedAt: number },
) {
  const isOrder = eq(workOrders.id, id);
  return [
    ...(from === null ? [insertOrderEvents(db, "work_order.created", isOrder, updatedAt)] : []),
    ...(isStart(from, to) ? [insertOrderEvents(db, "work_order.started", isOrder, updatedAt)] : []),
    ...(isCompletion(from, to)
      ? [insertOrderEvents(db, "work_order.completed", isOrder, updatedAt, { of: sql`${updatedAt}` })]
      : []),
  ];
}

/** The statements that replace the machines of an order. */
export function replaceMachines(db: CompanyDb, workOrderId: string, machineIds: readonly number[]) {
  const { workOrderId: order, machineId } = workOrderMachines;
  return [
    db.delete(workOrderMachines).where(and(eq(order, workOrderId), sql`NOT ${inList(machineId, machineIds)}`)),
    db
      .insert(workOrderMachines)
      .select(sql`SELECT ${workOrderId}, value FROM json_each(${JSON.stringify(machineIds)}) WHERE true`)
      .onConflictDoNothing(),
  ];
}

/** Rows of other tables that an order has before and after a change. */
interface OrderChange {
  before: ImportedOrder | null;
  next: ImportedOrder;
}

/** The most rows of a parameter: D1 allows 2 MB. */
const ROWS_PER_STATEMENT = 5000;

/** The statements that store the machines and targets of changed orders. Reported units of a target that remains are kept. */
export function storeBelongings(db: CompanyDb, changes: readonly OrderChange[]) {
  const machinesOf = ({ id, machineIds }: ImportedOrder) => machineIds.map((machineId) => [id, machineId] as const);
  const targetsOf = ({ id, targets }: ImportedOrder) => targets.map(({ skuId, quantity }) => [id, skuId, quantity] as const);
  const goneOf = (rowsOf: (order: ImportedOrder) => (readonly [string, number | string, ...unknown[]])[]) =>
    changes.flatMap(({ before, next }) => {
      const kept = new Set(rowsOf(next).map(([, member]) => member));
      return before ? rowsOf(before).filter(([, member]) => !kept.has(member)) : [];
    });
  const parts = <T>(rows: readonly T[]) => chunksOf(rows, ROWS_PER_STATEMENT).map((some) => JSON.stringify(some));
  const { workOrderId: orderOfMachine, machineId } = workOrderMachines;
  const { workOrderId: orderOfTarget, skuId } = workOrderTargets;
  const at = sql`(SELECT ${workOrders.updatedAt} FROM ${workOrders} WHERE ${workOrders.id} = value->>0)`;
  return [
    ...parts(goneOf(machinesOf)).map((rows) =>
      db
        .delete(workOrderMachines)
        .where(sql`(${orderOfMachine}, ${machineId}) IN (SELECT value->>0, value->>1 FROM json_each(${rows}))`),
    ),
    ...parts(goneOf(targetsOf)).map((rows) =>
      db
        .delete(workOrderTargets)
        .where(sql`(${orderOfTarget}, ${skuId}) IN (SELECT value->>0, value->>1 FROM json_each(${rows}))`),
    ),
    ...parts(changes.flatMap(({ next }) => machinesOf(next))).map((rows) =>
      db
        .insert(workOrderMachines)
        .select(sql`SELECT value->>0, value->>1 FROM json_each(${rows}) WHERE true`)
        .onConflictDoNothing(),
    ),
    ...parts(changes.flatMap(({ next }) => targetsOf(next))).map((rows) =>
      db
        .insert(workOrderTargets)
        .select(sql`SELECT value->>0, value->>1, value->>2, 0, 0, ${at}, ${at}, NULL, NULL FROM json_each(${rows}) WHERE true`)
        .onConflictDoUpdate({
          target: [orderOfTarget, skuId],
          set: { targetQuantity: sql`excluded.target_quantity`, updatedAt: sql`excluded.updated_at` },
          setWhere: sql`${targetQuantity} <> excluded.target_quantity`,
        }),
    ),
  ];
}

/** The statements that store the events of changed orders, after the statements that change them. */
export function insertEventsOf(db: CompanyDb, changes: readonly OrderChange[], now: number) {
  const idsOf = (isOne: (from: WorkOrderStatus | null, to: WorkOrderStatus) => boolean) =>
    changes.flatMap(({ before, next }) => (next.deletedAt === null && isOne(before?.status ?? null, next.status) ? next.id : []));
  const events = (type: Parameters<typeof insertOrderEvents>[1], ids: readonly string[], more = {}) =>
    chunksOf(ids, ROWS_PER_STATEMENT).map((some) => insertOrderEvents(db, type, inList(workOrders.id, some), now, more));
  return [
    ...events(
      "work_order.created",
      idsOf((from) => from === null),
    ),
    ...events("work_order.started", idsOf(isStart)),
    ...events("work_order.completed", idsOf(isCompletion), { of: sql`${workOrders.updatedAt}` }),
  ];
}

/** The statements that replace the targets of an order. Reported units of a target that remains are kept. */
export function replaceTargets(db: CompanyDb, workOrderId: string, targets: readonly Target[], now: number) {
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

/** The statement that makes machines learn that orders were closed or reopened: all of the orders', and those that make one of them. */
export function raiseVersionsOfOrders(db: CompanyDb, orders: readonly Pick<StoredOrder, "id" | "machineIds">[]) {
  const isOne = inList(
    orderRuns.workOrderId,
    orders.map(({ id }) => id),
  );
  const isMaking = sql`${machines.id} IN (SELECT ${orderRuns.machineId} FROM ${orderRuns}
    WHERE ${isOne} AND ${orderRuns.endAt} IS NULL)`;
  const machineIds = new Set(orders.flatMap((order) => order.machineIds));
  return raiseVersions(db, or(inList(machines.id, [...machineIds]), isMaking));
}

/** The statement that updates columns of a target. */
export function updateTarget(db: CompanyDb, workOrderId: string, skuId: string, values: Partial<TargetRow>) {
  return db
    .update(workOrderTargets)
    .set(values)
    .where(and(eq(workOrderTargets.workOrderId, workOrderId), eq(workOrderTargets.skuId, skuId)));
}

/**
 * Condition: all deleted runs of a target had ended at an instant. A total can only be stated for such an instant, because nobody knows any more what
 * they made when.
 */
export function areDeletedBefore(workOrderId: string, skuId: string, at: number): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM ${deleted}
    WHERE ${deleted.workOrderId} = ${workOrderId} AND ${deleted.skuId} = ${skuId} AND ${deleted.lastEndAt} > ${at})`;
}

/** The statement that sets what the deleted runs of a target add to its totals. */
export function updateDeletedRunTotals(
  db: CompanyDb,
  workOrderId: string,
  skuId: string,
  values: Partial<typeof deleted.$inferSelect>,
) {
  return db
    .update(deleted)
    .set(values)
    .where(and(eq(deleted.workOrderId, workOrderId), eq(deleted.skuId, skuId)));
}

/** The statement that adds to the history of an order. */
export function insertProgress(db: CompanyDb, row: ProgressRow) {
  return db.insert(workOrderProgress).values(row);
}

/**
 * The statement that reads the units of each target of an order (only of one SKU, if given): `counted` by the line since each total was
 * stated; and since an instant, `countedSince` by the line in runs that began then or later, and `reportedSince` for later instants.
 */
export function selectMade(db: CompanyDb, workOrderId: string, skuId: string | undefined, since: number) {
  const t = workOrderTargets;
  const p = workOrderProgress;
  // These are subqueries, because Drizzle omits the table's name from columns directly in a selected expression.
  const sumOf = (rows: SQL) => sql<number>`coalesce((${rows}), 0)`;
  const countedFrom = (units: Column, from: SQL | number) =>
    sumOf(sql`SELECT sum(${units}) FROM ${orderRuns} WHERE ${orderRuns.workOrderId} = ${t.workOrderId}
      AND ${orderRuns.skuId} = ${t.skuId} AND ${orderRuns.startAt} >= ${from}`);
  const counted = (units: Column, from: SQL, ofDeleted: Column) =>
    sql<number>`${countedFrom(units, from)} + ${sumOf(sql`SELECT ${ofDeleted} FROM ${deleted} WHERE ${isOfTarget}`)}`;
  // Only reports since it became a target: a SKU that was removed and added again starts from zero.
  const reported = (units: Column) =>
    sumOf(sql`SELECT sum(${units}) FROM ${p} WHERE ${p.workOrderId} = ${t.workOrderId} AND ${p.skuId} = ${t.skuId}
      AND ${p.mode} = 'delta' AND ${p.occurredAt} > ${since} AND ${p.createdAt} >= ${t.createdAt}`);
  return db
    .select({
      skuId: t.skuId,
      countedCorrect: counted(orderRuns.correct, sql`coalesce(${t.correctStatedAt}, 0)`, deleted.correct).as("counted_correct"),
      countedDefects: counted(orderRuns.defects, sql`coalesce(${t.defectsStatedAt}, 0)`, deleted.defects).as("counted_defects"),
      countedCorrectSince: countedFrom(orderRuns.correct, since).as("counted_correct_since"),
      countedDefectsSince: countedFrom(orderRuns.defects, since).as("counted_defects_since"),
      reportedCorrectSince: reported(p.correct).as("reported_correct_since"),
      reportedDefectsSince: reported(p.defects).as("reported_defects_since"),
    })
    .from(t)
    .where(and(eq(t.workOrderId, workOrderId), ifGiven(t.skuId, skuId)));
}

/** The statement that reads the machines that may have a run of an order across an instant: all of the order's, and those with such a run. */
export function selectMachinesToCut(db: CompanyDb, workOrderId: string, at: number) {
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

/** The expression to sort by, as in its index. Orders without a time come last in both directions. */
function sortKeyOf(query: WorkOrderQuery): Column | SQL {
  const { by, isDescending } = sortOf(query.sort);
  if (by === "estimatedDeliveryTime") return isDescending ? dueOrFirst(workOrders) : dueOrLast(workOrders);
  return { createdAt: workOrders.createdAt, priority: workOrders.priority, code: workOrders.code }[by];
}

/**
 * The orders that match a query, one more than its limit. The orders of each status are read from an index in sort order, and merged as they
 * are read: no order meets two of the conditions. One trip.
 * @param now the instant at which `isLate` is evaluated
 */
export function selectOrdersInOrder(db: CompanyDb, query: WorkOrderQuery, now: number) {
  const { companyId, machineIds, code, search, dueBefore, isLate, cursor, limit } = query;
  const { by, isDescending } = sortOf(query.sort);
  const key = sortKeyOf(query);
  const { workOrderId, machineId } = workOrderMachines;
  const hasMachine = (ids: readonly number[]) =>
    sql`EXISTS (SELECT 1 FROM ${workOrderMachines} WHERE ${workOrderId} = ${workOrders.id} AND ${inList(machineId, ids)})`;
  const isBefore = (time: number) =>
    and(lt(workOrders.estimatedDeliveryAt, time), by === sortByDue ? sql`${key} < ${time}` : undefined);
  const hasTarget = (isIn: (text: SQLWrapper) => SQL) =>
    sql`EXISTS (SELECT 1 FROM ${workOrderTargets} WHERE ${workOrderTargets.workOrderId} = ${workOrders.id} AND ${isIn(workOrderTargets.skuId)})`;
  const isSelected = and(
    ifGiven(workOrders.companyId, companyId),
    machineIds && hasMachine(machineIds),
    ifGiven(workOrders.code, code),
    ifFound([workOrders.code, workOrders.name], search, hasTarget),
    dueBefore === undefined ? undefined : isBefore(dueBefore),
    isLate === undefined ? undefined : sql`coalesce(${isLateAt(now)}, 0) = ${sql.raw(isLate ? "1" : "0")}`,
    cursor && sql`(${key}, ${workOrders.id}) ${sql.raw(isDescending ? "<" : ">")} (${cursor[1]}, ${cursor[2]})`,
  );
  const conditions = statusesOf(query).map((isStatus) => and(isSelected, isStatus));
  return selectOrders(db, conditions, { sortKey: sql`${key}`, limit: limit + 1, isDescending, now });
}

/** A condition for each status that a query wants; a single one that is always true if it wants all. */
function statusesOf({ statuses, isLate }: WorkOrderQuery): (SQL | undefined)[] {
  const possible = isLate === true ? openStatuses : workOrderStatuses;
  const wanted = possible.filter((status) => statuses === undefined || statuses.includes(status));
  if (wanted.length === workOrderStatuses.length) return [undefined];
  return wanted.map((status) => eq(workOrders.status, status));
}

/** An order of the company (undefined: of any); undefined if there is none. One trip. */
export async function findOrder(db: CompanyDb, id: string, companyId: number | undefined, now: number) {
  const page = { sortKey: sql.raw("0"), limit: 1, isDescending: false, now };
  const [row] = await selectOrders(db, [isVisible({ workOrderId: id, companyId })], page);
  return row && orderOf(row);
}

/** Written exactly like the index of these orders: SQLite compares the text. */
const isUnpublished = sql`work_orders.status in ('Backlog', 'Planned', 'InProgress', 'Paused') and work_orders.deleted_at is null
  and work_orders.late_told_for is not work_orders.estimated_delivery_at`;

/** The statement that reads the companies with late orders without an event yet. */
export function selectCompaniesWithUnpublishedLate(db: CompanyDb, now: number) {
  return (
    db
      .selectDistinct({ companyId: sql<number>`${workOrders.companyId}`.as("company_id") })
      // SQLite would choose an index of all orders in the order of companies.
      .from(byIndex(workOrders, "work_orders_untold"))
      .where(and(isUnpublished, isLateAt(now)))
  );
}

/** The statement that reads which of these companies have late orders. */
export function selectCompaniesWithLate(db: CompanyDb, companyIds: readonly number[], now: number) {
  const isOfCompany = sql`${workOrders.companyId} = company.value AND ${workOrders.deletedAt} IS NULL`;
  const hasLate = sql`EXISTS (SELECT 1 FROM ${workOrders} WHERE ${isOfCompany} AND ${isLateAt(now)})`;
  return db
    .select({ companyId: sql<number>`company.value`.as("company_id") })
    .from(sql`json_each(${JSON.stringify(companyIds)}) AS company`)
    .where(hasLate);
}

/** The statement that reads a company's late orders without an event yet, earliest delivery time first. */
export function selectUnpublishedLate(db: CompanyDb, companyId: number, limit: number, now: number) {
  const page = { sortKey: sql`+${workOrders.estimatedDeliveryAt}`, limit, isDescending: false, now };
  return selectOrders(db, [and(eq(workOrders.companyId, companyId), isUnpublished, isLateAt(now))], page);
}

/** An order that is late, for its delivery time; epoch ms. */
export interface FoundLate {
  id: string;
  dueAt: number;
  expectedAt: number | null;
}

const found = (late: readonly FoundLate[]) =>
  sql`json_each(${JSON.stringify(late.map(({ id, dueAt, expectedAt }) => [id, dueAt, expectedAt]))})`;
/** True for the orders found late that are still open with the same delivery time, and have no event for it yet. */
const isUnpublishedOf = (late: readonly FoundLate[]) =>
  and(
    sql`(${workOrders.id}, ${workOrders.estimatedDeliveryAt}) IN (SELECT value->>0, value->>1 FROM ${found(late)})`,
    isUnpublished,
  );

/** The statement that stores the events of orders that are late. */
export function insertLateEvents(db: CompanyDb, late: readonly FoundLate[], now: number) {
  const expectedAt = sql`(SELECT value->>2 FROM ${found(late)} WHERE value->>0 = ${workOrders.id})`;
  const of = sql`${workOrders.estimatedDeliveryAt}`;
  return insertOrderEvents(db, "work_order.late", isUnpublishedOf(late), now, { of, expectedAt });
}

/** The statement that records that these events were stored; it runs after the one that stores them. */
export function noteLate(db: CompanyDb, late: readonly FoundLate[]) {
  return db
    .update(workOrders)
    .set({ lateNotifiedFor: sql`${workOrders.estimatedDeliveryAt}` })
    .where(isUnpublishedOf(late));
}

/** The order's rate: good units per ms of running time of the order's own machines (see `RATE_WINDOW_MS`). Null: none runs now, or none made any. */
const rateAt = (now: number) => {
  const [since, at] = [now - RATE_WINDOW_MS, now].map((time) => sql.raw(String(time)));
  const run = orderRuns;
  const part = shiftParts;
  // A machine is running while the open part of its shift is available. One without running time adds nothing: SQLite divides by 0 to null.
  return sql`SELECT nullif(sum((
      SELECT sum(${part.totalUnits} - ${part.defectUnits}) * 1.0 / sum(${part.availableMs}) FROM ${part}
      WHERE ${part.machineId} = ${run.machineId} AND ${part.startAt} > ${since} AND ${part.workOrderNumber} = ${workOrders.number}
      HAVING max(${part.openBucket} IS 'available' AND ${part.shiftEnd} > ${at})
    )), 0)
    FROM ${run} WHERE ${run.workOrderId} = ${workOrders.id} AND ${run.endAt} IS NULL`;
};

/** The number of good units that all targets of an order still need. */
const remaining = () => {
  const t = workOrderTargets;
  const counted = sql`SELECT sum(${orderRuns.correct}) FROM ${orderRuns} WHERE ${orderRuns.workOrderId} = ${t.workOrderId}
    AND ${orderRuns.skuId} = ${t.skuId} AND ${orderRuns.startAt} >= coalesce(${t.correctStatedAt}, 0)`;
  const ofDeleted = sql`SELECT ${deleted.correct} FROM ${deleted} WHERE ${isOfTarget}`;
  return sql`SELECT sum(max(0, ${t.targetQuantity} - max(0, ${t.reportedCorrect} + coalesce((${counted}), 0) + coalesce((${ofDeleted}), 0))))
    FROM ${t} WHERE ${t.workOrderId} = ${workOrders.id}`;
};

/** True for orders that are late by `outlookOf`; null or 0 for others. */
function isLateAt(now: number): SQL {
  const due = workOrders.estimatedDeliveryAt;
  const at = sql.raw(String(now));
  return sql`(${inList(workOrders.status, openStatuses)} AND (${due} < ${at} OR
    ${workOrders.status} = 'InProgress' AND ${due} IS NOT NULL AND ${at} + (${remaining()}) / (${rateAt(now)}) > ${due}))`;
}

// As JSON columns of the order's row: a page is selected once, and the related rows are read for each of its orders.
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
  // Of a SKU up to two: of what there is, and of what is deleted.
  runs: listed<MadeUnits>(
    "runs",
    // For a SKU with a stated total, only units made since then count. A SKU is listed even if none of its units count.
    sql`SELECT json_group_array(json_object('skuId', made.sku_id, 'correct', made.correct, 'defects', made.defects,
        'outsideShifts', made.outside_shifts))
      FROM (SELECT run.sku_id,
          sum(run.correct * (run.start_at >= coalesce(target.stated_at, 0))) AS correct,
          sum(run.defects * (run.start_at >= coalesce(target.defects_stated_at, 0))) AS defects,
          sum(run.correct_outside_shifts * (run.start_at >= coalesce(target.stated_at, 0))) AS outside_shifts
        FROM ${orderRuns} AS run LEFT JOIN ${workOrderTargets} AS target
          ON target.work_order_id = run.work_order_id AND target.sku_id = run.sku_id
        WHERE run.work_order_id = ${workOrders.id} GROUP BY run.sku_id
        HAVING max(run.correct <> 0 OR run.defects <> 0)
        UNION ALL SELECT sku_id, correct, defects, correct_outside_shifts FROM ${deleted}
        WHERE ${deleted.workOrderId} = ${workOrders.id}) AS made`,
  ),
};

/** Orders with their machines and targets, the line's counts for them per SKU, and their rate, sorted by a key and then by id. */
function selectOrders(
  db: CompanyDb,
  conditions: readonly (SQL | undefined)[],
  { sortKey, limit, isDescending, now }: { sortKey: SQL; limit: number; isDescending: boolean; now: number },
) {
  const rate = sql<number | null>`(${rateAt(now)})`.as("rate");
  const key = sql<number | string>`${sortKey}`.as("sort_key");
  const ordersOf = (condition: SQL | undefined) =>
    db
      .select({ ...getTableColumns(workOrders), ...belongings, rate, sortKey: key })
      .from(workOrders)
      .where(and(condition, isNull(workOrders.deletedAt)));
  const [first = ordersOf(sql`0`), second, ...others] = conditions.map(ordersOf);
  const all = second ? unionAll(first, second, ...others) : first;
  const direction = sql.raw(isDescending ? "DESC" : "ASC");
  return all.orderBy(sql`sort_key ${direction}`, sql`${workOrders.id} ${direction}`).limit(limit);
}

/** Builds an order with its related rows from a row. */
export function orderOf({
  machineIds,
  targets,
  runs,
  rate,
  sortKey: _,
  ...order
}: Awaited<ReturnType<typeof selectOrders>>[number]) {
  return { order, machineIds, targets, runs: sumsBySku(runs), rate };
}

/** Good units and defects of a SKU that the line made, and those of the good units that were made outside shifts. */
interface MadeUnits {
  skuId: string;
  correct: number;
  defects: number;
  outsideShifts: number;
}

function sumsBySku(made: readonly MadeUnits[]): MadeUnits[] {
  const sums = new Map<string, MadeUnits>();
  for (const one of made) {
    const { skuId, correct, defects, outsideShifts } = sums.get(one.skuId) ?? {
      ...one,
      correct: 0,
      defects: 0,
      outsideShifts: 0,
    };
    sums.set(skuId, {
      skuId,
      correct: correct + one.correct,
      defects: defects + one.defects,
      outsideShifts: outsideShifts + one.outsideShifts,
    });
  }
  return [...sums.values()];
}

type Owned = typeof machines | typeof skus | typeof operators;

/** True if a row has one of these ids, belongs to the company, and is not deleted. */
function isOwned(table: Owned, companyId: SQL | Column, ids: readonly (number | string)[]): SQL {
  return sql`${table.companyId} = ${companyId} AND ${table.deletedAt} IS NULL AND ${inList(table.id, ids)}`;
}

/** The machines that each of some orders is made on. */
export async function findMachinesOfOrders(db: CompanyDb, ids: readonly string[]): Promise<number[][]> {
  const { workOrderId, machineId } = workOrderMachines;
  const rows = await db.select({ workOrderId, machineId }).from(workOrderMachines).where(inList(workOrderId, ids));
  return ids.map((id) => rows.flatMap((row) => (row.workOrderId === id ? [row.machineId] : [])));
}
