import { may } from "../../data/may.ts";
import { type FloorStop, wantsCause } from "../../domain/floor-stops.ts";
import { stopName } from "../../texts/common.ts";
import { floor } from "../../texts/floor.ts";
import type { MachineStore } from "./machine-store.ts";
import { SheetDialog } from "./sheet-dialog.tsx";
import { stopText } from "./stop-text.ts";

/** All stops of the shift: for those who may give causes, a tap asks for it again. It is also the table for the timeline. */
export function StopsDialog({ store, onClose }: { store: MachineStore; onClose(): void }) {
  const stops = store.stops.value ?? [];
  return (
    <SheetDialog title={floor.stopsTitle} onClose={onClose}>
      {stops.length === 0 && <p>{floor.noStops}</p>}
      <ul class="floor-list">
        {stops.map((stop) => (
          <li key={stop.id}>
            {may("stops:write") ? (
              <button
                type="button"
                class="act floor-order"
                onClick={() => {
                  store.picked.value = stop.id;
                  onClose();
                  scrollTo(0, 0);
                }}
              >
                <About stop={stop} />
                <span class="unseen">{floor.changeCause}</span>
              </button>
            ) : (
              <p class="floor-line">
                <About stop={stop} />
              </p>
            )}
          </li>
        ))}
      </ul>
    </SheetDialog>
  );
}

function About({ stop }: { stop: FloorStop }) {
  return (
    <>
      <strong class={wantsCause(stop) ? "kind-stopped" : ""}>{wantsCause(stop) ? floor.noCause : stopName(stop.name)}</strong>{" "}
      <span class="floor-detail">{stopText(stop)}</span>
    </>
  );
}
