import "./waiting.css";
import { useSignal } from "@preact/signals";
import { formats } from "../../data/plant.ts";
import type { Queue } from "../../domain/action-queue.ts";
import { floor } from "../../texts/floor.ts";
import { later } from "../../ui/later.tsx";
import type { MachineStore } from "./machine-store.ts";
import type { Display } from "./outbox.ts";
import { SheetDialog } from "./sheet-dialog.tsx";

/** The actions that wait for the network, in the footer: a tap shows all of them. */
export function Waiting({ store }: { store: MachineStore }) {
  const isShown = useSignal(false);
  const { isStuck, queue } = store.outbox;
  const waiting = queue.value.filter(({ refusal }) => !refusal);
  const [first] = waiting;
  if (!first || !isStuck.value) return <span />;
  const { time } = formats();
  return (
    <>
      <button type="button" class="act floor-waiting" onClick={() => (isShown.value = true)}>
        {floor.waiting(waiting.length, time(first.at))}
      </button>
      {isShown.value && (
        <SheetDialog title={floor.waitingTitle} onClose={() => (isShown.value = false)}>
          <ol class="floor-queue">
            {waiting.map(({ key, at, told }) => (
              <li key={key}>
                <span>
                  <span class="quiet">{time(at)}</span> {told.label}
                </span>
              </li>
            ))}
          </ol>
        </SheetDialog>
      )}
    </>
  );
}

// Loaded later, because refusals are rare.
const RefusedAction = later(async () => (await import("./refused-action.tsx")).RefusedAction);

/** The actions that the service refused, with the reason and the choice to send them again or drop them. */
export function RefusedActions({ store }: { store: MachineStore }) {
  const all: Queue<Display> = store.outbox.queue.value;
  return (
    <div role="alert">
      {all.map((action) => action.refusal && <RefusedAction key={action.key} store={store} action={action} />)}
    </div>
  );
}
