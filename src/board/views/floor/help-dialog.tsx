import { useSignal } from "@preact/signals";
import { formats } from "../../data/plant.ts";
import { floor } from "../../texts/floor.ts";
import { answerHelp, callForHelp } from "./actions.ts";
import type { MachineStore } from "./machine-store.ts";
import { SheetDialog } from "./sheet-dialog.tsx";

/** Calls for help, or records that help has come. */
export function HelpDialog({ store, onClose }: { store: MachineStore; onClose(): void }) {
  const message = useSignal("");
  const call = store.row?.helpCall ?? null;
  const isWaiting = store.outbox.queue.value.some(({ about, refusal }) => about === "help" && !refusal);
  const ask = (what: string | null) => {
    callForHelp(store, what);
    onClose();
  };
  if (call) {
    return (
      <SheetDialog title={floor.helpOpen(formats().time(call.since))} onClose={onClose}>
        <p>{[call.message, call.calledBy.name].filter(Boolean).join(" · ")}</p>
        <button
          type="button"
          class="act primary"
          onClick={() => {
            answerHelp(store, call.id);
            onClose();
          }}
        >
          {floor.helpHere}
        </button>
      </SheetDialog>
    );
  }
  return (
    <SheetDialog title={floor.helpTitle} onClose={onClose}>
      <p class="quiet">{isWaiting ? floor.helpWaits : floor.helpHint}</p>
      <ul class="floor-causes">
        {floor.helpWith.map((what) => (
          <li key={what}>
            <button type="button" class="act floor-cause" onClick={() => ask(what)}>
              {what}
            </button>
          </li>
        ))}
      </ul>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          ask(message.value.trim() || null);
        }}
      >
        <label class="field">
          <span>{floor.helpOther}</span>
          <input
            value={message.value}
            maxLength={500}
            placeholder={floor.helpMessage}
            onInput={({ currentTarget }) => (message.value = currentTarget.value)}
          />
        </label>
        <button type="submit" class="act primary">
          {floor.helpCall}
        </button>
      </form>
    </SheetDialog>
  );
}
