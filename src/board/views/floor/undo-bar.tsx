import "./undo-bar.css";
import { second } from "../../app/clock.ts";
import { SECOND_MS } from "../../domain/time.ts";
import { floor } from "../../texts/floor.ts";
import type { MachineStore } from "./machine-store.ts";

/** A button that undoes the last choice, for ten seconds. */
export function UndoBar({ store }: { store: MachineStore }) {
  const undoable = store.undoable.value;
  if (!undoable) return null;
  const { name, done, until, actions } = undoable;
  const left = Math.min(10, Math.max(0, Math.ceil((until - second.value) / SECOND_MS)));
  const { queue, isStuck } = store.outbox;
  // A refused action has a panel of its own, and there is nothing to undo.
  if (actions.every(({ key }) => queue.value.some((action) => action.key === key && action.refusal))) return null;
  const isOnItsWay = actions.some(({ key }) => queue.value.some((action) => action.key === key));
  const text = !isOnItsWay ? done : isStuck.value ? floor.givenLater(name) : floor.saving(name);
  return (
    <div class="floor-undo">
      <span>{text}</span>
      <button type="button" class="act" onClick={() => store.undo()}>
        {floor.undo} <span aria-hidden="true">{left}</span>
      </button>
    </div>
  );
}
