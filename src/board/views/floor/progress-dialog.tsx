import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { type ApiSchema, api } from "../../api.ts";
import { locale } from "../../language.ts";
import { decimalsOf, numberFrom } from "../../model/formats.ts";
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
            say={(units) => floor.actionLabels[kind](units, workOrder.code ?? workOrder.id)}
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

/** An input for a number of units, by taps or by keys, in the page's notation. It says what it has understood before that is sent. */
function Units({ label, say, report }: { label: string; say(units: string): string; report(units: number): void }) {
  const units = useSignal("");
  const { number } = formats();
  const typed = numberFrom(units.value, locale);
  const value = typeof typed === "object" ? typed.value : null;
  const exact = (count: number) => number(count, decimalsOf(count));
  const add = (more: number) => {
    units.value = exact((value ?? 0) + more);
  };
  const fault = typed === "wrong" ? floor.notANumber : typed === "ambiguous" ? floor.ambiguous(exact(1000), exact(1)) : null;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (value) report(value);
      }}
    >
      <label class="field">
        <span>{label}</span>
        <input
          class="floor-units"
          inputMode="decimal"
          autocomplete="off"
          value={units.value}
          aria-invalid={fault !== null}
          aria-describedby="floor-understood"
          onInput={({ currentTarget }) => (units.value = currentTarget.value)}
        />
      </label>
      <p id="floor-understood" class={fault === null ? "floor-understood" : "refusal"} role="status">
        {fault ?? (value ? say(exact(value)) : "")}
      </p>
      <div class="floor-more">
        {[1, 5, 10].map((more) => (
          <button key={more} type="button" class="act" disabled={fault !== null} onClick={() => add(more)}>
            {floor.more(more)}
          </button>
        ))}
        <button type="submit" class="act primary" disabled={!value}>
          {floor.report}
        </button>
      </div>
    </form>
  );
}
