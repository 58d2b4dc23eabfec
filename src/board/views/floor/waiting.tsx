import "./waiting.css";
import { useSignal } from "@preact/signals";
import type { Queue } from "../../model/action-queue.ts";
import { formats } from "../../plant.ts";
import { floor } from "../../texts/floor.ts";
import type { MachineStore } from "./machine-store.ts";
import type { Told } from "./outbox.ts";
import { SheetDialog } from "./sheet-dialog.tsx";

/** The actions that wait for the network, in the footer: a tap shows all of them. */
export function Waiting({ store }: { store: MachineStore }) {
  const isShown = useSignal(false);
  const { isStuck, queue } = store.outbox;
  const waiting = queue.value.filter(({ refusal }) => !refusal);
  const [first] = waiting;
  if (!first || !isStuck.value) return <span />;
  const { time } = formats();
  return (
    <>
      <button type="button" class="act floor-waiting" onClick={() => (isShown.value = true)}>
        {floor.waiting(waiting.length, time(first.at))}
      </button>
      {isShown.value && (
        <SheetDialog title={floor.waitingTitle} onClose={() => (isShown.value = false)}>
          <ol class="floor-queue">
            {waiting.map(({ key, at, told }) => (
              <li key={key}>
                <span>
                  <span class="quiet">{time(at)}</span> {told.label}
                </span>
              </li>
            ))}
          </ol>
        </SheetDialog>
      )}
    </>
  );
}

/** The actions that the service refused, with the reason and the choice to send them again or drop them. */
export function Refused({ store }: { store: MachineStore }) {
  const all: Queue<Told> = store.outbox.queue.value;
  const { time } = formats();
  return (
    <div role="alert">
      {all.map(({ key, at, told, refusal }) => {
        if (!refusal) return null;
        const stop = store.stops.value?.find(({ id }) => id === told.stopId);
        return (
          <section key={key} class="card floor-refused">
            <h2>{floor.refusedTitle}</h2>
            <p>
              <span class="quiet">{time(at)}</span> {told.label}
            </p>
            <p>{refusal.status === 0 ? floor.refusedOld : refusal.detail}</p>
            {stop && <p>{floor.refusedNow(stop.classification ? stop.name : floor.noCause)}</p>}
            <div class="floor-more">
              <button type="button" class="act" onClick={() => store.outbox.drop(key)}>
                {floor.drop}
              </button>
              <button type="button" class="act" onClick={() => store.outbox.sendAnyway(key)}>
                {floor.sendAnyway}
              </button>
            </div>
          </section>
        );
      })}
    </div>
  );
}
