import "./column.css";
import type { ReadonlySignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { MachineKind } from "../../domain/machine-kind.ts";
import type { PlantNow } from "../../domain/plant-now.ts";
import { common } from "../../texts/common.ts";
import { wall } from "../../texts/wall.ts";
import { StateIcon } from "../../ui/state-icon.tsx";

/** Beside the counts, as many as are in two lines of three. */
const kinds: readonly MachineKind[] = ["stopped", "slow", "running", "planned", "noData", "off"];

interface CountsProps {
  plant: ReadonlySignal<PlantNow>;
  /** Pinned machines for which the column has no room. */
  more: number;
}

/** At the foot of the column: how many machines there are, by state. */
export function Counts({ plant, more }: CountsProps) {
  const { counts } = plant.value;
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  // What does not count is not expected to produce either.
  const countOf = (kind: MachineKind) => (kind === "off" ? counts.off + counts.outside : counts[kind]);
  return (
    <section class="counts">
      <h3>{[more > 0 && wall.more(more), wall.allMachines(all)].filter(Boolean).join(" · ")}</h3>
      <ul aria-label={wall.byState}>
        {kinds.map((kind) => (
          <li key={kind} class={countOf(kind) > 0 ? `kind-${kind}` : undefined}>
            <StateIcon kind={kind} /> {countOf(kind)}{" "}
            <span class="unseen">{kind === "off" ? `${common.kinds.off}, ${common.kinds.outside}` : common.kinds[kind]}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The machines where somebody is needed, on every page at the same place. */
export function Pins({ children, isEmpty }: { children: ComponentChildren; isEmpty: boolean }) {
  if (isEmpty) return <p class="nobody">{wall.nobody}</p>;
  return (
    <ul class="pins" aria-label={wall.needed}>
      {children}
    </ul>
  );
}
