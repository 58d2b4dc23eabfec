import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
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
const STEP = 40;
/** Who types pauses that long before the list is read. */
const PAUSE_MS = 250;

type Order = ApiSchema<"WorkOrder">;
type Sku = Pick<ApiSchema<"Sku">, "id" | "name">;

/** What is looked for, and how many items are wanted. */
interface Wanted {
  search: string;
  orders: number;
  skus: number;
}

interface Found {
  orders: { data: Order[]; hasMore: boolean };
  skus: { data: Sku[]; hasMore: boolean };
}

/** The choice of what the machine makes from now on: an order's SKU, or any SKU without an order. */
export function RunDialog({ store, onClose }: { store: MachineStore; onClose(): void }) {
  const typed = useSignal("");
  const wanted = useSignal<Wanted>({ search: "", orders: STEP, skus: STEP });
  const found = useSignal<Found | null>(null);
  const fault = useSignal<string | null>(null);
  const sheet = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const timer = setTimeout(() => {
      const search = typed.value.trim();
      if (search !== wanted.value.search) wanted.value = { search, orders: STEP, skus: STEP };
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed.value]);
  useEffect(() => {
    // What was looked for before may be answered later.
    let isOver = false;
    find(store.machineId, wanted.value).then(
      (next) => {
        if (isOver) return;
        found.value = next;
        fault.value = null;
      },
      (error: unknown) => {
        if (!isOver) fault.value = reasonOf(error);
      },
    );
    return () => {
      isOver = true;
    };
  }, [wanted.value]);

  useEffect(() => {
    const { current } = sheet;
    const move = (event: KeyboardEvent) => current && moveBy(event, current);
    current?.addEventListener("keydown", move);
    return () => current?.removeEventListener("keydown", move);
  }, []);

  const { orders, skus } = found.value ?? {};
  const moreOf = (what: "orders" | "skus") =>
    found.value?.[what].hasMore && (
      <button
        type="button"
        class="act"
        onClick={() => (wanted.value = { ...wanted.value, [what]: (found.value?.[what].data.length ?? 0) + STEP })}
      >
        {floor.showMore(formats().number(found.value[what].data.length))}
      </button>
    );
  const start = (skuId: string, order: Order | null) => {
    run(store, skuId, order?.id ?? null, order ? `${skuId}, ${floor.order(order.code)}` : skuId);
    onClose();
  };
  const { number } = formats();
  const { sku, workOrder } = store.row ?? {};
  const isSearch = wanted.value.search !== "";
  const [ofOrders, ofSkus] = [targetsOf(orders?.data ?? []), skus?.data ?? []];
  const count = (shown: number, hasMore = false) => `${number(shown)}${hasMore ? "+" : ""}`;
  return (
    <SheetDialog title={floor.runTitle} onClose={onClose}>
      <div ref={sheet}>
        <p class="quiet">
          {floor.nowMaking([sku?.id ?? floor.noSku, workOrder?.code && floor.order(workOrder.code)].filter(Boolean).join(", "))}
        </p>
        <label class="field">
          <span>{floor.findRun}</span>
          <input
            type="search"
            value={typed.value}
            maxLength={100}
            autocomplete="off"
            spellcheck={false}
            onInput={({ currentTarget }) => (typed.value = currentTarget.value)}
          />
        </label>
        <p class="quiet" role="status">
          {isSearch &&
            found.value &&
            floor.runsFound(count(ofOrders.length, orders?.hasMore), count(ofSkus.length, skus?.hasMore))}
        </p>
        <div role="alert">{fault.value !== null && <p class="refusal">{fault.value}</p>}</div>
        <h3>{floor.ordersHere}</h3>
        {found.value && ofOrders.length === 0 && <p class="quiet">{isSearch ? floor.noneFound : floor.noOrders}</p>}
        <ul class="floor-list" aria-busy={found.value === null}>
          {ofOrders.map(({ order, target }) => (
            <li key={`${order.id} ${target.skuId}`}>
              <button
                type="button"
                class="act floor-order"
                aria-pressed={workOrder?.id === order.id && sku?.id === target.skuId}
                onClick={() => start(target.skuId, order)}
              >
                <strong>
                  {order.code} · {target.skuId}
                </strong>
                <span class="floor-detail">{order.name}</span>
                <span class="floor-detail quiet">{stateOf(order, target)}</span>
              </button>
            </li>
          ))}
        </ul>
        {moreOf("orders")}
        <h3>{floor.withoutOrder}</h3>
        {found.value && ofSkus.length === 0 && <p class="quiet">{isSearch ? floor.noneFound : floor.noSkus}</p>}
        <ul class="floor-list">
          {ofSkus.map(({ id, name }) => (
            <li key={id}>
              <button
                type="button"
                class="act floor-order"
                aria-pressed={!workOrder && sku?.id === id}
                onClick={() => start(id, null)}
              >
                <strong>{id}</strong>
                {name !== id && <span class="floor-detail">{name}</span>}
              </button>
            </li>
          ))}
        </ul>
        {moreOf("skus")}
      </div>
    </SheetDialog>
  );
}

/** Reads the open orders of a machine that are due first, and the SKUs, as far as they are looked for. @throws NoAnswer, Refusal */
async function find(machineId: number, { search, orders, skus }: Wanted): Promise<Found> {
  const query = { ...companyQuery(), limit: STEP, ...(search !== "" && { search }) };
  const statuses = ["InProgress", "Paused", "Planned", "Backlog"] as const;
  const ofOrders = { ...query, machineIds: [machineId], statuses: [...statuses], sort: "estimatedDeliveryTime" as const };
  const [foundOrders, foundSkus] = await Promise.all([
    firstOf(orders, (cursor) => api("get", "/v1/work-orders", { query: { ...ofOrders, ...cursor } })),
    firstOf(skus, (cursor) => api("get", "/v1/skus", { query: { ...query, ...cursor } })),
  ]);
  return { orders: foundOrders, skus: foundSkus };
}

type Target = Order["progress"][number];

/** Each SKU of each order that it has a target of. */
function targetsOf(orders: readonly Order[]): { order: Order; target: Target }[] {
  return orders.flatMap((order) =>
    order.progress.filter(({ targetQuantity }) => targetQuantity !== null).map((target) => ({ order, target })),
  );
}

function stateOf({ estimatedDeliveryTime, isLate }: Order, { correct, targetQuantity }: Target): string {
  const { number, dateTime } = formats();
  const made = floor.madeOf(number(correct), number(targetQuantity ?? 0));
  return [made, estimatedDeliveryTime && floor.due(dateTime(estimatedDeliveryTime)), isLate && floor.late]
    .filter(Boolean)
    .join(" · ");
}

/** Moves the focus between the field and what can be chosen with the arrows up and down. Enter in the field goes to the first. */
function moveBy(event: KeyboardEvent, sheet: HTMLElement): void {
  const isField = event.target instanceof HTMLInputElement;
  const step = { ArrowDown: 1, ArrowUp: -1, Enter: isField ? 1 : 0 }[event.key];
  if (!step) return;
  const all: (EventTarget | null)[] = [...sheet.querySelectorAll("input, .floor-order")];
  const next = all[all.indexOf(event.target) + step];
  event.preventDefault();
  if (next instanceof HTMLElement) next.focus();
}
