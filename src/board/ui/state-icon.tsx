import type { MachineKind } from "../domain/machine-kind.ts";

/** The shape of each kind of state, 24 x 24, so that no state is shown by its colour alone. */
const shapes: Record<MachineKind, string> = {
  running: "M6 3v18l15-9z",
  slow: "M3 8c3-5 6-5 9 0s6 5 9 0M3 17c3-5 6-5 9 0s6 5 9 0",
  stopped: "M4 4h16v16H4z",
  planned: "M12 3a9 9 0 1 0 .01 0M12 7v5.5l4 2.5",
  outside: "M4.5 4.5h15v15h-15z",
  noData: "M3 3l18 18M5 14v5M10 11v8M15 18v1M19 5v9M15 8v2",
  off: "M17 15.5A8.5 8.5 0 1 1 10 4a7 7 0 0 0 7 11.5z",
};
const filled: readonly MachineKind[] = ["running", "stopped"];

/** The shape of a state, in the colour of the text around it. Hidden from screen readers, because a word is beside it. */
export function StateIcon({ kind }: { kind: MachineKind }) {
  const isFilled = filled.includes(kind);
  return (
    <svg class="state-icon" viewBox="0 0 24 24" aria-hidden="true">
      <path
        d={shapes[kind]}
        fill={isFilled ? "currentColor" : "none"}
        stroke={isFilled ? "none" : "currentColor"}
        stroke-width="2.6"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  );
}
