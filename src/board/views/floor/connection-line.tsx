import "./connection-line.css";
import { second } from "../../app/clock.ts";
import { formats } from "../../data/plant.ts";
import { durationText } from "../../domain/formats.ts";
import { MINUTE_MS } from "../../domain/time.ts";
import { floor } from "../../texts/floor.ts";
import { Freshness } from "../../ui/freshness.tsx";
import type { MachineStore } from "./machine-store.ts";

/** Whether the terminal is connected, what waits to be sent, and how new the newest count is. It is never hidden. */
export function ConnectionLine({ store }: { store: MachineStore }) {
  const state = store.live.freshness.value;
  const { isStuck, queue } = store.outbox;
  const waiting = queue.value.filter(({ refusal }) => !refusal);
  const [first] = waiting;
  const { time } = formats();
  const isWaiting = first !== undefined && isStuck.value;
  const isCalm = state.kind === "live" && !isWaiting;
  const lostMs = state.kind === "lost" ? second.value - state.since : 0;
  // Beside the words that screen readers announce, because it grows.
  const parts = [
    lostMs >= MINUTE_MS ? durationText(lostMs) : null,
    isWaiting ? floor.waiting(waiting.length, first.told.label, time(first.at)) : null,
    isCalm ? floor.allSent : null,
  ];
  const text = parts.filter(Boolean).join(" · ");
  const lastEvent = store.row?.lastEventAt ?? null;
  return (
    <footer class={`floor-foot ${isCalm ? "" : "floor-foot-waits"}`}>
      <p class="floor-foot-text" title={text}>
        <strong>
          <Freshness state={store.live.freshness} />
        </strong>
        {text !== "" && <span> · {text}</span>}
      </p>
      {lastEvent !== null && <p class="floor-last-count quiet">{floor.lastCount(time(lastEvent))}</p>}
    </footer>
  );
}
