import { second } from "../../clock.ts";
import { floor } from "../../texts/floor.ts";
import type { MachineStore } from "./machine-store.ts";

/** Takes the last choice back, for ten seconds. */
export function UndoBar({ store }: { store: MachineStore }) {
  const undoable = store.undoable.value;
  if (!undoable) return null;
  const left = Math.max(0, Math.ceil((undoable.until - second.value) / 1000));
  const isWaiting = undoable.stops.some(
    ({ key }) => store.outbox.isStuck.value && store.outbox.queue.value.some((one) => one.key === key),
  );
  return (
    <div class="floor-undo">
      <span>{isWaiting ? floor.givenLater(undoable.text) : undoable.text}</span>
      <button type="button" class="act" onClick={() => store.undo()}>
        {floor.undo} <span aria-hidden="true">{left}</span>
      </button>
    </div>
  );
}
