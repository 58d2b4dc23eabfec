import { may } from "../../data/may.ts";
import { formats } from "../../data/plant.ts";
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
      <Waiting store={store} />
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

/** The actions that wait for the network. */
function Waiting({ store }: { store: MachineStore }) {
  const { isStuck, queue } = store.outbox;
  const waiting = queue.value.filter(({ refusal }) => !refusal);
  if (waiting.length === 0 || !isStuck.value) return null;
  return (
    <section>
      <h3>{floor.waitingTitle}</h3>
      <ol class="floor-queue">
        {waiting.map(({ key, at, told }) => (
          <li key={key}>
            <span class="quiet">{formats().time(at)}</span> {told.label}
          </li>
        ))}
      </ol>
    </section>
  );
}

function About({ stop }: { stop: FloorStop }) {
  const note = stop.classification?.description ?? null;
  return (
    <>
      <strong class={wantsCause(stop) ? "kind-stopped" : ""}>{wantsCause(stop) ? floor.noCause : stopName(stop.name)}</strong>{" "}
      <span class="floor-detail">{stopText(stop)}</span>
      {note !== null && <span class="floor-detail quiet">{note}</span>}
    </>
  );
}
