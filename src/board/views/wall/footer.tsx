import "./footer.css";
import type { ReadonlySignal } from "@preact/signals";
import type { Freshness as State } from "../../data/live.ts";
import { durationText } from "../../domain/formats.ts";
import type { MachineKind } from "../../domain/machine-kind.ts";
import type { PlantNow } from "../../domain/plant-now.ts";
import { MINUTE_MS } from "../../domain/time.ts";
import { emsOf } from "../../domain/wall-texts.ts";
import { common } from "../../texts/common.ts";
import { wall } from "../../texts/wall.ts";
import { Freshness } from "../../ui/freshness.tsx";
import { later } from "../../ui/later.tsx";
import { StateIcon } from "../../ui/state-icon.tsx";

const kinds: readonly MachineKind[] = ["stopped", "slow", "running", "planned", "noData", "outside", "off"];

/** Loaded later: what is learned once. */
const Legend = later(async () => (await import("./parts.ts")).Legend);

/** As in footer.css, in font sizes: between texts, and a shape with its spaces. */
const SPACE_EMS = 1.4;
const ICON_EMS = 1.9;
/** The dot of what is live, the edges of the button, and what estimates are too low by. */
const EDGES_EMS = 5;

interface FooterProps {
  freshness: ReadonlySignal<State>;
  plant: ReadonlySignal<PlantNow>;
  page: number;
  pages: number;
  /** Its width, in font sizes. */
  ems: number;
  /** Whether it has the counts of machines by state, and what tiles without words mean. */
  hasCounts: boolean;
  isDense: boolean;
  onSettings: () => void;
}

/** The machines by state, the meaning of the shapes as far as there is room, the freshness of the numbers, and the button for the settings. */
export function Footer({ freshness, plant, page, pages, ems, hasCounts, isDense, onSettings }: FooterProps) {
  const { counts, figures, heldCounts } = plant.value;
  // In the running shifts, of all machines together.
  const noDataMinutes = figures?.noDataTime ?? 0;
  const shownKinds = kinds.filter((kind) => hasCounts && counts[kind] > 0);
  const notices = [
    noDataMinutes >= 1 && wall.incomplete(durationText(noDataMinutes * MINUTE_MS)),
    heldCounts > 0 && common.heldCounts(heldCounts),
    pages > 1 && wall.page(page + 1, pages),
  ].filter((one): one is string => one !== false);
  const taken = [...notices, wall.settings, common.live].reduce((sum, text) => sum + emsOf(text) + SPACE_EMS, EDGES_EMS);
  const left = ems - taken - shownKinds.reduce((sum, kind) => sum + ICON_EMS + emsOf(String(counts[kind])), SPACE_EMS);
  return (
    <footer class="wall-footer">
      {hasCounts && (
        <ul class="wall-counts" aria-label={wall.byState}>
          {shownKinds.map((kind) => (
            <li key={kind} class={`kind-${kind}`}>
              <StateIcon kind={kind} /> {counts[kind]} <span class="unseen">{common.kinds[kind]}</span>
            </li>
          ))}
        </ul>
      )}
      <Legend ems={left} isDense={isDense} />
      <p class="wall-notices">
        {notices.map((text) => (
          <span key={text}>{text}</span>
        ))}
        <Freshness state={freshness} />
      </p>
      <button type="button" class="wall-settings-button" onClick={onSettings}>
        {wall.settings}
      </button>
    </footer>
  );
}
