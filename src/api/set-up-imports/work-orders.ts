import { isDeepStrictEqual } from "node:util";
import { instant } from "../../core/inputs.ts";
import type { Fault } from "../../core/problem.ts";
import { closedStatuses, type Role, type WorkOrderStatus } from "../../db/values.ts";
import { isoText } from "../../oee/iso-text.ts";
import { DAY_MS, isoOf, MINUTE_MS, SECOND_MS } from "../../oee/time.ts";
import { localToUtc, wallTime } from "../../oee/zone.ts";
import type { Item } from "../../resource/resource.ts";
import type { ImportedOrder } from "../orders/queries.ts";
import { refusalOf, statusAfter } from "../orders/transitions.ts";

// Work orders in a file: each line is an order, with its machines by their refs, its SKUs, and the quantity of each of these, in the same order.

/** What of a company the lines of work orders name, and who sends them. */
export interface OrderSurroundings {
  zone: string;
  role: Role;
  /** Machines by their refs. */
  machineIds: ReadonlyMap<string, number>;
  refs: ReadonlyMap<number, string>;
  skuIds: ReadonlySet<string>;
}

/** For what does not concern work orders. */
export const noOrders: OrderSurroundings = {
  ...{ zone: "UTC", role: "readonly" },
  ...{ machineIds: new Map(), refs: new Map(), skuIds: new Set() },
};

/** The members of the row of a line, or all that is wrong with it. */
export function orderValues(sent: Item, before: ImportedOrder | null, about: OrderSurroundings): Item | Fault[] {
  const { machines, skus, quantities, estimatedDeliveryTime, status, ...own } = sent;
  const machineIds = machinesOf(machines as string[] | undefined, about);
  const targets = targetsOf(skus as string[] | undefined, quantities as number[] | undefined, before, about);
  const delivery = deliveryOf(estimatedDeliveryTime as string | null | undefined, about.zone);
  const next = nextStatus(status as WorkOrderStatus | undefined, before, about.role);
  const faults = [machineIds, targets, delivery, next].flatMap(({ faults = [] }) => faults);
  if (faults.length > 0) return faults;
  return {
    ...(before ? {} : { id: crypto.randomUUID(), closedAt: null, madeSkuIds: [], isMade: 0 }),
    ...own,
    ...(delivery.value !== undefined && { estimatedDeliveryAt: delivery.value }),
    status: next.value,
    machineIds: unlessSame(before?.machineIds, machineIds.value),
    targets: unlessSame(before?.targets, targets.value),
  };
}

/** What cells say, or what is wrong with it. An undefined value: nothing is said. */
interface Found<T> {
  value?: T | undefined;
  faults?: Fault[];
}

function refused(member: string, code: Fault["code"], message: string): { faults: Fault[] } {
  return { faults: [{ pointer: `/${member}`, code, message }] };
}

function machinesOf(refs: readonly string[] | undefined, { machineIds }: OrderSurroundings): Found<number[]> {
  const unknown = refs?.filter((ref) => !machineIds.has(ref)) ?? [];
  if (unknown.length > 0)
    return refused(
      "machines",
      "not_found",
      `names what is no ref of a machine: ${namesOf(unknown)}. Import or add the machines first`,
    );
  return { value: refs?.map((ref) => machineIds.get(ref) as number) };
}

function targetsOf(
  skus: readonly string[] | undefined,
  quantities: readonly number[] | undefined,
  before: ImportedOrder | null,
  { skuIds }: OrderSurroundings,
): Found<ImportedOrder["targets"]> {
  if (skus === undefined && quantities === undefined) return {};
  if (skus === undefined) return refused("skus", "required", "is required with quantities, and the file has no such column");
  if (quantities === undefined)
    return refused("quantities", "required", "is required with SKUs, and the file has no such column");
  if (skus.length !== quantities.length)
    return refused("quantities", "invalid_value", `must be as many as the SKUs: ${skus.length}, not ${quantities.length}`);
  const unknown = skus.filter((id) => !skuIds.has(id));
  if (unknown.length > 0)
    return refused("skus", "not_found", `names what is no SKU: ${namesOf(unknown)}. Import or add the SKUs first`);
  const made = before?.madeSkuIds.filter((id) => !skus.includes(id)) ?? [];
  if (made.length > 0)
    return refused(
      "skus",
      "made",
      `leaves out ${namesOf(made)}, of which units were counted or reported, or which a machine has in work`,
    );
  return { value: skus.map((skuId, i) => ({ skuId, quantity: quantities[i] ?? 0 })) };
}

function namesOf(names: readonly string[]): string {
  const [first, second, third, ...others] = names;
  const shown = [first, second, third].filter((one) => one !== undefined).join(", ");
  return others.length > 0 ? `${shown} and others` : shown;
}

/** The status after the line; without one in it, an order keeps its own, and a new one waits. */
function nextStatus(status: WorkOrderStatus | undefined, before: ImportedOrder | null, role: Role): Found<WorkOrderStatus> {
  if (before) {
    const asked = { hasProgress: false, status, role };
    const next = statusAfter(before.status, asked);
    return next ? { value: next } : refused("status", "not_allowed", `is not allowed: ${refusalOf(before.status, asked)}`);
  }
  if (status === undefined) return { value: "Backlog" };
  if (newStatuses.includes(status)) return { value: status };
  return refused("status", "not_allowed", `of a new work order must be ${newStatuses.join(" or ")}`);
}

const newStatuses: readonly WorkOrderStatus[] = ["Backlog", "Planned", "InProgress"];

/** A local date, and the time of a clock. */
const localTime = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d?):(\d\d)(?::(\d\d))?)?$/;

/** When an order is to be delivered: a date and time of the plant's clock, a date (its end), or a time with an offset. Null: it is not said. */
function deliveryOf(cell: string | null | undefined, zone: string): Found<number | null> {
  if (cell === undefined || cell === null) return { value: cell };
  const withOffset = instant.safeParse(cell);
  if (withOffset.success) return { value: withOffset.data };
  const [, date = "", hour = "24", minute = "0", second = "0"] = localTime.exec(cell) ?? [];
  const day = Date.parse(`${date}T00:00:00Z`) / DAY_MS;
  const minutes = Number(hour) * 60 + Number(minute);
  const isTime = minutes <= 24 * 60 && Number(minute) < 60 && Number(second) < 60;
  // Of a day that a month does not have, Date makes one of the next month.
  if (Number.isNaN(day) || isoText(day * DAY_MS).slice(0, date.length) !== date || !isTime)
    return refused("estimatedDeliveryTime", "invalid_format", "must be a date, or a date and a time, such as 2030-01-31 14:00");
  return { value: localToUtc(zone, day, minutes) + Number(second) * SECOND_MS };
}

/** The known list if the other one has the same entries: their order does not matter. */
function unlessSame<T>(known: T[] | undefined, sent: T[] | undefined): T[] | undefined {
  if (known === undefined || sent === undefined) return sent ?? known;
  const sorted = (list: readonly T[]) => list.map((one) => JSON.stringify(one)).sort();
  return isDeepStrictEqual(sorted(known), sorted(sent)) ? known : sent;
}

/** The columns of an order. */
export function orderShown(row: ImportedOrder, { zone, refs }: OrderSurroundings): Item {
  const { code, name, status, priority, source, estimatedDeliveryAt, machineIds, targets } = row;
  return {
    ...{ code, name, status, priority, source },
    estimatedDeliveryTime: estimatedDeliveryAt === null ? null : clockText(zone, estimatedDeliveryAt),
    machines: machineIds.map((id) => refs.get(id) ?? id).join("; "),
    skus: targets.map(({ skuId }) => skuId).join("; "),
    quantities: targets.map(({ quantity }) => quantity).join("; "),
  };
}

/** An instant as the plant's clock shows it, to the minute if that is exact. */
function clockText(zone: string, at: number): string {
  const text = isoOf(wallTime(zone, at)).replace("T", " ");
  return text.slice(0, at % MINUTE_MS === 0 ? "2030-01-31 14:00".length : "2030-01-31 14:00:00".length);
}

/** An order as a write at `updatedAt` stores it: it is closed when its status becomes that of a closed one. */
export function withClosing(before: ImportedOrder | null, next: ImportedOrder): ImportedOrder {
  const isClosed = closedStatuses.includes(next.status);
  if (isClosed === (before !== null && closedStatuses.includes(before.status)))
    return { ...next, closedAt: before?.closedAt ?? null };
  return { ...next, closedAt: isClosed ? next.updatedAt : null };
}
