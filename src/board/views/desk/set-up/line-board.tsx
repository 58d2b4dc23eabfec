import { useState } from "preact/hooks";
import { companyQuery } from "../../../app/session.ts";
import { api } from "../../../data/api.ts";
import { may } from "../../../data/may.ts";
import { Refused } from "../../../form/form-end.tsx";
import { useMutation } from "../../../form/use-mutation.ts";
import { resource } from "../../../texts/resource.ts";
import { setUp } from "../../../texts/set-up.ts";
import { useDesk } from "../desk-state.ts";
import type { Machine } from "../plant-data.ts";

const t = resource.lines;

/** The machines of each line: dragged from line to line, or moved with the choice beside each. */
export function LineBoard() {
  const { lines, machines } = useDesk().setUp;
  const [dragged, drag] = useState<Machine | null>(null);
  const [over, setOver] = useState<number | null | undefined>(undefined);
  const work = useMutation();
  const mayChange = may("set-up:write");
  if (lines.length === 0 || machines.length === 0) return null;
  const move = (machine: Machine, lineId: number | null) => {
    if (machine.lineId === lineId) return;
    void work.run(async () => {
      const { id, updatedAt } = machine;
      await api("patch", "/v1/machines/{id}", {
        ...{ path: { id }, query: companyQuery(), body: { lineId } },
        ...{ idempotencyKey: work.key, ifMatch: `"${updatedAt}"` },
      });
    });
  };
  const places = [...lines.map(({ id, name }) => ({ id, name })), { id: null, name: t.noLine }];
  return (
    <section class="card" aria-label={t.board}>
      <header class="card-head">
        <h2>{t.board}</h2>
        <p class="card-sub">{t.boardHint}</p>
      </header>
      <Refused reason={work.reason} />
      <div class="line-board" aria-busy={work.isWaiting}>
        {places.map(({ id, name }) => (
          <section
            key={id ?? "none"}
            aria-label={name}
            class={over === id && dragged !== null ? "line-place is-over" : "line-place"}
            onDragOver={(event) => {
              if (dragged === null) return;
              event.preventDefault();
              setOver(id);
            }}
            onDragLeave={() => setOver(undefined)}
            onDrop={(event) => {
              event.preventDefault();
              setOver(undefined);
              if (dragged) move(dragged, id);
            }}
          >
            <h3>{name}</h3>
            <ul>
              {machines
                .filter(({ lineId }) => lineId === id)
                .map((machine) => (
                  <li
                    key={machine.id}
                    draggable={mayChange && !work.isWaiting}
                    onDragStart={() => drag(machine)}
                    onDragEnd={() => {
                      drag(null);
                      setOver(undefined);
                    }}
                  >
                    <span>{machine.name}</span>
                    {mayChange && (
                      <select
                        aria-label={t.lineOf(machine.name)}
                        disabled={work.isWaiting}
                        value={machine.lineId ?? ""}
                        onChange={({ currentTarget: { value } }) => move(machine, value === "" ? null : Number(value))}
                      >
                        {lines.map((line) => (
                          <option key={line.id} value={line.id}>
                            {line.name}
                          </option>
                        ))}
                        <option value="">{setUp.noLine}</option>
                      </select>
                    )}
                  </li>
                ))}
            </ul>
          </section>
        ))}
      </div>
    </section>
  );
}
