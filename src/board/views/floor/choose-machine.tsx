import "./choose-machine.css";
import { useEffect, useMemo } from "preact/hooks";
import { follow } from "../../data/live.ts";
import { loadPlant, plant } from "../../data/plant.ts";
import { kindOf } from "../../domain/machine-kind.ts";
import { floor } from "../../texts/floor.ts";
import { Bell } from "../../ui/bell.tsx";
import { EmptyPlant } from "../../ui/empty-plant.tsx";
import { Freshness } from "../../ui/freshness.tsx";
import { StateBadge } from "../../ui/state-badge.tsx";

/** `/floor`: the choice of the machine that this terminal belongs to. */
export function ChooseMachine() {
  const live = useMemo(() => follow(), []);
  useEffect(() => {
    // The plant's name is only the heading, and the list can do without it.
    loadPlant().catch(() => undefined);
    return live.close;
  }, [live]);
  const ids = live.machineIds.value;
  return (
    <main class="floor floor-choose" aria-busy={ids === null}>
      <header class="floor-head">
        <h1>{plant.value?.name ?? floor.title}</h1>
        <Freshness state={live.freshness} />
        <Bell />
      </header>
      {ids?.length === 0 ? <EmptyPlant /> : <h2>{floor.choose}</h2>}
      <ul class="floor-machines">
        {ids?.map((id) => (
          <Machine key={id} live={live} id={id} />
        ))}
      </ul>
    </main>
  );
}

function Machine({ live, id }: { live: ReturnType<typeof follow>; id: number }) {
  const row = live.row(id).value;
  if (!row) return null;
  const { machine, line } = row;
  return (
    <li>
      {/* By its id, because its ref may be the id of another machine. */}
      <a class="act floor-machine" href={`/floor/${id}`}>
        <span class="floor-machine-name">
          <strong>{machine.name}</strong>
          <span class="quiet">{line?.name}</span>
        </span>
        <StateBadge kind={kindOf(row)} />
      </a>
    </li>
  );
}
