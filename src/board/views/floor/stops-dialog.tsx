import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { may } from "../../data/may.ts";
import { formats } from "../../data/plant.ts";
import { type FloorStop, wantsCause } from "../../domain/floor-stops.ts";
import { stopName } from "../../texts/common.ts";
import { floor } from "../../texts/floor.ts";
import { loadBefore, merge } from "./actions.ts";
import type { MachineStore } from "./machine-store.ts";
import { SheetDialog } from "./sheet-dialog.tsx";
import { stopText } from "./stop-text.ts";

/**
 * The stops of the shift, and those before it: for those who may give causes, a tap asks for it again, and stops that follow each other can become
 * one. It is also the table for the timeline.
 */
export function StopsDialog({ store, onClose }: { store: MachineStore; onClose(): void }) {
  const isBefore = useSignal(false);
  useEffect(() => void loadBefore(store), []);
  const stops = (isBefore.value ? store.before.value : store.stops.value) ?? [];
  const tab = (value: boolean, text: string) => (
    <button type="button" class="act" aria-pressed={isBefore.value === value} onClick={() => (isBefore.value = value)}>
      {text}
    </button>
  );
  return (
    <SheetDialog title={floor.stopsTitle} onClose={onClose}>
      <Waiting store={store} />
      <div class="floor-tabs">
        {tab(false, floor.shiftPanel)}
        {tab(true, floor.beforeShift)}
      </div>
      {stops.length === 0 && <p>{isBefore.value ? floor.noStopsBefore : floor.noStops}</p>}
      <ul class="floor-list">
        {stops.map((stop, i) => (
          <li key={stop.id}>
            {may("stops:write") ? (
              <>
                <button
                  type="button"
                  class="act floor-order"
                  onClick={() => {
                    store.picked.value = stop.id;
                    onClose();
                    scrollTo(0, 0);
                  }}
                >
                  <About stop={stop} isDated={isBefore.value} />
                  <span class="unseen">{floor.changeCause}</span>
                </button>
                <Merge store={store} stop={stop} before={stops[i + 1]} onDone={onClose} />
              </>
            ) : (
              <p class="floor-line">
                <About stop={stop} isDated={isBefore.value} />
              </p>
            )}
          </li>
        ))}
      </ul>
    </SheetDialog>
  );
}

/** Makes one stop of this one and the one before, if there is no other time between the two. */
function Merge({
  store,
  stop,
  before,
  onDone,
}: {
  store: MachineStore;
  stop: FloorStop;
  before: FloorStop | undefined;
  onDone(): void;
}) {
  if (!before || before.endTime !== stop.startTime) return null;
  // Their versions are known only once what waits is sent.
  const isWaiting = store.outbox.queue.value.some(({ about }) => about === `stop ${stop.id}` || about === `stop ${before.id}`);
  return (
    <button
      type="button"
      class="act floor-merge"
      disabled={isWaiting}
      onClick={() => {
        merge(store, before, stop);
        onDone();
      }}
    >
      {floor.merge(stopText(before))}
    </button>
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

function About({ stop, isDated }: { stop: FloorStop; isDated: boolean }) {
  const note = stop.classification?.description ?? null;
  return (
    <>
      <strong class={wantsCause(stop) ? "kind-stopped" : ""}>{wantsCause(stop) ? floor.noCause : stopName(stop.name)}</strong>{" "}
      <span class="floor-detail">{isDated ? `${formats().day(stop.startTime)}, ${stopText(stop)}` : stopText(stop)}</span>
      {note !== null && <span class="floor-detail quiet">{note}</span>}
    </>
  );
}
