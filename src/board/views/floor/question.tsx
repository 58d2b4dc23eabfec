import "./question.css";
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { second } from "../../app/clock.ts";
import { allChoices, type CauseChoice } from "../../domain/causes.ts";
import { countsOfCauses, type FloorStop, splitRange } from "../../domain/floor-stops.ts";
import { floor } from "../../texts/floor.ts";
import { FloorIcon } from "./floor-icon.tsx";
import { useDigits } from "./keys.ts";
import { choiceIn, type MachineStore } from "./machine-store.ts";
import { shortStopText, stopText } from "./stop-text.ts";

export type AboutStop = "causes" | "split" | "note";

interface Asked {
  store: MachineStore;
  stop: FloorStop;
  /** Whether it is the stop that goes on. */
  isOpen: boolean;
  /** Whether a dialog is in front of it. */
  isCovered: boolean;
  onOpen(what: AboutStop, choose: (choice: CauseChoice) => void): void;
}

/** This many other stops have a button each, and there is one for all. */
const OTHERS_SHOWN = 2;

/** Asks why a stop happened. It can be answered by taps or with digits, arrows and Enter. */
export function Question({ store, stop, isOpen, isCovered, onOpen }: Asked) {
  const others = useSignal<readonly number[]>([]);
  const favourites = store.favourites.value;
  const last = store.last.value;
  const isPicked = store.picked.value === stop.id;
  const candidates = store.open.value.filter(({ id }) => id !== stop.id);
  const choose = (choice: CauseChoice) => {
    const also = candidates.filter(({ id }) => others.value.includes(id));
    store.classify([stop, ...also], choice);
  };
  useDigits((digit) => {
    const choice = favourites[digit - 1];
    if (choice) choose(choice);
  }, !isCovered);
  // So that answering by keys can continue: the button with the focus was removed with the previous question.
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (store.undoable.peek() && document.activeElement === document.body) heading.current?.focus();
  }, []);
  const isSplittable = splitRange(stop, second.peek()) !== null;
  const note = stop.classification?.description ?? null;
  return (
    <>
      <header class="floor-ask">
        <h2 ref={heading} tabIndex={-1}>
          {isOpen ? floor.why : floor.whyThen(stopText(stop))}
        </h2>
        <p class="floor-label">{store.tree.value?.length === 0 ? floor.noCauses : floor.howToAnswer}</p>
      </header>
      <CauseGrid store={store} present={choiceIn(store, stop)} choose={choose} />
      <div class="floor-tools">
        <button type="button" class="act" onClick={() => onOpen("causes", choose)}>
          {floor.allCauses}
        </button>
        {stop.classification && (stop.classification.generalCause || stop.classification.specificCause) ? (
          <button type="button" class="act" onClick={() => store.declassify(stop)}>
            {floor.noCause}
          </button>
        ) : (
          <button type="button" class="act" disabled={last === null} title={last?.name} onClick={() => last && choose(last)}>
            <span class="floor-two">
              <span class="floor-label">{floor.sameAsLast}</span>
              <span class="floor-last">{last?.name ?? floor.noLast}</span>
            </span>
          </button>
        )}
        <button type="button" class="act" disabled={!isSplittable} onClick={() => onOpen("split", choose)}>
          <FloorIcon name="split" />
          {floor.split}
        </button>
        <button type="button" class="act" title={note ?? undefined} onClick={() => onOpen("note", choose)}>
          <FloorIcon name="note" />
          <span class="floor-two">
            {floor.note}
            {note !== null && <span class="floor-label floor-last">{note}</span>}
          </span>
        </button>
      </div>
      {isPicked ? (
        <div class="floor-strip">
          <p>{floor.picked}</p>
          <button type="button" class="act" onClick={() => (store.picked.value = null)}>
            {floor.back}
          </button>
        </div>
      ) : (
        candidates.length > 0 && <Others stops={candidates} chosen={others} />
      )}
    </>
  );
}

interface Grid {
  store: MachineStore;
  present: CauseChoice | null;
  choose(choice: CauseChoice): void;
}

function CauseGrid({ store, present, choose }: Grid) {
  const counts = countsOfCauses(store.stops.value ?? [], allChoices(store.tree.value ?? []));
  return (
    <ul class="floor-causes floor-favourites" onKeyDown={moveInGrid}>
      {store.favourites.value.map((choice, i) => {
        const count = counts.get(choice.key) ?? 0;
        const about = choice.isProgrammed ? floor.planned : count > 0 ? floor.thisShift(count) : "";
        return (
          <li key={choice.key}>
            <button
              type="button"
              class={`act floor-cause ${choice.isProgrammed ? "floor-programmed" : ""}`}
              aria-pressed={present?.key === choice.key}
              aria-keyshortcuts={String(i + 1)}
              onClick={() => choose(choice)}
            >
              <span>{choice.name}</span>
              <span class="floor-cause-foot" aria-hidden="true">
                <span>{about}</span>
                <span class="floor-key">{i + 1}</span>
              </span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}

/** Arrow keys move between the buttons of a grid, however many columns it has. */
function moveInGrid(event: KeyboardEvent): void {
  if (!(event.currentTarget instanceof HTMLElement)) return;
  const buttons = [...event.currentTarget.querySelectorAll("button")];
  const [first] = buttons;
  const top = first?.getBoundingClientRect().top;
  const columns = buttons.filter((one) => one.getBoundingClientRect().top === top).length;
  const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns };
  const next = buttons[buttons.indexOf(document.activeElement as HTMLButtonElement) + (steps[event.key] ?? 0)];
  if (!next || !(event.key in steps)) return;
  event.preventDefault();
  next.focus();
}

/** Other stops without a cause, to be given the same one. */
function Others({ stops, chosen }: { stops: readonly FloorStop[]; chosen: { value: readonly number[] } }) {
  const ids = stops.map(({ id }) => id);
  const areAll = ids.every((id) => chosen.value.includes(id));
  const toggle = (id: number) => {
    const { value } = chosen;
    chosen.value = value.includes(id) ? value.filter((one) => one !== id) : [...value, id];
  };
  return (
    <fieldset class="floor-strip floor-others">
      <legend class="unseen">{floor.alsoFor}</legend>
      <p aria-hidden="true">{floor.moreUncaused(stops.length)}</p>
      {stops.slice(0, OTHERS_SHOWN).map((stop) => (
        <button
          key={stop.id}
          type="button"
          class="act"
          aria-pressed={chosen.value.includes(stop.id)}
          onClick={() => toggle(stop.id)}
        >
          {shortStopText(stop)}
        </button>
      ))}
      {/* Of a single one, its own button does the same. */}
      {stops.length > 1 && (
        <button type="button" class="act floor-all" aria-pressed={areAll} onClick={() => (chosen.value = areAll ? [] : ids)}>
          {floor.answerTogether(stops.length + 1)}
        </button>
      )}
    </fieldset>
  );
}
