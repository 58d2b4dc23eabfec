import "./state-badge.css";
import type { MachineKind } from "../domain/machine-kind.ts";
import { common } from "../texts/common.ts";
import { StateIcon } from "./state-icon.tsx";

/** A state as colour, shape and word. `word` replaces the kind's own word, for example by the name of a stop. */
export function StateBadge({ kind, word = common.kinds[kind] }: { kind: MachineKind; word?: string }) {
  return (
    <span class={`state-badge kind-${kind}`}>
      <StateIcon kind={kind} />
      <span>{word}</span>
    </span>
  );
}
