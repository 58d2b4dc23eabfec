import "./freshness.css";
import type { ReadonlySignal } from "@preact/signals";
import type { Freshness as State } from "../data/live.ts";
import { formats } from "../data/plant.ts";
import { common } from "../texts/common.ts";

/** The freshness of the shown numbers, in words, for every view that follows machines. */
export function Freshness({ state }: { state: ReadonlySignal<State> }) {
  const { kind } = state.value;
  return (
    <span class={`freshness freshness-${kind}`} role="status">
      {textOf(state.value)}
    </span>
  );
}

function textOf(state: State): string {
  if (state.kind === "lost") return common.lostSince(formats().time(state.since));
  if (state.kind === "refused") return common.refused(state.reason);
  if (state.kind === "live") return common.live;
  return state.kind === "polling" ? common.polling : common.connecting;
}
