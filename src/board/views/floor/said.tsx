import "./said.css";
import { type ReadonlySignal, signal } from "@preact/signals";

const SHOWN_MS = 6000;

interface Said {
  text: string;
  isFault: boolean;
}

const kept = signal<Said | null>(null);
/** The newest result of an action at the terminal, shown for some seconds: at its foot, and in the dialog that is open. */
export const said: ReadonlySignal<Said | null> = kept;

/** Shows the result of an action. `isFault`: it was not done. */
export function say(text: string, { isFault = false }: { isFault?: boolean } = {}): void {
  const next = { text, isFault };
  kept.value = next;
  setTimeout(() => {
    if (kept.value === next) kept.value = null;
  }, SHOWN_MS);
}

/** The newest result. `isUnseen`: only for screen readers, because something else on the page shows it. */
export function SaidBar({ isUnseen = false }: { isUnseen?: boolean }) {
  const { value } = kept;
  const look = `floor-said${value?.isFault ? " floor-said-fault" : ""}`;
  return <div role="status">{value && <p class={isUnseen && !value.isFault ? "unseen" : look}>{value.text}</p>}</div>;
}
