import { api, Refusal } from "../../data/api.ts";
import { may } from "../../data/may.ts";
import { formats } from "../../data/plant.ts";
import { useRead } from "../../data/query.ts";
import type { Action } from "../../domain/action-queue.ts";
import type { FloorStop } from "../../domain/floor-stops.ts";
import { common, reasonOf } from "../../texts/common.ts";
import { floor } from "../../texts/floor.ts";
import type { MachineStore } from "./machine-store.ts";
import type { Display } from "./outbox.ts";
import { asNow, permissionOf } from "./requests.ts";

/** A refused action. If it is about a stop, the person sees the stop as it is now before deciding, and decides about that version. */
export function RefusedAction({ store, action }: { store: MachineStore; action: Action<Display> }) {
  const { key, at, told, refusal, request, isUndo = false } = action;
  const { stopId } = told;
  const known = store.stops.value?.find(({ id }) => id === stopId)?.version ?? "";
  const loaded = useRead(stopId === undefined ? null : ["/v1/stops/{id}", stopId, known], () =>
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
        {!isGone && may(permissionOf(request)) && (
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
