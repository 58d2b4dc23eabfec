import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { companyQuery } from "../../app/session.ts";
import { type ApiSchema, api } from "../../data/api.ts";
import { firstOf } from "../../data/pages.ts";
import { formats } from "../../data/plant.ts";
import { reasonOf } from "../../texts/common.ts";
import { floor } from "../../texts/floor.ts";
import { run } from "./actions.ts";
import type { MachineStore } from "./machine-store.ts";
import { SheetDialog } from "./sheet-dialog.tsx";

/** How many items are shown at first, and added with each press. */
const STEP = 500;

type Order = ApiSchema<"WorkOrder">;
type Sku = Pick<ApiSchema<"Sku">, "id" | "name">;

/** The choice of what the machine makes from now on: an order's SKU, or any SKU without an order. */
export function RunDialog({ store, onClose }: { store: MachineStore; onClose(): void }) {
  const most = useSignal({ orders: STEP, skus: STEP });
  const orders = useSignal<Order[] | null>(null);
  const skus = useSignal<Sku[]>([]);
  const more = useSignal({ orders: false, skus: false });
  const chosen = useSignal("");
  const fault = useSignal<string | null>(null);
  useEffect(() => {
    const query = companyQuery();
    const open = ["InProgress", "Paused", "Planned", "Backlog"] as const;
    const about = { ...query, machineIds: [store.machineId], statuses: [...open], limit: STEP };
    Promise.all([
      firstOf(most.value.orders, (cursor) =>
        api("get", "/v1/work-orders", { query: { ...about, sort: "estimatedDeliveryTime", ...cursor } }),
      ),
      firstOf(most.value.skus, (cursor) => api("get", "/v1/skus", { query: { ...query, limit: STEP, ...cursor } })),
    ])
      .then(([found, known]) => {
        orders.value = found.data;
        skus.value = known.data;
        more.value = { orders: found.hasMore, skus: known.hasMore };
      })
      .catch((error: unknown) => {
        fault.value = reasonOf(error);
      });
  }, [most.value]);
  const moreOf = (what: "orders" | "skus", shown: number) =>
    more.value[what] && (
      <button type="button" class="act" onClick={() => (most.value = { ...most.value, [what]: shown + STEP })}>
        {floor.showMore(formats().number(shown))}
      </button>
    );
  const start = (skuId: string, order: Order | null) => {
    run(store, skuId, order?.id ?? null, order ? `${skuId}, ${floor.order(order.code)}` : skuId);
    onClose();
  };
  const { number, dateTime } = formats();
  const { sku, workOrder } = store.row ?? {};
  return (
    <SheetDialog title={floor.runTitle} onClose={onClose}>
      <p class="quiet">
        {floor.nowMaking([sku?.id ?? floor.noSku, workOrder?.code && floor.order(workOrder.code)].filter(Boolean).join(", "))}
      </p>
      <div role="alert">{fault.value !== null && <p class="refusal">{fault.value}</p>}</div>
      <h3>{floor.ordersHere}</h3>
      {orders.value?.length === 0 && <p class="quiet">{floor.noOrders}</p>}
      <ul class="floor-list" aria-busy={orders.value === null}>
        {orders.value?.flatMap((order) =>
          order.progress
            .filter(({ targetQuantity }) => targetQuantity !== null)
            .map(({ skuId, correct, targetQuantity }) => (
              <li key={`${order.id} ${skuId}`}>
                <button
                  type="button"
                  class="act floor-order"
                  aria-pressed={workOrder?.id === order.id && sku?.id === skuId}
                  onClick={() => start(skuId, order)}
                >
                  <strong>
                    {order.code} · {skuId}
                  </strong>
                  <span class="floor-detail">{order.name}</span>
                  <span class="floor-detail quiet">
                    {[
                      floor.madeOf(number(correct), number(targetQuantity ?? 0)),
                      order.estimatedDeliveryTime && floor.due(dateTime(order.estimatedDeliveryTime)),
                      order.isLate && floor.late,
                    ]
                      .filter(Boolean)
                      .join(" · ")}
                  </span>
                </button>
              </li>
            )),
        )}
      </ul>
      {moreOf("orders", orders.value?.length ?? 0)}
      <h3>{floor.withoutOrder}</h3>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (chosen.value !== "") start(chosen.value, null);
        }}
      >
        <label class="field">
          <span>{floor.sku}</span>
          <select value={chosen.value} onChange={({ currentTarget }) => (chosen.value = currentTarget.value)}>
            <option value="">{floor.chooseSku}</option>
            {skus.value.map(({ id, name }) => (
              <option key={id} value={id}>
                {id === name ? id : `${id} · ${name}`}
              </option>
            ))}
          </select>
        </label>
        {moreOf("skus", skus.value.length)}
        <button type="submit" class="act primary" disabled={chosen.value === ""}>
          {floor.start}
        </button>
      </form>
    </SheetDialog>
  );
}
