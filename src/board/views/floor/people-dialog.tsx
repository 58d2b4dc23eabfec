import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { formats } from "../../plant.ts";
import { reasonOf } from "../../texts/common.ts";
import { floor } from "../../texts/floor.ts";
import type { MachineStore } from "./machine-store.ts";
import { SheetDialog } from "./sheet-dialog.tsx";

/** The operators at the machine. A code signs its operator in, or out again: a badge reader types it and presses Enter. */
export function PeopleDialog({ store, onClose }: { store: MachineStore; onClose(): void }) {
  const code = useSignal("");
  const fault = useSignal<string | null>(null);
  // Results from now on come from actions in this dialog.
  const before = useMemo(() => store.told.peek(), []);
  const signedIn = store.row?.operators ?? [];

  async function enter(): Promise<void> {
    const entered = code.value.trim();
    if (entered === "") return;
    try {
      const operator = await store.operatorOf(entered);
      if (!operator) {
        fault.value = floor.unknownCode(entered);
        return;
      }
      const way = (store.row?.operators ?? []).some(({ id }) => id === operator.id) ? "out" : "in";
      store.sign(way, operator);
      fault.value = null;
      code.value = "";
    } catch (error) {
      fault.value = reasonOf(error);
    }
  }

  return (
    <SheetDialog title={floor.peopleTitle} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void enter();
        }}
      >
        <label class="field">
          <span>{floor.code}</span>
          <input
            value={code.value}
            maxLength={100}
            autocomplete="off"
            autocapitalize="characters"
            spellcheck={false}
            onInput={({ currentTarget }) => (code.value = currentTarget.value)}
          />
        </label>
        <div role="alert">{fault.value !== null && <p class="refusal">{fault.value}</p>}</div>
        {store.told.value !== before && <p class="floor-result">{store.told.value}</p>}
        <button type="submit" class="act primary">
          {floor.inOrOut}
        </button>
      </form>
      <ul class="floor-list">
        {signedIn.length === 0 && <li class="quiet">{floor.nobody}</li>}
        {signedIn.map((operator) => (
          <li key={operator.id}>
            <span class="floor-line">
              <strong>{operator.name ?? operator.id}</strong>{" "}
              <span class="quiet">{floor.since(formats().time(operator.since))}</span>
            </span>
            <button type="button" class="act" onClick={() => store.sign("out", operator)}>
              {floor.signOutOf(operator.name ?? String(operator.id))}
            </button>
          </li>
        ))}
      </ul>
    </SheetDialog>
  );
}
