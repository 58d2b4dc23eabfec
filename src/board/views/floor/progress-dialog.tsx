import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { type ApiSchema, api } from "../../data/api.ts";
import { may } from "../../data/may.ts";
import { formats } from "../../data/plant.ts";
import { reasonOf } from "../../texts/common.ts";
import { floor } from "../../texts/floor.ts";
import { reportGood } from "./actions.ts";
import type { MachineStore } from "./machine-store.ts";
import { SheetDialog } from "./sheet-dialog.tsx";
import { UnitsForm } from "./units-form.tsx";

type Order = ApiSchema<"WorkOrder">;

/** The progress of the order in work, and for those who may report them, a form for good units that the machine does not count. */
export function ProgressDialog({ store, onClose }: { store: MachineStore; onClose(): void }) {
  const { sku, workOrder } = store.row ?? {};
  return (
    <SheetDialog title={floor.progressTitle(workOrder?.code ?? "–")} onClose={onClose}>
      {workOrder && sku ? (
        <>
          <Progress orderId={workOrder.id} />
          {may("progress:write") && (
            <UnitsForm
              label={floor.goodUnits}
              say={(units) => floor.actionLabels.good(units, workOrder.code ?? workOrder.id)}
              report={(units) => {
                reportGood(store, { id: workOrder.id, code: workOrder.code ?? workOrder.id }, sku.id, units);
                onClose();
              }}
            />
          )}
        </>
      ) : (
        <p>{floor.noOrderInWork}</p>
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
                  · {floor.scrap} {number(defects)}
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
