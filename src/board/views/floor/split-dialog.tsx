import "./split-dialog.css";
import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { serverNow } from "../../app/clock.ts";
import { formats } from "../../data/plant.ts";
import { type FloorStop, secondsOf, splitRange } from "../../domain/floor-stops.ts";
import { SECOND_MS } from "../../domain/time.ts";
import { floor } from "../../texts/floor.ts";
import { split } from "./actions.ts";
import type { MachineStore } from "./machine-store.ts";
import { SheetDialog } from "./sheet-dialog.tsx";
import { lengthText, stopText } from "./stop-text.ts";

/** Splits a stop at a mark on its timeline, which is dragged or moved by keys. */
export function SplitDialog({ store, stop, onClose }: { store: MachineStore; stop: FloorStop; onClose(): void }) {
  // Fixed, so that an open stop does not grow under the finger.
  const now = useMemo(() => serverNow(), []);
  const range = splitRange(stop, now);
  const whole = secondsOf(stop, now);
  const seconds = useSignal(Math.round(whole / 2));
  const start = Date.parse(stop.startTime);
  const at = start + seconds.value * SECOND_MS;
  const parts = floor.splitParts(lengthText(seconds.value * SECOND_MS), lengthText((whole - seconds.value) * SECOND_MS));
  const { time } = formats();
  const exact = (value: number) => `${time(value)}:${String(new Date(value).getUTCSeconds()).padStart(2, "0")}`;
  return (
    <SheetDialog title={floor.splitTitle} onClose={onClose}>
      {range ? (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            split(store, stop, at);
            onClose();
          }}
        >
          <p>{stopText(stop)}</p>
          <p class="quiet">{floor.splitHint}</p>
          <p class="floor-split-at">
            <strong>{exact(at)}</strong> <span>{parts}</span>
          </p>
          <input
            class="floor-split"
            type="range"
            min={range.min}
            max={range.max}
            step={1}
            value={seconds.value}
            aria-label={floor.splitAt}
            aria-valuetext={`${exact(at)}. ${parts}`}
            onInput={({ currentTarget }) => (seconds.value = Number(currentTarget.value))}
          />
          <p class="floor-ends quiet">
            <span>{exact(start)}</span>
            <span>{exact(start + whole * SECOND_MS)}</span>
          </p>
          <button type="submit" class="act primary">
            {floor.splitHere}
          </button>
        </form>
      ) : (
        <p>{floor.tooShort}</p>
      )}
    </SheetDialog>
  );
}
