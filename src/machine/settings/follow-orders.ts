import { type IncomingEvent, LATE_LIMIT_MS } from "../../objects/machine-protocol.ts";
import type { OrderState } from "../../objects/set-up.ts";
import { ShiftCalendar } from "../../oee/shifts.ts";
import { acceptEvents } from "../inputs/input-log.ts";
import { openSince } from "../ledger/books-door.ts";
import type { MachineStorage } from "../storage/machine-storage.ts";
import { settingsNeededFrom } from "../storage/retention.ts";

/** A run of an order, or what followed after its order was closed (`isEnded`). */
interface RunOfOrder {
  start: number;
  workOrderId: string;
  isEnded: boolean;
}

/** The orders whose end or reopening changes what the machine makes. */
export function ordersAtHand(storage: MachineStorage): string[] {
  return [...new Set(runsAtHand(storage).map(({ workOrderId }) => workOrderId))];
}

/**
 * Ends the runs of orders that were closed, at that time: what is made from then on is for no order. An order that was reopened goes on, from `now`,
 * if nothing else was set in between. Both are stored like events, so that late ones are folded around them: what was made before an order was
 * closed still counts for it. Runs inside a transaction, after the new set-up is stored.
 */
export function followOrders(storage: MachineStorage, orders: readonly OrderState[], now: number): void {
  const identity = storage.identity();
  const history = storage.settings.history(settingsNeededFrom(storage));
  const newest = storage.events.newestAt();
  const runs = orders.length > 0 ? runsAtHand(storage) : [];
  if (runs.length === 0 || !identity || !history || newest === null) return;
  const events = orders.flatMap(({ workOrderId, isClosed, closedAt }) =>
    runs
      .filter((run) => run.workOrderId === workOrderId && run.isEnded !== isClosed)
      .map(({ start }): IncomingEvent => {
        const order = isClosed ? "closed" : "reopened";
        // Not in closed books. What is further back would have to be recalculated.
        const at = openSince(storage, Math.max(isClosed ? (closedAt ?? now) : now, start, newest - LATE_LIMIT_MS));
        return { id: null, content: `${order} ${workOrderId}`, event: { kind: "cut", at, workOrderId, order } };
      }),
  );
  acceptEvents(storage, { identity, history, calendar: new ShiftCalendar(history) }, events, now);
}

/** A new run for one of these orders is for none. Its content, which identifies it, is as sent. */
export function withoutOrder<T extends IncomingEvent>(incoming: T, closed: ReadonlySet<string>): T {
  const { event } = incoming;
  if (event.kind !== "sku" || event.workOrderId === null || !closed.has(event.workOrderId)) return incoming;
  return { ...incoming, event: { ...event, workOrderId: null } };
}

/** The machine's run, and those that begin ahead of its clock. */
function runsAtHand(storage: MachineStorage): RunOfOrder[] {
  const head = storage.head();
  const runs: RunOfOrder[] = [];
  const { run } = head?.ledger ?? {};
  const workOrderId = run?.workOrderId ?? run?.closedOrderId;
  if (run && workOrderId) runs.push({ start: run.start, workOrderId, isEnded: run.workOrderId === null });
  for (const { event } of storage.events.after(head?.pos ?? "", Number.MAX_SAFE_INTEGER)) {
    if (event.kind !== "sku" || event.workOrderId === null) continue;
    runs.push({ start: event.at, workOrderId: event.workOrderId, isEnded: false });
  }
  return runs;
}
