import "./plant-maps.css";
import { useRef, useState } from "preact/hooks";
import { companyQuery } from "../../../app/session.ts";
import { api } from "../../../data/api.ts";
import { may } from "../../../data/may.ts";
import { formats } from "../../../data/plant.ts";
import { readPlantMaps } from "../../../data/plant-maps.ts";
import { useRead } from "../../../data/query.ts";
import { MOST_PLACES, type Place, type PlantMap, placeAt, specOf, withPlace } from "../../../domain/plant-map.ts";
import { ConfirmForm } from "../../../form/confirm-form.tsx";
import { Form, useForm } from "../../../form/form.tsx";
import { FormEnd } from "../../../form/form-end.tsx";
import { PictureField } from "../../../form/picture-field.tsx";
import { useMutation } from "../../../form/use-mutation.ts";
import { setUp } from "../../../texts/set-up.ts";
import { Body } from "../../../ui/body.tsx";
import { useUnsaved } from "../../../ui/use-unsaved.ts";
import { useDesk } from "../desk-state.ts";

const t = setUp.maps;
/** How far an arrow key moves a machine, as a share of the picture; with Shift further. */
const STEP = 0.01;
const LARGE_STEP = 0.05;
const arrows: Partial<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** The plant maps: pictures of the plant with its machines on them, for walls. Admins make them. */
export function PlantMaps() {
  const { state, go } = useDesk();
  const loaded = useRead(["plant maps"], readPlantMaps);
  const maps = loaded.data ?? [];
  const chosen = maps.find(({ id }) => id === state.itemId) ?? maps[0];
  return (
    <section class="card" aria-label={t.title}>
      <header class="card-head">
        <h2>{t.title}</h2>
        <p class="card-sub">{t.hint}</p>
      </header>
      {may("set-up:write") && <Add onAdded={(itemId) => go({ itemId })} />}
      <Body loaded={loaded} empty={maps.length === 0 ? <p class="quiet">{t.none}</p> : undefined}>
        {maps.length > 1 && (
          <label class="field choose-item">
            <span>{t.choose}</span>
            <select value={chosen?.id} onChange={({ currentTarget }) => go({ itemId: currentTarget.value })}>
              {maps.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        )}
        {chosen && <MapEditor key={chosen.id} map={chosen} />}
      </Body>
    </section>
  );
}

function Add({ onAdded }: { onAdded(id: string): void }) {
  const form = useForm({
    fields: { name: { kind: "text", label: t.name, maxLength: 200 } },
    initial: { name: "" },
    body: ({ name }, refuse) => {
      if (name.trim() === "") refuse("name", setUp.faults.required);
      const title = { en: name.trim(), es: name.trim() };
      return { ...companyQuery(), title, description: { en: "", es: "" }, spec: specOf([]) };
    },
    send: async (body, idempotencyKey) => onAdded((await api("post", "/v1/widgets", { body, idempotencyKey })).id),
    isRepeated: true,
  });
  return <Form form={form} label={t.add} send={t.add} sending={t.adding} isFocused={false} />;
}

/** One map: its picture, and its machines, which are put where they stand by pointer or keyboard. */
function MapEditor({ map }: { map: PlantMap }) {
  const { setUp: plant } = useDesk();
  /** All places, with the changes that are not saved; null: there are none. */
  const [draft, setDraft] = useState<readonly Place[] | null>(null);
  const places = draft ?? map.places;
  const [chosenId, choose] = useState<number | null>(null);
  // What was moved while it was being saved is not saved.
  const saving = useMutation(() => setDraft((now) => (now === draft ? null : now)));
  const mayChange = may("set-up:write");
  const isChanged = draft !== null;
  useUnsaved(isChanged && !saving.isWaiting);
  const placed = new Set(places.map(({ machineId }) => machineId));
  const missing = plant.machines.filter(({ id }) => !placed.has(id));
  const nextId = missing.find(({ id }) => id === chosenId)?.id ?? missing[0]?.id;

  const change = (next: readonly Place[]) => {
    saving.forget();
    setDraft(next);
  };
  const put = (machineId: number, x: number, y: number) => {
    choose(machineId);
    change(withPlace(places, machineId, placeAt(machineId, x, y)));
  };
  const takeOff = (machineId: number) => change(withPlace(places, machineId, null));
  const save = () =>
    saving.run(async () => {
      const body = { spec: specOf(places) };
      await api("patch", "/v1/widgets/{id}", { path: { id: map.id }, body, idempotencyKey: saving.key });
    });

  return (
    <>
      <p class="card-tools">
        <a class="tool" href={`/wall?show=map&map=${encodeURIComponent(map.id)}`}>
          {t.open}
        </a>
      </p>
      {mayChange && <PictureField widgetId={map.id} label={map.picture ? t.otherPicture : t.picture} sending={t.uploading} />}
      {mayChange && nextId !== undefined && places.length < MOST_PLACES && (
        <label class="field choose-item">
          <span>{t.machine}</span>
          <select value={String(nextId)} onChange={({ currentTarget }) => choose(Number(currentTarget.value))}>
            {missing.map(({ id, name }) => (
              <option key={id} value={String(id)}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      {mayChange && <p class="quiet">{missing.length > 0 ? t.how(missing.length) : t.allPlaced}</p>}
      <Picked {...{ map, places, mayChange, put, takeOff }} nextId={mayChange ? nextId : undefined} />
      {mayChange && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void save();
          }}
        >
          <FormEnd
            reason={saving.reason}
            label={saving.isWaiting ? t.saving : t.save}
            isDisabled={!isChanged || saving.isWaiting}
          />
        </form>
      )}
      {mayChange && <Remove map={map} />}
    </>
  );
}

interface PickedProps {
  map: PlantMap;
  places: readonly Place[];
  mayChange: boolean;
  /** The machine that a click on the picture places; undefined: none is left. */
  nextId: number | undefined;
  put(machineId: number, x: number, y: number): void;
  takeOff(machineId: number): void;
}

function Picked({ map, places, mayChange, nextId, put, takeOff }: PickedProps) {
  const { setUp: plant } = useDesk();
  const box = useRef<HTMLDivElement>(null);
  const names = new Map(plant.machines.map(({ id, name }) => [id, name]));
  const { percent } = formats();
  /** Puts a machine where the pointer is. */
  const putAt = (machineId: number, { clientX, clientY }: { clientX: number; clientY: number }) => {
    const area = box.current?.getBoundingClientRect();
    if (area) put(machineId, (clientX - area.left) / area.width, (clientY - area.top) / area.height);
  };
  return (
    <div class="place-box" ref={box}>
      {map.picture ? <img src={map.picture} alt={map.name} draggable={false} /> : <p class="quiet">{t.noPicture}</p>}
      {nextId !== undefined && (
        <button
          type="button"
          class="place-here"
          aria-label={t.put(names.get(nextId) ?? "")}
          onClick={(event) => {
            // The keyboard presses it nowhere.
            if (event.detail > 0) putAt(nextId, event);
            else put(nextId, 0.5, 0.5);
          }}
        />
      )}
      <ul>
        {places.flatMap((place) => {
          const { machineId, x, y } = place;
          const name = names.get(machineId);
          // A machine that was deleted keeps its place, in case it is restored.
          if (name === undefined) return [];
          const style = { left: `${100 * x}%`, top: `${100 * y}%` };
          if (!mayChange) {
            return (
              <li key={machineId} style={style}>
                <span class="place">{name}</span>
              </li>
            );
          }
          return (
            <li key={machineId} style={style}>
              <button
                type="button"
                class="place"
                aria-label={t.at(name, percent(Math.round(100 * x)), percent(Math.round(100 * y)))}
                onPointerDown={(event) => {
                  if (event.button === 0) event.currentTarget.setPointerCapture(event.pointerId);
                }}
                onPointerMove={(event) => {
                  if (event.currentTarget.hasPointerCapture(event.pointerId)) putAt(machineId, event);
                }}
                onKeyDown={(event) => {
                  const direction = arrows[event.key];
                  if (event.key === "Delete" || event.key === "Backspace") takeOff(machineId);
                  else if (direction) {
                    const step = event.shiftKey ? LARGE_STEP : STEP;
                    put(machineId, x + step * direction[0], y + step * direction[1]);
                  } else return;
                  event.preventDefault();
                }}
                onDblClick={() => takeOff(machineId)}
              >
                {name}
              </button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function Remove({ map: { id, name } }: { map: PlantMap }) {
  const [isAsked, ask] = useState(false);
  if (isAsked) {
    return (
      <ConfirmForm
        question={t.sure(name)}
        label={t.remove}
        cancel={t.cancel}
        act={(idempotencyKey) => api("delete", "/v1/widgets/{id}", { path: { id }, idempotencyKey })}
        onEnd={() => ask(false)}
      />
    );
  }
  return (
    <p class="card-tools">
      <button type="button" class="tool" onClick={() => ask(true)}>
        {t.remove}
      </button>
    </p>
  );
}
