import "./state-band.css";
import { second } from "../../app/clock.ts";
import { formats } from "../../data/plant.ts";
import { wantsCause } from "../../domain/floor-stops.ts";
import { clockText } from "../../domain/formats.ts";
import { kindOf } from "../../domain/machine-kind.ts";
import { shownSince } from "../../domain/state-since.ts";
import { common, stopName } from "../../texts/common.ts";
import { floor } from "../../texts/floor.ts";
import { StateIcon } from "../../ui/state-icon.tsx";
import type { MachineStore } from "./machine-store.ts";

type Row = NonNullable<MachineStore["row"]>;

/** The machine's present state over the full width: its shape and word, since when, what is made, and how long it lasts. */
export function StateBand({ store }: { store: MachineStore }) {
  const { row } = store;
  if (!row?.isReachable) {
    return (
      <section class="floor-band band-noData">
        <p class="floor-band-text">
          <strong class="floor-word">{row ? floor.unreachable : common.connecting}</strong>
        </p>
      </section>
    );
  }
  const asked = store.asked.value;
  const isUncaused = asked !== null && row.stop?.id === asked.id && wantsCause(asked);
  const kind = kindOf(row);
  const since = shownSince(row);
  const word = isUncaused ? floor.noCauseYet : row.stop ? stopName(row.stop.name) : common.kinds[kind];
  const details = detailsOf(row, since, row.stop && !isUncaused ? common.kinds[kind] : null);
  return (
    <section class={`floor-band band-${kind}`}>
      <StateIcon kind={kind} />
      <p class="floor-band-text">
        <strong class="floor-word" title={word}>
          {word}
        </strong>
        <span class="floor-details" title={details}>
          {details}
        </span>
      </p>
      {since !== null && <Elapsed since={since} />}
    </section>
  );
}

function detailsOf(row: Row, since: string | null, kind: string | null): string {
  const { time } = formats();
  const { sku, workOrder, plannedUntil, heldCounts } = row;
  const about = [
    kind,
    since === null ? null : floor.since(time(since)),
    plannedUntil === null ? null : floor.plannedUntil(time(plannedUntil)),
    [sku ? (sku.name ?? sku.id) : floor.noSku, workOrder?.code && floor.order(workOrder.code)].filter(Boolean).join(", "),
    row.shift === null ? floor.nextShift : null,
    heldCounts === null || heldCounts === 0 ? null : common.heldCounts(heldCounts),
  ];
  return about.filter((text) => text !== null).join(" · ");
}

function Elapsed({ since }: { since: string }) {
  return <strong class="floor-clock">{clockText(second.value - Date.parse(since))}</strong>;
}
