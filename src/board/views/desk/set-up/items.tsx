import { usePaged } from "../../../data/paged.ts";
import { plant } from "../../../data/plant.ts";
import type { SetUpKind } from "../../../domain/set-up.ts";
import { resource as setUpResource } from "../../../texts/resource.ts";
import { setUp as t } from "../../../texts/set-up.ts";
import { Body, Empty } from "../../../ui/body.tsx";
import { later } from "../../../ui/later.tsx";
import { More } from "../../../ui/more.tsx";
import { useDesk } from "../desk-state.ts";
import { Part } from "../part.tsx";
import { ItemForm } from "./item-form.tsx";
import { ItemList, type ListedKind } from "./item-list.tsx";
import { type Choice, choicesIn, readChoices } from "./kinds.ts";
import { Versions } from "./versions.tsx";

const STEP = 500;

const PulseTest = later(async () => {
  const { load } = await import("../../../texts/signals.ts");
  await load();
  return (await import("./pulse-test.tsx")).PulseTest;
});
/** Whether a kind has a list, from which one is opened. The others have few, or are of a machine. */
function isListed(kind: SetUpKind): kind is ListedKind {
  return kind === "machine" || kind === "sku" || kind === "cause";
}

/** The items of a kind that numbers depend on, of which one is chosen and changed. */
export function Items({ kind }: { kind: SetUpKind }) {
  const { state, setUp, go, hrefWith } = useDesk();
  const known = choicesIn(setUp, kind);
  const read = usePaged(known ? null : ["choices", kind], STEP, (most) => readChoices(kind, most));
  const loaded = known ? { ...read, data: { data: known, hasMore: false } } : read;
  const { data = [], hasMore = false } = loaded.data ?? {};
  const wanted =
    state.itemId ?? ((kind === "machine" || kind === "sensors") && state.machineId !== null ? String(state.machineId) : null);
  const chosen = data.find(({ id }) => id === wanted) ?? data[0];
  if (wanted === null && isListed(kind)) return <ItemList kind={kind} />;
  return (
    <Body
      loaded={loaded}
      empty={
        data.length === 0 ? (
          <Empty title={t.none[kind]}>
            <p>{t.noneHint}</p>
          </Empty>
        ) : undefined
      }
    >
      {isListed(kind) && (
        <p>
          <a href={hrefWith({ itemId: null, machineId: null })}>{setUpResource.back}</a>
        </p>
      )}
      {data.length > 1 && (
        <ChooseItem kind={kind} choices={data} value={chosen?.id ?? ""} onChange={(itemId) => go({ itemId })} />
      )}
      {hasMore && <More shown={data.length} onMore={read.more} />}
      {chosen && <Item key={`${kind} ${chosen.id}`} kind={kind} choice={chosen} />}
    </Body>
  );
}

interface ChooseProps {
  kind: SetUpKind;
  choices: readonly Choice[];
  value: string;
  onChange(id: string): void;
}

/** The choice of an item. */
export function ChooseItem({ kind, choices, value, onChange }: ChooseProps) {
  return (
    <label class="field choose-item">
      <span>{t.choose[kind]}</span>
      <select value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {choices.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

function Item({ kind, choice: { id, name } }: { kind: SetUpKind; choice: Choice }) {
  return (
    <>
      <Part>
        <ItemForm {...{ kind, id }} name={name || (plant.value?.name ?? "")} />
      </Part>
      <Part>{kind === "sensors" ? <PulseTest machineId={Number(id)} /> : <Versions kind={kind} id={id} />}</Part>
    </>
  );
}
