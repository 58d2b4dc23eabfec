import "./order-card.css";
import { companyQuery } from "../../app/session.ts";
import { api } from "../../data/api.ts";
import { formats } from "../../data/plant.ts";
import { useRead } from "../../data/query.ts";
import { MINUTE_MS } from "../../domain/time.ts";
import { floor } from "../../texts/floor.ts";
import type { MachineStore } from "./machine-store.ts";

/** What an order has made changes slowly, and its list is costly. */
const READ_EVERY_MS = 5 * MINUTE_MS;
/** Enough to find the one after the order in work. */
const MOST_ORDERS = 20;

/** The order in work with its progress, and the next one for this machine. A tap opens its progress. */
export function OrderCard({ store, onOpen }: { store: MachineStore; onOpen(): void }) {
  const { sku, workOrder } = store.row ?? {};
  const { number, percent, day, time } = formats();
  const query = { ...companyQuery(), machineIds: [store.machineId], limit: MOST_ORDERS };
  const changes = store.confirmations.value;
  const orders = useRead(
    ["/v1/work-orders", store.machineId, workOrder?.id ?? null, changes],
    () =>
      api("get", "/v1/work-orders", {
        query: { ...query, statuses: ["InProgress", "Paused", "Planned", "Backlog"], sort: "estimatedDeliveryTime" },
      }),
    { everyMs: READ_EVERY_MS },
  );
  const known = orders.data?.data ?? [];
  const own = known.find(({ id }) => id === workOrder?.id);
  const next = known.find(({ id, progress }) => id !== workOrder?.id && progress.some(({ remaining }) => remaining !== 0));
  const of = own?.progress.find(({ skuId }) => skuId === sku?.id);
  const due = own?.estimatedDeliveryTime ?? null;
  const title = [workOrder && (workOrder.code ?? workOrder.id), sku ? (sku.name ?? sku.id) : floor.noSku]
    .filter(Boolean)
    .join(" · ");
  const share = of?.targetQuantity ? of.correct / of.targetQuantity : null;
  const then = next && [next.code, next.progress[0]?.skuId].filter(Boolean).join(" · ");
  return (
    <button type="button" class="floor-card floor-order-card" onClick={onOpen}>
      <span class="floor-between">
        <strong class="floor-last" title={title}>
          {title}
        </strong>
        {due !== null && (
          <span class={`floor-label floor-due ${own?.isLate ? "kind-stopped" : ""}`}>
            {floor.dueAt(`${day(due)} ${time(due)}`)}
          </span>
        )}
      </span>
      <svg class="floor-measure" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
        <rect class="fill-ground" width="1000" height="10" />
        <rect class="fill-made" width={1000 * Math.min(1, share ?? 0)} height="10" />
      </svg>
      <span class="floor-between floor-label">
        <span>
          {of?.targetQuantity
            ? floor.shareOf(percent(100 * (share ?? 0)), number(of.targetQuantity))
            : workOrder
              ? ""
              : floor.noOrder}
        </span>
        <span class="floor-last">{then ? floor.nextOrder(then) : ""}</span>
      </span>
    </button>
  );
}
