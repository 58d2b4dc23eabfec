import "./waiting.css";
import { useSignal } from "@preact/signals";
import { api, Refusal } from "../../data/api.ts";
import { formats } from "../../data/plant.ts";
import { useLoaded } from "../../data/use-loaded.ts";
import type { Action, Queue } from "../../domain/action-queue.ts";
import type { FloorStop } from "../../domain/floor-stops.ts";
import { common, reasonOf } from "../../texts/common.ts";
import { floor } from "../../texts/floor.ts";
import type { MachineStore } from "./machine-store.ts";
import type { Display } from "./outbox.ts";
import { asNow } from "./requests.ts";
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
  const all: Queue<Display> = store.outbox.queue.value;
  return (
    <div role="alert">
      {all.map((action) => action.refusal && <RefusedAction key={action.key} store={store} action={action} />)}
    </div>
  );
}

/** A refused action. If it is about a stop, the person sees the stop as it is now before deciding, and decides about that version. */
function RefusedAction({ store, action }: { store: MachineStore; action: Action<Display> }) {
  const { key, at, told, refusal, request, isUndo = false } = action;
  const { stopId } = told;
  const known = store.stops.value?.find(({ id }) => id === stopId)?.version ?? "";
  const loaded = useLoaded(stopId === undefined ? null : `${stopId} ${known}`, () =>
    api("get", "/v1/stops/{id}", { path: { id: stopId ?? 0 } }),
  );
  const now = loaded.isStale || loaded.error !== null ? null : loaded.data;
  const isGone = loaded.error instanceof Refusal && loaded.error.status === 404;
  return (
    <section class="card floor-refused">
      <h2>{floor.refusedTitle}</h2>
      <p>
        <span class="quiet">{formats().time(at)}</span> {told.label}
      </p>
      <p>{refusal?.status === 0 ? floor.refusedOld : refusal?.detail}</p>
      {now && <p>{floor.refusedNow(describe(now))}</p>}
      {loaded.error !== null && <p>{reasonOf(loaded.error)}</p>}
      <div class="floor-more">
        <button type="button" class="act" onClick={() => store.outbox.drop(key)}>
          {floor.drop}
        </button>
        {loaded.error !== null && !isGone && (
          <button type="button" class="act" onClick={() => void loaded.reload()}>
            {common.tryAgain}
          </button>
        )}
        {!isGone && (
          <button
            type="button"
            class="act"
            disabled={stopId !== undefined && now === null}
            onClick={() => store.outbox.sendAgain(key, now ? asNow(request, now, isUndo) : request)}
          >
            {floor.sendAnyway}
          </button>
        )}
      </div>
    </section>
  );
}

/** What a stop is said to be: its name, component and note. */
function describe({ classification, name }: FloorStop): string {
  const { generalCause = null, specificCause = null, component = null, description = null } = classification ?? {};
  return [generalCause || specificCause ? name : floor.noCause, component?.name, description]
    .filter((part, i, all) => part && all.indexOf(part) === i)
    .join(" · ");
}
