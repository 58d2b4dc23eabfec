import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { may } from "../../data/may.ts";
import { formats } from "../../data/plant.ts";
import { floor } from "../../texts/floor.ts";
import type { MachineStore, Operator } from "./machine-store.ts";
import { PinForm } from "./pin-form.tsx";
import { SheetDialog } from "./sheet-dialog.tsx";

/** More names than this are looked for by typing. */
const MOST_NAMES = 12;

/**
 * The operators at the machine. A code signs its operator in, or out again: a badge reader types it and presses Enter. Who has a PIN chooses the own
 * name instead.
 */
export function PeopleDialog({ store, onClose }: { store: MachineStore; onClose(): void }) {
  const code = useSignal("");
  const chosen = useSignal<Operator | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const mayChange = may("operators:sign-in");
  const signedIn = store.row?.operators ?? [];
  const isChosen = chosen.value !== null;
  // Whoever opens this enters a code.
  useEffect(() => input.current?.focus(), [isChosen]);

  async function enter(): Promise<void> {
    const entered = code.value.trim();
    if (entered === "") return;
    code.value = "";
    await store.signByCode(entered);
  }

  if (chosen.value)
    return <PinForm store={store} operator={chosen.value} onEnd={() => (chosen.value = null)} onClose={onClose} />;
  const others = store.operators.value
    .filter((one) => one.hasPin && !signedIn.some(({ id }) => id === one.id))
    .sort((a, b) => a.name.localeCompare(b.name));
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
      {mayChange && others.length > 0 && <Names operators={others} onChoose={(one) => (chosen.value = one)} />}
    </SheetDialog>
  );
}

/** The people who can sign in with a PIN. */
function Names({ operators, onChoose }: { operators: readonly Operator[]; onChoose(operator: Operator): void }) {
  const typed = useSignal("");
  const wanted = typed.value.trim().toLowerCase();
  const found = operators.filter(({ name, code }) => `${name} ${code}`.toLowerCase().includes(wanted));
  const shown = found.slice(0, MOST_NAMES);
  return (
    <section aria-label={floor.withPin}>
      <h3>{floor.withPin}</h3>
      {operators.length > MOST_NAMES && (
        <label class="field">
          <span>{floor.findName}</span>
          <input
            type="search"
            value={typed.value}
            autocomplete="off"
            spellcheck={false}
            onInput={({ currentTarget }) => (typed.value = currentTarget.value)}
          />
        </label>
      )}
      <ul class="floor-causes floor-names">
        {shown.map((one) => (
          <li key={one.id}>
            <button type="button" class="act floor-cause" onClick={() => onChoose(one)}>
              {/* An element, whose long words break. */}
              <span>{one.name}</span>
            </button>
          </li>
        ))}
      </ul>
      <p class="quiet" role="status">
        {found.length === 0 && floor.noName}
        {found.length > shown.length && floor.moreNames(found.length - shown.length)}
      </p>
    </section>
  );
}
