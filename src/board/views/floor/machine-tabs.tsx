import "./machine-tabs.css";
import { useEffect, useMemo } from "preact/hooks";
import { follow } from "../../data/live.ts";
import { kindOf } from "../../domain/machine-kind.ts";
import { common, stopName } from "../../texts/common.ts";
import { floor } from "../../texts/floor.ts";
import { StateIcon } from "../../ui/state-icon.tsx";

interface TabsProps {
  ids: readonly number[];
  shown: number;
  onShow(id: number): void;
}

/** The machines of a terminal that has several, each with its state: a tap shows it. */
export function MachineTabs({ ids, shown, onShow }: TabsProps) {
  const live = useMemo(() => follow({ machineIds: ids }), []);
  useEffect(() => live.close, [live]);
  return (
    <nav class="floor-machine-tabs" aria-label={floor.machines}>
      {ids.map((id) => {
        const row = live.row(id).value;
        const kind = row ? kindOf(row) : "off";
        const name = row?.machine.name ?? String(id);
        const state = row?.stop ? stopName(row.stop.name) : common.kinds[kind];
        return (
          <button
            key={id}
            type="button"
            class={`floor-machine-tab kind-${kind}`}
            aria-pressed={id === shown}
            title={`${name}: ${state}`}
            onClick={() => onShow(id)}
          >
            <StateIcon kind={kind} />
            <span class="floor-tab-name">{name}</span>
            <span class="unseen">{state}</span>
          </button>
        );
      })}
    </nav>
  );
}
