import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { language } from "../../../app/language.ts";
import { companyQuery } from "../../../app/session.ts";
import { type ApiSchema, api } from "../../../data/api.ts";
import { everyOf } from "../../../data/every.ts";
import { newKey } from "../../../data/new-key.ts";
import { useRead } from "../../../data/query.ts";
import { columnsOf, MOST_WIDGETS, placesInOrder, placesOf } from "../../../domain/widget-spec.ts";
import { FormEnd } from "../../../form/form-end.tsx";
import { isChangedMeanwhile, useMutation } from "../../../form/use-mutation.ts";
import { dashboards as t } from "../../../texts/dashboards.ts";
import { Body } from "../../../ui/body.tsx";
import { useUnsaved } from "../../../ui/use-unsaved.ts";

type Dashboard = ApiSchema<"WidgetDashboard">;
type Members = Record<string, unknown>;

/** A widget on the dashboard, as it is arranged. */
interface Shown {
  key: string;
  /** Undefined: it is not on the stored dashboard yet. */
  id?: string;
  widgetId: string;
  name: string;
  isSystem: boolean;
  specOverride: Members;
  visualConfig: Members;
  width: number;
}

interface NamedWidget {
  id: string;
  title: ApiSchema<"L10n">;
  isSystem: boolean;
}

const partsOf = ({ id, title, isSystem }: NamedWidget) => ({ widgetId: id, name: title[language] || t.untitled, isSystem });

/** The widgets of a dashboard, in their order. */
function shownOn({ instances, spec }: Dashboard): Shown[] {
  return placesOf(instances, columnsOf(spec)).map(({ instance: { id, widget, specOverride, visualConfig }, width }) => ({
    ...{ key: id, id, ...partsOf(widget), specOverride, visualConfig, width },
  }));
}

/** Another person's dashboard with what this person has arranged: in this order, without what the other took off, and with what the other added. */
function onto(now: Dashboard, before: Dashboard, arranged: readonly Shown[]): Shown[] {
  const stored = new Map(shownOn(now).map((one) => [one.id, one]));
  const known = new Set(before.instances.map(({ id }) => id));
  const kept = arranged.flatMap((one) => {
    const there = stored.get(one.id);
    return one.id === undefined || there ? [{ ...one, ...(there && { specOverride: there.specOverride }) }] : [];
  });
  return [...kept, ...[...stored.values()].filter(({ id }) => id !== undefined && !known.has(id))];
}

/** Adds widgets to a dashboard, takes them off, and puts them in order, by pointer or keyboard. Nothing changes before it is saved. */
export function Arrange({ dashboard, onEnd }: { dashboard: Dashboard; onEnd(): void }) {
  // What is arranged: as the person sees it, until they are told that somebody else has changed it.
  const [base, setBase] = useState(dashboard);
  const [list, setList] = useState(() => shownOn(dashboard));
  const [isOthers, tellOthers] = useState(false);
  const [dragged, drag] = useState<string | null>(null);
  const [over, setOver] = useState<string | null>(null);
  const [said, say] = useState("");
  const saving = useMutation(onEnd);
  const box = useRef<HTMLOListElement>(null);
  const moved = useRef<{ key: string; by: number } | null>(null);
  const columns = columnsOf(base.spec);
  const isChanged = JSON.stringify(list) !== JSON.stringify(shownOn(base));
  useUnsaved(isChanged && !saving.isWaiting);
  useLayoutEffect(() => {
    // A button that moves with its row loses the focus, and at the end there is only the other one.
    if (moved.current === null) return;
    const { key, by } = moved.current;
    moved.current = null;
    const buttons = [by, -by].map((way) => box.current?.querySelector<HTMLButtonElement>(`[data-move="${key} ${way}"]`));
    buttons.find((button) => button && !button.disabled)?.focus();
  }, [list]);

  const change = (next: Shown[]) => {
    saving.forget();
    setList(next);
  };
  const move = (key: string, to: number) => {
    const one = list.find((shown) => shown.key === key);
    if (!one || list[to]?.key === key) return;
    const others = list.filter((shown) => shown !== one);
    change([...others.slice(0, to), one, ...others.slice(to)]);
    say(t.moved(one.name, to + 1, list.length));
  };
  const save = () =>
    saving.run(async () => {
      const places = placesInOrder(
        list.map(({ width }) => width),
        columns,
      );
      const instances = list.map(({ id, widgetId, specOverride, visualConfig }, i) => ({
        ...(id !== undefined && { id }),
        ...{ widgetId, specOverride, visualConfig: { ...visualConfig, ...places[i] } },
      }));
      const place = { path: { id: base.id }, query: companyQuery() };
      tellOthers(false);
      try {
        const sent = { body: { instances }, idempotencyKey: saving.key, ifMatch: `"${base.updatedAt}"` };
        await api("patch", "/v1/dashboards/{id}", { ...place, ...sent });
      } catch (error) {
        if (isChangedMeanwhile(error)) {
          const now = await api("get", "/v1/dashboards/{id}", place);
          setList(onto(now, base, list));
          setBase(now);
          tellOthers(true);
        }
        throw error;
      }
    });

  return (
    <form
      class="form"
      aria-label={t.arrange}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <h3>{t.arrange}</h3>
      <p class="quiet">{t.arrangeHint}</p>
      <ol class="arranged" ref={box}>
        {list.map((one, i) => (
          <Row
            key={one.key}
            {...{ one, columns }}
            isFirst={i === 0}
            isLast={i === list.length - 1}
            isOver={dragged !== null && over === one.key}
            onDrag={(key) => {
              drag(key);
              setOver(null);
            }}
            onOver={() => setOver(one.key)}
            onDrop={() => dragged !== null && move(dragged, i)}
            onMove={(by) => {
              moved.current = { key: one.key, by };
              move(one.key, i + by);
            }}
            onWidth={(width) => change(list.map((shown) => (shown === one ? { ...one, width } : shown)))}
            onTakeOff={() => {
              change(list.filter((shown) => shown !== one));
              say(t.takenOff(one.name));
            }}
          />
        ))}
      </ol>
      {list.length === 0 && <p class="quiet">{t.noWidgets}</p>}
      {list.length < MOST_WIDGETS ? (
        <Add
          onAdd={(widget) => {
            const added = { key: newKey(), ...partsOf(widget), specOverride: {}, visualConfig: {}, width: 1 };
            change([...list, added]);
            say(t.moved(added.name, list.length + 1, list.length + 1));
          }}
        />
      ) : (
        <p class="quiet">{t.full(MOST_WIDGETS)}</p>
      )}
      <p role="status" class="quiet">
        {said}
      </p>
      <FormEnd
        reason={isOthers ? t.meanwhile : saving.reason}
        label={saving.isWaiting ? t.saving : t.save}
        isDisabled={!isChanged || saving.isWaiting}
        cancel={{ label: t.cancel, onCancel: onEnd }}
      />
    </form>
  );
}

interface RowProps {
  one: Shown;
  columns: number;
  isFirst: boolean;
  isLast: boolean;
  /** Whether another one is dragged over it. */
  isOver: boolean;
  /** @param key null: the drag has ended */
  onDrag(key: string | null): void;
  onOver(): void;
  onDrop(): void;
  /** @param by 1: down, -1: up */
  onMove(by: number): void;
  onWidth(width: number): void;
  onTakeOff(): void;
}

function Row({ one, columns, isFirst, isLast, isOver, onDrag, onOver, onDrop, onMove, onWidth, onTakeOff }: RowProps) {
  const { key, name, isSystem, width } = one;
  const arrow = (by: number, sign: string, label: string, isEnd: boolean) => (
    <button type="button" class="tool" data-move={`${key} ${by}`} aria-label={label} disabled={isEnd} onClick={() => onMove(by)}>
      {sign}
    </button>
  );
  return (
    <li
      class={isOver ? "is-over" : ""}
      draggable
      onDragStart={() => onDrag(key)}
      onDragEnd={() => onDrag(null)}
      onDragOver={(event) => {
        event.preventDefault();
        onOver();
      }}
      onDrop={(event) => {
        event.preventDefault();
        onDrop();
      }}
    >
      <span>
        {name}
        {isSystem && <span class="quiet"> · {t.system}</span>}
      </span>
      {columns > 1 && (
        <select
          aria-label={t.width(name)}
          value={String(width)}
          onChange={({ currentTarget }) => onWidth(Number(currentTarget.value))}
        >
          {Array.from({ length: columns }, (_, i) => (
            <option key={i} value={String(i + 1)}>
              {t.columnCount(i + 1)}
            </option>
          ))}
        </select>
      )}
      <span class="arranged-buttons">
        {arrow(-1, "↑", t.up(name), isFirst)}
        {arrow(1, "↓", t.down(name), isLast)}
        <button type="button" class="tool" aria-label={t.takeOffNamed(name)} onClick={onTakeOff}>
          {t.takeOff}
        </button>
      </span>
    </li>
  );
}

function Add({ onAdd }: { onAdd(widget: NamedWidget): void }) {
  const [chosen, choose] = useState<string | null>(null);
  const loaded = useRead(["/v1/widgets"], () => everyOf("/v1/widgets"));
  const widgets = loaded.data ?? [];
  const next = widgets.find(({ id }) => id === chosen) ?? widgets[0];
  return (
    <Body loaded={loaded} empty={widgets.length === 0 ? <p class="quiet">{t.noneOfThem}</p> : undefined}>
      {next && (
        <p class="arranged-add">
          <label class="field">
            <span>{t.another}</span>
            <select value={next.id} onChange={({ currentTarget }) => choose(currentTarget.value)}>
              {widgets.map(({ id, title, isSystem }) => (
                <option key={id} value={id}>
                  {title[language] || t.untitled}
                  {isSystem && ` · ${t.system}`}
                </option>
              ))}
            </select>
          </label>
          <button type="button" class="button" onClick={() => onAdd(next)}>
            {t.put}
          </button>
        </p>
      )}
    </Body>
  );
}
