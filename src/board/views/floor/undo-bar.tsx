import "./undo-bar.css";
import { second } from "../../clock.ts";
import { floor } from "../../texts/floor.ts";
import type { MachineStore } from "./machine-store.ts";

/** A button that undoes the last choice, for ten seconds. */
export function UndoBar({ store }: { store: MachineStore }) {
  const undoable = store.undoable.value;
  if (!undoable) return null;
  const { name, until, stops } = undoable;
  const left = Math.min(10, Math.max(0, Math.ceil((until - second.value) / 1000)));
  const { queue, isStuck } = store.outbox;
  const isOnItsWay = stops.some(({ key }) => queue.value.some((action) => action.key === key));
  const text = !isOnItsWay ? floor.given(name, stops.length) : isStuck.value ? floor.givenLater(name) : floor.saving(name);
  return (
    <div class="floor-undo">
      <span>{text}</span>
      <button type="button" class="act" onClick={() => store.undo()}>
        {floor.undo} <span aria-hidden="true">{left}</span>
      </button>
    </div>
  );
}
