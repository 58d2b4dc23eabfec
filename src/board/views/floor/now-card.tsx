import "./now-card.css";
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { second } from "../../app/clock.ts";
import { may } from "../../data/may.ts";
import { formats } from "../../data/plant.ts";
import type { CauseChoice } from "../../domain/causes.ts";
import { type FloorStop, splitRange, wantsCause } from "../../domain/floor-stops.ts";
import { clockText } from "../../domain/formats.ts";
import { kindOf } from "../../domain/machine-kind.ts";
import { shownSince } from "../../domain/state-since.ts";
import { common, stopName } from "../../texts/common.ts";
import { floor } from "../../texts/floor.ts";
import { StateBadge } from "../../ui/state-badge.tsx";
import { AllCausesDialog } from "./all-causes-dialog.tsx";
import { DialogPart } from "./dialog-part.tsx";
import { useDigits } from "./keys.ts";
import { choiceIn, type MachineStore } from "./machine-store.ts";
import { SplitDialog } from "./split-dialog.tsx";
import { stopText } from "./stop-text.ts";

type HelpCall = NonNullable<NonNullable<MachineStore["row"]>["helpCall"]>;

interface NowCardProps {
  store: MachineStore;
  /** Whether a dialog is in front of it. */
  isCovered: boolean;
  onHelp(): void;
  onStops(): void;
}

/** The machine's present state, and for those who may give causes, the question why it stopped with its answers. */
export function NowCard({ store, isCovered, onHelp, onStops }: NowCardProps) {
  const { row } = store;
  const asked = store.asked.value;
  const kind = row ? kindOf(row) : "off";
  const isAlarm = row?.stop?.id === asked?.id && asked !== null && wantsCause(asked);
  return (
    <section class={`card floor-now edge-${kind} ${isAlarm ? "floor-alarm" : ""}`}>
      <Head row={row} isAlarm={isAlarm} />
      {row?.helpCall && <Called call={row.helpCall} onHelp={onHelp} />}
      {asked && may("stops:write") ? (
        <Question
          key={asked.id}
          store={store}
          stop={asked}
          isOpen={row?.stop?.id === asked.id}
          isCovered={isCovered}
          onStops={onStops}
        />
      ) : (
        store.stops.value && (
          <>
            {row?.shift && !asked && <p class="quiet floor-calm">{floor.allClassified}</p>}
            <div class="floor-more">
              <StopsButton store={store} onStops={onStops} />
            </div>
          </>
        )
      )}
    </section>
  );
}

/** The open call for help. */
function Called({ call, onHelp }: { call: HelpCall; onHelp(): void }) {
  const text = (
    <>
      <strong>{floor.helpOpen(formats().time(call.since))}</strong>
      <span>{call.message ?? call.calledBy.name}</span>
    </>
  );
  if (!may("help-calls:write")) return <p class="floor-called">{text}</p>;
  return (
    <button type="button" class="act floor-called" onClick={onHelp}>
      {text}
    </button>
  );
}

function Head({ row, isAlarm }: { row: MachineStore["row"]; isAlarm: boolean }) {
  if (!row) return <p class="floor-state">{common.connecting}</p>;
  if (!row.isReachable) return <p class="floor-state">{floor.unreachable}</p>;
  const kind = kindOf(row);
  const { stop, plannedUntil, heldCounts } = row;
  const since = shownSince(row);
  const { time } = formats();
  const word = isAlarm ? floor.noCauseYet : stop ? stopName(stop.name) : common.kinds[kind];
  const details = [
    stop && !isAlarm ? common.kinds[kind] : null,
    since === null ? null : floor.since(time(since)),
    plannedUntil === null ? null : floor.plannedUntil(time(plannedUntil)),
    row.shift === null ? floor.nextShift : row.shift.name,
    heldCounts === null || heldCounts === 0 ? null : common.heldCounts(heldCounts),
  ];
  return (
    <>
      <p class="floor-state">
        <StateBadge kind={kind} word={word} />
        {since !== null && <Elapsed since={since} />}
      </p>
      <p class="quiet">{details.filter((text) => text !== null).join(" · ")}</p>
    </>
  );
}

function Elapsed({ since }: { since: string }) {
  return <strong class="floor-clock">{clockText(second.value - Date.parse(since))}</strong>;
}

interface Asked {
  store: MachineStore;
  stop: FloorStop;
  isOpen: boolean;
  isCovered: boolean;
  onStops(): void;
}

function StopsButton({ store, onStops }: { store: MachineStore; onStops(): void }) {
  return (
    <button type="button" class="act" onClick={onStops}>
      {floor.stops(store.stops.value?.length ?? 0)}
    </button>
  );
}

/** This many other stops have a separate button, and there is one button for all. */
const OTHERS_SHOWN = 5;

/** Asks why a stop happened. It can be answered by taps or with digits, arrows and Enter. */
function Question({ store, stop, isOpen, isCovered, onStops }: Asked) {
  const dialog = useSignal<"all" | "split" | null>(null);
  const others = useSignal<readonly number[]>([]);
  const favourites = store.favourites.value;
  const last = store.last.value;
  const present = choiceIn(store, stop);
  const isPicked = store.picked.value === stop.id;
  const candidates = store.open.value.filter(({ id }) => id !== stop.id);
  const close = () => {
    dialog.value = null;
  };
  const choose = (choice: CauseChoice) => {
    close();
    const also = candidates.filter(({ id }) => others.value.includes(id));
    store.classify([stop, ...also], choice);
  };
  useDigits(
    (digit) => {
      const choice = favourites[digit - 1];
      if (choice) choose(choice);
    },
    !isCovered && dialog.value === null,
  );
  // So that answering by keys can continue: the button with the focus was removed with the previous question.
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (store.undoable.peek() && document.activeElement === document.body) heading.current?.focus();
  }, []);
  const isSplittable = splitRange(stop, second.peek()) !== null;
  return (
    <>
      <h2 class="floor-why" ref={heading} tabIndex={-1}>
        {isOpen ? floor.why : floor.whyThen(stopText(stop))}
      </h2>
      {store.tree.value?.length === 0 && <p class="quiet">{floor.noCauses}</p>}
      <CauseGrid choices={favourites} present={present} choose={choose} />
      <div class="floor-more">
        <button type="button" class="act" onClick={() => (dialog.value = "all")}>
          {floor.allCauses}
        </button>
        {last && (
          <button type="button" class="act" onClick={() => choose(last)}>
            {floor.sameAsLast(last.name)}
          </button>
        )}
        <button type="button" class="act" disabled={!isSplittable} onClick={() => (dialog.value = "split")}>
          {floor.split}
        </button>
        {stop.classification && (
          <button type="button" class="act" onClick={() => store.declassify(stop)}>
            {floor.noCause}
          </button>
        )}
        {isPicked && (
          <button type="button" class="act" onClick={() => (store.picked.value = null)}>
            {floor.back}
          </button>
        )}
        <StopsButton store={store} onStops={onStops} />
      </div>
      {candidates.length > 0 && <Others stops={candidates} chosen={others} />}
      {dialog.value && (
        <DialogPart key={dialog.value} title={dialog.value === "all" ? floor.allCauses : floor.splitTitle} onClose={close}>
          {dialog.value === "all" && <AllCausesDialog store={store} choose={choose} onClose={close} />}
          {dialog.value === "split" && <SplitDialog store={store} stop={stop} onClose={close} />}
        </DialogPart>
      )}
    </>
  );
}

function CauseGrid({
  choices,
  present,
  choose,
}: {
  choices: readonly CauseChoice[];
  present: CauseChoice | null;
  choose(choice: CauseChoice): void;
}) {
  return (
    <ul class="floor-causes" onKeyDown={moveInGrid}>
      {choices.map((choice, i) => (
        <li key={choice.key}>
          <button
            type="button"
            class={`act floor-cause ${choice.isProgrammed ? "floor-programmed" : ""}`}
            aria-pressed={present?.key === choice.key}
            aria-keyshortcuts={String(i + 1)}
            onClick={() => choose(choice)}
          >
            <span>{choice.name}</span>
            <span class="floor-key" aria-hidden="true">
              {i + 1}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Arrow keys move between the buttons of a grid of two columns. */
function moveInGrid(event: KeyboardEvent): void {
  const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -2, ArrowDown: 2 };
  const step = steps[event.key];
  if (step === undefined || !(event.currentTarget instanceof HTMLElement)) return;
  const buttons = [...event.currentTarget.querySelectorAll("button")];
  const next = buttons[buttons.indexOf(document.activeElement as HTMLButtonElement) + step];
  if (!next) return;
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
    <fieldset class="floor-others">
      <legend class="quiet">{floor.alsoFor}</legend>
      <ul>
        {stops.length > 1 && (
          <li>
            <button type="button" class="act" aria-pressed={areAll} onClick={() => (chosen.value = areAll ? [] : ids)}>
              {floor.allOfThem(stops.length)}
            </button>
          </li>
        )}
        {stops.slice(0, OTHERS_SHOWN).map((stop) => (
          <li key={stop.id}>
            <button type="button" class="act" aria-pressed={chosen.value.includes(stop.id)} onClick={() => toggle(stop.id)}>
              {stopText(stop)}
            </button>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}
