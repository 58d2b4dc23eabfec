import "./calm.css";
import { second } from "../../app/clock.ts";
import { may } from "../../data/may.ts";
import { formats } from "../../data/plant.ts";
import { newestNote, splitRange } from "../../domain/floor-stops.ts";
import { kindOf } from "../../domain/machine-kind.ts";
import { stopName } from "../../texts/common.ts";
import { floor } from "../../texts/floor.ts";
import { Boundary } from "../../ui/boundary.tsx";
import { FloorIcon } from "./floor-icon.tsx";
import type { MachineStore } from "./machine-store.ts";
import { SpeedCard } from "./speed-card.tsx";

/** How many planned stops can be announced. */
const ANNOUNCED_SHOWN = 4;

interface CalmProps {
  store: MachineStore;
  onOpen(what: "split" | "note"): void;
}

/** What stands in the place of the question while no stop waits for a cause: the speed, planned stops to announce, and the last shift's note. */
export function Calm({ store, onOpen }: CalmProps) {
  const { row } = store;
  const kind = row ? kindOf(row) : "off";
  const stop = store.stops.value?.find(({ id }) => id === row?.stop?.id) ?? null;
  // Who may not give causes sees this also while some are missing.
  const uncaused = store.open.value.length;
  return (
    <>
      <header class="floor-ask">
        <h2>{uncaused > 0 ? floor.shiftPanel : floor.nothingWaits}</h2>
        <p class="floor-label">{uncaused > 0 ? floor.uncaused(uncaused) : row?.shift ? floor.allClassified : floor.nextShift}</p>
      </header>
      <Boundary again={store.stretches.value} onAgain={async () => store.refresh()}>
        <SpeedCard store={store} />
      </Boundary>
      {may("stops:write") && stop && (
        <div class="floor-tools">
          <button type="button" class="act" onClick={() => (store.picked.value = stop.id)}>
            {floor.changeCause}
          </button>
          <button type="button" class="act" disabled={splitRange(stop, second.peek()) === null} onClick={() => onOpen("split")}>
            <FloorIcon name="split" />
            {floor.split}
          </button>
          <button type="button" class="act" onClick={() => onOpen("note")}>
            <FloorIcon name="note" />
            {floor.note}
          </button>
        </div>
      )}
      {may("stops:write") && !stop && (kind === "running" || kind === "slow") && <Announce store={store} />}
      <NoteBefore store={store} />
    </>
  );
}

/** The planned stops: the chosen one becomes the cause of the machine's next stop. */
function Announce({ store }: { store: MachineStore }) {
  const announced = store.announced.value;
  const choices = store.planned.value.slice(0, ANNOUNCED_SHOWN);
  if (choices.length === 0) return null;
  return (
    <section>
      <header class="floor-ask floor-ask-below">
        <h2>{floor.stopOnPurpose}</h2>
        <p class="floor-label">{announced ? floor.announced(formats().time(announced.at)) : floor.announceHint}</p>
      </header>
      <div class="floor-announce">
        {choices.map((choice) => (
          <button
            key={choice.key}
            type="button"
            class="act floor-programmed"
            aria-pressed={announced?.key === choice.key}
            onClick={() => store.announce(announced?.key === choice.key ? null : choice)}
          >
            {choice.name}
          </button>
        ))}
      </div>
    </section>
  );
}

/** The newest note on a stop of the shift before, or else of this one. */
function NoteBefore({ store }: { store: MachineStore }) {
  const before = newestNote(store.before.value ?? []);
  const noted = before ?? newestNote(store.stops.value ?? []);
  if (!noted?.classification) return null;
  const { name, startTime, classification } = noted;
  return (
    <p class="floor-note" title={classification.description ?? undefined}>
      <FloorIcon name="note" />
      <span>
        <strong>{before ? floor.fromBefore : floor.fromThisShift}</strong> {classification.description}{" "}
        <span class="quiet">
          {stopName(name)}, {formats().time(startTime)}
        </span>
      </span>
    </p>
  );
}
