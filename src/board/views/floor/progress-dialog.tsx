import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { type ApiSchema, api } from "../../api.ts";
import { formats } from "../../plant.ts";
import { reasonOf } from "../../texts/common.ts";
import { floor } from "../../texts/floor.ts";
import type { MachineStore } from "./machine-store.ts";
import { SheetDialog } from "./sheet-dialog.tsx";

type Order = ApiSchema<"WorkOrder">;

/** The progress of the order in work, and a form for units that the machine does not count: scrap, or good units. */
export function ProgressDialog({ store, kind, onClose }: { store: MachineStore; kind: "scrap" | "good"; onClose(): void }) {
  const { sku, workOrder } = store.row ?? {};
  const title = kind === "scrap" ? floor.scrapTitle : floor.progressTitle(workOrder?.code ?? "–");
  return (
    <SheetDialog title={title} onClose={onClose}>
      {workOrder && sku ? (
        <>
          {kind === "scrap" && <p class="quiet">{floor.scrapHint}</p>}
          {kind === "good" && <Progress orderId={workOrder.id} />}
          <Units
            label={kind === "scrap" ? floor.scrapOf(sku.id, workOrder.code ?? "") : floor.goodUnits}
            report={(units) => {
              store.report(kind, { id: workOrder.id, code: workOrder.code ?? workOrder.id }, sku.id, units);
              onClose();
            }}
          />
        </>
      ) : (
        <p>{kind === "scrap" ? floor.scrapNeedsOrder : floor.noOrderInWork}</p>
      )}
    </SheetDialog>
  );
}

function Progress({ orderId }: { orderId: string }) {
  const order = useSignal<Order | null>(null);
  const fault = useSignal<string | null>(null);
  useEffect(() => {
    api("get", "/v1/work-orders/{id}", { path: { id: orderId } })
      .then((found) => {
        order.value = found;
      })
      .catch((error: unknown) => {
        fault.value = reasonOf(error);
      });
  }, [orderId]);
  const { number, dateTime } = formats();
  if (fault.value !== null) {
    return (
      <p class="refusal" role="alert">
        {fault.value}
      </p>
    );
  }
  const { value } = order;
  if (!value) return <p aria-busy="true">{floor.loading}</p>;
  const { estimatedDeliveryTime: due, expectedAt, isLate } = value;
  return (
    <>
      <p>{value.name}</p>
      <p class="quiet">
        {[due && floor.due(dateTime(due)), expectedAt && floor.expected(dateTime(expectedAt))].filter(Boolean).join(" · ")}{" "}
        {isLate && <strong class="kind-stopped">{floor.late}</strong>}
      </p>
      <ul class="floor-list">
        {value.progress.map(({ skuId, correct, defects, targetQuantity, remaining }) => (
          <li key={skuId}>
            <span class="floor-line">
              <strong>{skuId}</strong>{" "}
              {targetQuantity === null ? number(correct) : floor.madeOf(number(correct), number(targetQuantity))}
              {remaining !== null && <span class="quiet"> · {floor.remaining(number(remaining))}</span>}
              {defects > 0 && (
                <span class="quiet">
                  {" "}
                  · {floor.scrap.replace("+ ", "")} {number(defects)}
                </span>
              )}
            </span>
            <progress max={targetQuantity ?? Math.max(1, correct)} value={correct} aria-label={skuId} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** An input for a number of units, by taps or by keys. */
function Units({ label, report }: { label: string; report(units: number): void }) {
  const units = useSignal("");
  const value = Number(units.value.replace(",", "."));
  const isGood = units.value.trim() !== "" && Number.isFinite(value) && value > 0;
  const add = (more: number) => {
    units.value = String((isGood ? value : 0) + more);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isGood) report(value);
      }}
    >
      <label class="field">
        <span>{label}</span>
        <input
          class="floor-units"
          inputMode="decimal"
          autocomplete="off"
          value={units.value}
          onInput={({ currentTarget }) => (units.value = currentTarget.value)}
        />
      </label>
      <div class="floor-more">
        {[1, 5, 10].map((more) => (
          <button key={more} type="button" class="act" onClick={() => add(more)}>
            {floor.more(more)}
          </button>
        ))}
        <button type="submit" class="act primary" disabled={!isGood}>
          {floor.report}
        </button>
      </div>
    </form>
  );
}
