import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { may } from "../../data/may.ts";
import { formats } from "../../data/plant.ts";
import { floor } from "../../texts/floor.ts";
import type { MachineStore } from "./machine-store.ts";
import { SheetDialog } from "./sheet-dialog.tsx";

/** The operators at the machine. A code signs its operator in, or out again: a badge reader types it and presses Enter. */
export function PeopleDialog({ store, onClose }: { store: MachineStore; onClose(): void }) {
  const code = useSignal("");
  const input = useRef<HTMLInputElement>(null);
  const mayChange = may("operators:sign-in");
  const signedIn = store.row?.operators ?? [];
  // Whoever opens this enters a code.
  useEffect(() => input.current?.focus(), []);

  async function enter(): Promise<void> {
    const entered = code.value.trim();
    if (entered === "") return;
    code.value = "";
    await store.signByCode(entered);
  }

  return (
    <SheetDialog title={floor.peopleTitle} onClose={onClose}>
      {mayChange && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void enter();
          }}
        >
          <label class="field">
            <span>{floor.code}</span>
            <input
              ref={input}
              value={code.value}
              maxLength={100}
              autocomplete="off"
              autocapitalize="characters"
              spellcheck={false}
              onInput={({ currentTarget }) => (code.value = currentTarget.value)}
            />
          </label>
          <button type="submit" class="act primary">
            {floor.inOrOut}
          </button>
        </form>
      )}
      <ul class="floor-list">
        {signedIn.length === 0 && <li class="quiet">{floor.nobody}</li>}
        {signedIn.map((operator) => (
          <li key={operator.id}>
            <span class="floor-line">
              <strong>{operator.name ?? operator.id}</strong>{" "}
              <span class="quiet">{floor.since(formats().time(operator.since))}</span>
            </span>
            {mayChange && (
              <button type="button" class="act" onClick={() => store.sign("out", operator)}>
                {floor.signOutOf(operator.name ?? String(operator.id))}
              </button>
            )}
          </li>
        ))}
      </ul>
    </SheetDialog>
  );
}
