import { companyOf } from "../../core/actor.ts";
import type { Caller, Reader } from "../../core/caller.ts";
import { readPage } from "../../core/cursor.ts";
import { defined } from "../../core/defined.ts";
import { checkOfIds } from "../../core/named-ids.ts";
import { conflict, invalid, notFound, refusal } from "../../core/problem.ts";
import { write } from "../../core/write.ts";
import { nextUpdatedAt } from "../../db/expect.ts";
import type { WorkOrderStatus } from "../../db/values.ts";
import { dispatchAfterwards } from "../../events/queues.ts";
import { notifyWatchers } from "../../objects/hubs.ts";
import { configureAfterwards } from "../../objects/notify-machines.ts";
import { isoOf } from "../../oee/time.ts";
import { storeStatus } from "./close-order.ts";
import { unknownIds } from "./order-members.ts";
import {
  areStillThere,
  findMachinesOfOrders,
  findOrder,
  insertOrder,
  insertStatusEvents,
  isSameOrder,
  type OrderRow,
  type OrderScope,
  orderOf,
  replaceMachines,
  replaceTargets,
  type StoredOrder,
  type StoredTarget,
  selectMachines,
  selectOrder,
  selectOrdersInOrder,
  selectOrderUse,
  selectSkus,
  type Target,
  updateOrder,
  updateTarget,
} from "./queries.ts";
import { refuseOtherSort, type WorkOrderQuery } from "./query.ts";
import { openStatuses, refusalOf, statusAfter } from "./transitions.ts";
import { workOrderOf } from "./work-order.ts";

/** The members of a new order. Times are epoch ms. */
export interface NewOrder extends Pick<OrderRow, "code" | "name" | "status" | "priority" | "source" | "estimatedDeliveryAt"> {
  machineIds: readonly number[];
  targets: readonly Target[];
}

/** A change of an order. Omitted members do not change. */
export interface ChangedOrder {
  name?: string | undefined;
  code?: string | undefined;
  priority?: number | undefined;
  /** Epoch ms; null removes it. */
  estimatedDeliveryAt?: number | null | undefined;
  status?: WorkOrderStatus | undefined;
  machineIds?: readonly number[] | undefined;
  targets?: readonly Target[] | undefined;
}

/** The scope in which a caller can find an order: all companies for superusers, otherwise their own. */
export function scopeOf({ actor }: Caller, workOrderId: string): OrderScope {
  return { workOrderId, companyId: companyOf(actor) };
}

/** The 404 for an order. */
export function noOrder(id: string) {
  return notFound(`There is no work order ${id}.`);
}

/** An order with its progress as of now. */
export async function getOrder({ db, actor }: Reader, id: string) {
  const now = Date.now();
  const order = await findOrder(db, id, companyOf(actor), now);
  if (!order) throw noOrder(id);
  return workOrderOf(order, now);
}

/** A page of the orders that match a query. */
export function listOrders({ db, actor }: Reader, query: WorkOrderQuery) {
  const companyId = companyOf(actor, query.companyId, actor.companyId);
  refuseOtherSort(query);
  const now = Date.now();
  return readPage(db, query, {
    select: (page) => selectOrdersInOrder(db, { ...page, companyId }, now),
    keysOf: ({ sortKey, id }) => [query.sort, sortKey, id],
    itemOf: (row) => workOrderOf(orderOf(row), now),
    check: checkOfIds(db, companyId, { machineIds: query.machineIds }),
  });
}

/** Creates an order of the caller's company; a superuser's order belongs to the company of its machines. */
export async function createOrder(caller: Caller, order: NewOrder): Promise<Record<string, never>> {
  const { machineIds, targets, ...members } = order;
  const own = companyOf(caller.actor);
  const owner = own === undefined ? { machineIds } : { companyId: own };
  const skuIds = targets.map(({ skuId }) => skuId);
  const { answer, companyId: writtenOf } = await write(
    caller,
    (db) => [selectMachines(db, owner, machineIds), selectSkus(db, owner, skuIds)],
    (machines, skus) => {
      const companyId = own ?? machines[0]?.companyId;
      // Without a known machine there is no company in which to look up SKUs.
      const faults = [
        ...unknownIds(machineIds, idsOf(machines), "machine", (i) => `/machines/${i}/machineId`),
        ...(machines.length > 0 ? unknownIds(skuIds, idsOf(skus), "SKU", (i) => `/targets/${i}/skuId`) : []),
      ];
      if (faults.length > 0 || companyId === undefined) throw invalid(faults);
      const { db } = caller;
      const id = crypto.randomUUID();
      const now = Date.now();
      return {
        expect: areStillThere(companyId, machineIds, skuIds),
        rows: [
          insertOrder(db, { ...members, id, companyId, createdAt: now, updatedAt: now, deletedAt: null, closedAt: null }),
          ...replaceMachines(db, id, machineIds),
          ...replaceTargets(db, id, targets, now),
          ...insertStatusEvents(db, { id, from: null, to: members.status, updatedAt: now }),
        ],
        audit: { action: "work-order.create", companyId, objectId: id, before: null, after: shown({ ...order, ...members }) },
        answer: {},
      };
    },
  );
  dispatchAfterwards(caller, writtenOf);
  return answer;
}

/** Changes an order. Machines and targets in the change replace those of the order. */
export async function changeOrder(caller: Caller, id: string, change: ChangedOrder): Promise<void> {
  const { status, machineIds, targets, ...members } = change;
  const scope = scopeOf(caller, id);
  const skuIds = targets?.map(({ skuId }) => skuId);
  const { companyId, results } = await write(
    caller,
    (db) => [selectOrder(db, scope), selectMachines(db, scope, machineIds ?? []), selectSkus(db, scope, skuIds ?? [])],
    ([order], machines, skus) => {
      if (!order) throw noOrder(id);
      const faults = [
        ...unknownIds(machineIds ?? [], idsOf(machines), "machine", (i) => `/machines/${i}`),
        ...unknownIds(skuIds ?? [], idsOf(skus), "SKU", (i) => `/skus/${i}/id`),
      ];
      if (faults.length > 0) throw invalid(faults);
      const made = skuIds && order.targets.find((target) => !skuIds.includes(target.skuId) && isMade(target));
      if (made) {
        const message = `leaves out ${made.skuId}, of which units were counted or reported, or which a machine has in work`;
        throw refusal(409, [{ pointer: "/skus", code: "made", message }]);
      }
      const asked = { hasProgress: false, status, role: caller.actor.role };
      const nextStatus = statusAfter(order.status, asked);
      if (!nextStatus) throw conflict(refusalOf(order.status, asked));

      const { db } = caller;
      const updatedAt = nextUpdatedAt(order);
      const next = { ...defined(members), status: nextStatus };
      const named = { status: true, name: true, code: true, ...change };
      return {
        expect: [isSameOrder(order), ...areStillThere(order.companyId, machineIds ?? [], skuIds ?? [])],
        rows: [
          ...storeStatus(db, order, { ...next, updatedAt }),
          ...(machineIds ? replaceMachines(db, id, machineIds) : []),
          ...(targets ? replaceTargets(db, id, targets, updatedAt) : []),
          ...insertStatusEvents(db, { id, from: order.status, to: nextStatus, updatedAt }),
        ],
        audit: {
          action: "work-order.change",
          companyId: order.companyId,
          objectId: id,
          before: shown(stateOf(order), named),
          after: shown({ ...stateOf(order), ...next, ...defined({ machineIds, targets }) }, named),
        },
        answer: undefined,
      };
    },
  );
  configureAfterwards(caller, results);
  notifyWatchers(caller, companyId, "set-up");
  dispatchAfterwards(caller, companyId);
}

/** Deletes an order for which nothing was made. */
export async function deleteOrder(caller: Caller, id: string): Promise<void> {
  await write(
    caller,
    (db) => [selectOrder(db, scopeOf(caller, id)), selectOrderUse(db, id)],
    ([order], [use]) => {
      if (!order) throw noOrder(id);
      if (use?.isInWork) throw conflict("A machine is making this work order: give the machine another one first.");
      if (use?.isCounted || use?.isReported || order.targets.some(isReported)) {
        throw conflict("Units were made for the work order: it can be set to Cancelled, but not deleted.");
      }
      const updatedAt = nextUpdatedAt(order);
      return {
        expect: [isSameOrder(order)],
        rows: [updateOrder(caller.db, id, { deletedAt: updatedAt, updatedAt })],
        audit: {
          action: "work-order.delete",
          companyId: order.companyId,
          objectId: id,
          before: shown(stateOf(order)),
          after: null,
        },
        answer: undefined,
      };
    },
  );
}

/** Sets the quantity of a SKU in an open order. */
export async function setTarget(caller: Caller, id: string, { skuId, quantity }: Target): Promise<void> {
  await write(
    caller,
    (db) => [selectOrder(db, scopeOf(caller, id), skuId)],
    ([order]) => {
      const [target] = order?.targets ?? [];
      if (!order || !target) throw notFound(`There is no work order ${id} with a target of SKU ${skuId}.`);
      if (!openStatuses.includes(order.status))
        throw conflict(`The work order is ${order.status}: its targets can no longer be changed.`);
      const { targetQuantity } = target;
      const updatedAt = nextUpdatedAt(order);
      return {
        expect: [isSameOrder(order)],
        rows: [
          updateOrder(caller.db, id, { updatedAt }),
          updateTarget(caller.db, id, skuId, { targetQuantity: quantity, updatedAt }),
        ],
        audit: {
          action: "work-order.set-target",
          companyId: order.companyId,
          objectId: id,
          before: { skuId, targetQuantity },
          after: { skuId, targetQuantity: quantity },
        },
        answer: undefined,
      };
    },
  );
}

/** True if units of a target were reported or counted, or are being made. */
function isMade(target: StoredTarget): boolean {
  return target.hasRuns || isReported(target);
}

/** True if units of a target were reported and not withdrawn. */
function isReported({ reportedCorrect, reportedDefects, correctStatedAt, defectsStatedAt }: StoredTarget): boolean {
  return reportedCorrect !== 0 || reportedDefects !== 0 || correctStatedAt !== null || defectsStatedAt !== null;
}

function stateOf({ code, name, status, priority, source, estimatedDeliveryAt, machineIds, targets }: StoredOrder): NewOrder {
  const wanted = targets.map(({ skuId, targetQuantity }) => ({ skuId, quantity: targetQuantity }));
  return { code, name, status, priority, source, estimatedDeliveryAt, machineIds, targets: wanted };
}

/** An order as the audit records it; for a change, only the members in the request. */
function shown({ estimatedDeliveryAt, targets, ...order }: NewOrder, named?: Record<string, unknown>) {
  const all = {
    ...order,
    estimatedDeliveryTime: isoOf(estimatedDeliveryAt),
    targets: targets.map(({ skuId, quantity }) => ({ skuId, targetQuantity: quantity })),
  };
  if (!named) return all;
  const isNamed = (name: string) => named[name === "estimatedDeliveryTime" ? "estimatedDeliveryAt" : name] !== undefined;
  return Object.fromEntries(Object.entries(all).filter(([name]) => isNamed(name)));
}

function idsOf<T>(rows: readonly { id: T }[]): T[] {
  return rows.map(({ id }) => id);
}

/** The machines of each of these orders. */
export function machinesOfOrders({ db }: Pick<Reader, "db">, ids: readonly string[]): Promise<number[][]> {
  return findMachinesOfOrders(db, ids);
}
