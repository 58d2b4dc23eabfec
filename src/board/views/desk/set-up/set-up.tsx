import "./set-up.css";
import { usePaged } from "../../../data/paged.ts";
import { plant } from "../../../data/plant.ts";
import { type SetUpKind, setUpParts } from "../../../domain/set-up.ts";
import { setUp as t } from "../../../texts/set-up.ts";
import { Body, Empty } from "../../../ui/body.tsx";
import { More } from "../../../ui/more.tsx";
import { useDesk } from "../desk-state.ts";
import { Part } from "../part.tsx";
import { CalendarView } from "./calendar-days.tsx";
import { DefectReasons } from "./defect-reasons.tsx";
import { DeletedItems } from "./deleted-items.tsx";
import { ItemForm } from "./item-form.tsx";
import { type Choice, choicesIn, readChoices } from "./kinds.ts";
import { Operators } from "./operators.tsx";
import { PlantMaps } from "./plant-maps.tsx";
import { Versions } from "./versions.tsx";

const STEP = 500;

/** What numbers depend on: it is changed from now on, ahead, or for the past. */
export function SetUpView() {
  const { state, hrefWith } = useDesk();
  const { kind } = state;
  return (
    <div class="desk-column">
      <nav class="chips desk-parts" aria-label={t.kindsLabel}>
        {setUpParts.map((one) => (
          <a key={one} class="tool" href={hrefWith({ kind: one, itemId: null })} aria-current={one === kind ? "true" : undefined}>
            {t.kinds[one]}
          </a>
        ))}
      </nav>
      {kind === "days" ? (
        <CalendarView key={kind} />
      ) : kind === "reasons" ? (
        <Part>
          <DefectReasons key={kind} />
        </Part>
      ) : kind === "people" ? (
        <Part>
          <Operators key={kind} />
        </Part>
      ) : kind === "maps" ? (
        <Part>
          <PlantMaps key={kind} />
        </Part>
      ) : (
        <Part>
          <Items key={kind} kind={kind} />
        </Part>
      )}
      {kind !== "sensors" && kind !== "company" && kind !== "maps" && (
        <Part>
          <DeletedItems key={`deleted ${kind}`} part={kind} />
        </Part>
      )}
    </div>
  );
}

function Items({ kind }: { kind: SetUpKind }) {
  const { state, setUp, go } = useDesk();
  const known = choicesIn(setUp, kind);
  const read = usePaged(known ? null : ["choices", kind], STEP, (most) => readChoices(kind, most));
  const loaded = known ? { ...read, data: { data: known, hasMore: false } } : read;
  const { data = [], hasMore = false } = loaded.data ?? {};
  const wanted =
    state.itemId ?? ((kind === "machine" || kind === "sensors") && state.machineId !== null ? String(state.machineId) : null);
  const chosen = data.find(({ id }) => id === wanted) ?? data[0];
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

function ChooseItem({ kind, choices, value, onChange }: ChooseProps) {
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
      {kind !== "sensors" && (
        <Part>
          <Versions kind={kind} id={id} />
        </Part>
      )}
    </>
  );
}
