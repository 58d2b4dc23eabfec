import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { FloorStop } from "../../domain/floor-stops.ts";
import { floor } from "../../texts/floor.ts";
import { note } from "./actions.ts";
import type { MachineStore } from "./machine-store.ts";
import { SheetDialog } from "./sheet-dialog.tsx";
import { stopText } from "./stop-text.ts";

/** The most letters of a note, as the API takes them. */
const MOST_LETTERS = 2000;

/** A note on a stop, for those who come after: in the list of stops, at the desk, and on the terminal in the next shift. */
export function NoteDialog({ store, stop, onClose }: { store: MachineStore; stop: FloorStop; onClose(): void }) {
  const before = stop.classification?.description ?? "";
  const text = useSignal(before);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const written = text.value.trim();
  return (
    <SheetDialog title={floor.noteTitle} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (written !== before) note(store, stop, written === "" ? null : written);
          onClose();
        }}
      >
        <label class="field">
          <span>{stopText(stop)}</span>
          <textarea
            ref={field}
            rows={4}
            maxLength={MOST_LETTERS}
            value={text.value}
            onInput={({ currentTarget }) => (text.value = currentTarget.value)}
          />
        </label>
        <button type="submit" class="act primary" disabled={written === before}>
          {written === "" && before !== "" ? floor.removeNote : floor.keepNote}
        </button>
      </form>
    </SheetDialog>
  );
}
