import "./footer.css";
import type { ReadonlySignal } from "@preact/signals";
import type { Freshness as State } from "../../data/live.ts";
import { durationText } from "../../domain/formats.ts";
import type { MachineKind } from "../../domain/machine-kind.ts";
import type { PlantNow } from "../../domain/plant-now.ts";
import { MINUTE_MS } from "../../domain/time.ts";
import { wall } from "../../texts/wall.ts";
import { Freshness } from "../../ui/freshness.tsx";
import { StateBadge } from "../../ui/state-badge.tsx";

const legend: readonly MachineKind[] = ["running", "slow", "stopped", "planned", "noData"];

interface FooterProps {
  freshness: ReadonlySignal<State>;
  plant: ReadonlySignal<PlantNow>;
  page: number;
  pages: number;
  onSettings: () => void;
}

/** The meaning of the shapes, the freshness of the numbers, and the button for the settings. */
export function Footer({ freshness, plant, page, pages, onSettings }: FooterProps) {
  // In the running shifts, of all machines together.
  const noDataMinutes = plant.value.figures?.noDataTime ?? 0;
  return (
    <footer class="wall-footer">
      <ul class="wall-legend">
        {legend.map((kind) => (
          <li key={kind}>
            <StateBadge kind={kind} />
          </li>
        ))}
      </ul>
      <p class="wall-notices">
        {noDataMinutes >= 1 && <span>{wall.incomplete(durationText(noDataMinutes * MINUTE_MS))}</span>}
        {pages > 1 && <span>{wall.page(page + 1, pages)}</span>}
        <Freshness state={freshness} />
      </p>
      <button type="button" class="wall-settings-button" onClick={onSettings}>
        {wall.settings}
      </button>
    </footer>
  );
}
