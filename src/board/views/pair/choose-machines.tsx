import { type Signal, useSignal } from "@preact/signals";
import { everyOf } from "../../data/every.ts";
import { formats } from "../../data/plant.ts";
import { useRead } from "../../data/query.ts";
import { reasonOf } from "../../texts/common.ts";
import { pair } from "../../texts/pair.ts";

/** As many as a terminal may have. */
const MOST_CHOSEN = 20;
/** A list with more is searched. */
const MOST_SHOWN = 24;

/** The machines that a terminal is to belong to. */
export function ChooseMachines({ chosen }: { chosen: Signal<readonly number[]> }) {
  const { data, error } = useRead(["/v1/machines"], () => everyOf("/v1/machines"));
  const wanted = useSignal("");
  const machines = data ?? [];
  const found = machines.filter(({ id, name, ref }) => {
    const isFound = `${name} ${ref}`.toLowerCase().includes(wanted.value.trim().toLowerCase());
    return isFound || chosen.value.includes(id);
  });
  // In a list that is searched, what is chosen stays in sight.
  const isLong = machines.length > MOST_SHOWN;
  const rank = (id: number) => (isLong && chosen.value.includes(id) ? 0 : 1);
  const shown = [...found].sort((a, b) => rank(a.id) - rank(b.id) || a.name.localeCompare(b.name)).slice(0, MOST_SHOWN);
  const isFull = chosen.value.length >= MOST_CHOSEN;
  return (
    <fieldset>
      <legend>{pair.machines}</legend>
      {error !== null && <p class="refusal">{reasonOf(error)}</p>}
      {isLong && (
        <label class="field">
          <span>{pair.search}</span>
          <input type="search" value={wanted.value} onInput={({ currentTarget }) => (wanted.value = currentTarget.value)} />
        </label>
      )}
      {shown.map(({ id, name }) => {
        const isChosen = chosen.value.includes(id);
        return (
          <label key={id}>
            <input
              type="checkbox"
              checked={isChosen}
              disabled={isFull && !isChosen}
              onChange={({ currentTarget }) => {
                chosen.value = currentTarget.checked ? [...chosen.value, id] : chosen.value.filter((one) => one !== id);
              }}
            />
            {name}
          </label>
        );
      })}
      {found.length > shown.length && <p class="quiet">{pair.more(formats().number(found.length - shown.length))}</p>}
      {data && machines.length === 0 && <p class="quiet">{pair.noMachines}</p>}
    </fieldset>
  );
}
