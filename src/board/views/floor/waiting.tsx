import "./waiting.css";
import type { Queue } from "../../domain/action-queue.ts";
import { later } from "../../ui/later.tsx";
import type { MachineStore } from "./machine-store.ts";
import type { Display } from "./outbox.ts";

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
