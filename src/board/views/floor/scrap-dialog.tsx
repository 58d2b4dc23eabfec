import { useSignal } from "@preact/signals";
import { floor } from "../../texts/floor.ts";
import { reportScrap } from "./actions.ts";
import type { MachineStore } from "./machine-store.ts";
import { SheetDialog } from "./sheet-dialog.tsx";
import { UnitsForm } from "./units-form.tsx";

/** A form for units that are rejected: for the SKU and order in work, if there are any, with a reason if the company has some. */
export function ScrapDialog({ store, onClose }: { store: MachineStore; onClose(): void }) {
  const { shift, sku, workOrder } = store.row ?? {};
  const reasonId = useSignal("");
  const reasons = store.defectReasons.value;
  const reason = reasons.find(({ id }) => String(id) === reasonId.value) ?? null;
  const order = workOrder && { id: workOrder.id, code: workOrder.code ?? workOrder.id };
  return (
    <SheetDialog title={floor.scrapTitle} onClose={onClose}>
      {shift ? (
        <>
          <p class="quiet">{floor.scrapHint}</p>
          <UnitsForm
            label={floor.scrapOf(sku?.id ?? null, order?.code ?? null)}
            say={(units) => floor.actionLabels.scrap(units, order?.code ?? null, reason?.name ?? null)}
            report={(units) => {
              reportScrap(store, units, { skuId: sku?.id ?? null, order: order ?? null, reason });
              onClose();
            }}
          >
            {reasons.length > 0 && (
              <label class="field">
                <span>{floor.scrapReason}</span>
                <select value={reasonId.value} onChange={({ currentTarget }) => (reasonId.value = currentTarget.value)}>
                  <option value="">{floor.noReason}</option>
                  {reasons.map(({ id, name }) => (
                    <option key={id} value={String(id)}>
                      {name}
                    </option>
                  ))}
                </select>
              </label>
            )}
          </UnitsForm>
        </>
      ) : (
        <p>{floor.scrapNeedsShift}</p>
      )}
    </SheetDialog>
  );
}
