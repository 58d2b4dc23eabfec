import "../../ui/state-badge.css";
import "./wall.css";
import { type Signal, useComputed, useSignal } from "@preact/signals";
import type { ComponentChild } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { second } from "../../app/clock.ts";
import { reloadAfterError, reloadWhenNewer } from "../../app/newer-version.ts";
import type { Route } from "../../app/route.ts";
import { companyQuery, session } from "../../app/session.ts";
import { follow, type Live, type Row } from "../../data/live.ts";
import { loadPlant, plant } from "../../data/plant.ts";
import { waitAfter } from "../../domain/backoff.ts";
import { NoAnswer } from "../../domain/no-answer.ts";
import { plantNow } from "../../domain/plant-now.ts";
import { MINUTE_MS, SECOND_MS } from "../../domain/time.ts";
import { byUrgency, isSound } from "../../domain/urgency.ts";
import { layOut, pagesOf, textSizes } from "../../domain/wall-layout.ts";
import { optionsOf, type WallOptions } from "../../domain/wall-options.ts";
import { fittingPins, pinsOf } from "../../domain/wall-pins.ts";
import { common } from "../../texts/common.ts";
import { wall } from "../../texts/wall.ts";
import { Boundary } from "../../ui/boundary.tsx";
import { later } from "../../ui/later.tsx";
import { Counts, Pins } from "./column.tsx";
import { Footer } from "./footer.tsx";
import { Header } from "./header.tsx";
import { Pin, pinLines, Tile } from "./tile.tsx";

// Loaded later: most walls never show them, or not at first.
const Pairing = later(async () => (await import("./parts.ts")).Pairing);
const Settings = later(async () => (await import("./parts.ts")).Settings);
const NoMachine = later(async () => (await import("./parts.ts")).NoMachine);
const Readers = later(async () => (await import("./parts.ts")).Readers);
const OtherView = later(async () => (await import("./parts.ts")).OtherView);
const PlantHours = later(async () => (await import("./parts.ts")).PlantHours);

/** The wall: all machines of a plant or of some lines on one screen, without scrolling, for people metres away. */
export default function Wall({ route }: { route: Route }) {
  const options = optionsOf(route.query);
  useLayoutEffect(() => {
    document.documentElement.dataset.theme = options.theme;
    document.title = `${wall.title} · ${plant.value?.name ?? "Andon"}`;
  }, [options.theme, plant.value]);
  if (!session.value) return <Pairing />;
  const { lineIds, machineIds } = options;
  // Another session or another selection of machines needs another connection.
  const key = JSON.stringify([session.value.kind, companyQuery(), lineIds, machineIds]);
  return <Board key={key} options={options} />;
}

/** How often the order of the pinned machines is looked at. */
const STEP_MS = 5 * SECOND_MS;
/** The share of the screen's width that is within its edges. As in wall.css. */
const WITHIN_EDGES = 0.979;

function Board({ options }: { options: WallOptions }) {
  const { lineIds, machineIds, distance, secondsPerPage, order } = options;
  const isOther = options.show !== "tiles";
  const live = useMemo(() => follow({ lineIds, machineIds }), []);
  useEffect(() => () => live.close(), [live]);
  useEffect(readPlant, []);
  useEffect(reloadWhenNewer, []);

  const isOpen = useSignal(false);
  const turned = useSignal(0);
  const now = useComputed(() => shownInstant(live));
  // A clock tick alone must not sort all machines again: once a minute is often enough to notice that a break is over.
  const minute = useComputed(() => Math.floor(now.value / MINUTE_MS) * MINUTE_MS);
  const all = useComputed(() => rowsOf(live));
  // A broken row must not take the others down: its own tile says so.
  const sound = useComputed(() => all.value.filter((row) => isSound(row, minute.value)));
  const sorted = useComputed(() => {
    const whole = new Set(sound.value);
    return [...byUrgency(sound.value, minute.value), ...all.value.filter((row) => !whole.has(row))];
  });
  const rows = order === "fixed" ? all.value : sorted.value;
  const step = useComputed(() => Math.floor(now.value / STEP_MS) * STEP_MS);
  const pinned = useComputed(() => pinsOf(sound.value, step.value));
  const alarmed = useSignal<ReadonlySet<number>>(new Set());
  const header = useComputed(() => plantNow(sound.value, now.value));

  const main = useRef<HTMLElement>(null);
  const space = useSpace(main);
  const count = rows.length;
  const screen = { width: innerWidth, height: innerHeight };
  const sizes = textSizes(distance, screen);
  const { column, columns, rows: lines, perPage, text, isDense, ems } = layOut(count, space, screen, distance);
  const pins = column && fittingPins(pinned.value, column.room, (row) => pinLines(row, step.value, column.ems));
  const shown = pins ? pagesOf(besides(rows, pins.shown, order), [], perPage) : pagesOf(rows, pinned.value, perPage);
  const pages = isOther ? 1 : Math.max(1, shown.length);
  const turn = Math.floor(now.value / SECOND_MS / secondsPerPage) + turned.value;
  const page = ((turn % pages) + pages) % pages;

  // Set through the DOM, as the page's policy requires.
  const style = {
    ...{ "--figure": `${sizes.figure}px`, "--title": `${sizes.title}px`, "--caption": `${sizes.caption}px` },
    ...{ "--u": `${isOther ? sizes.text : text}px`, "--columns": columns, "--rows": lines },
    ...(column && { "--column": `${column.width}px`, "--count": `${column.count}px` }),
  };

  useKeys(turned, isOpen);

  const ids = live.machineIds.value;
  const isChoice = lineIds.length + machineIds.length > 0;
  const { isOld, hasNone } = standing(live, isChoice);
  return (
    <div class={`wall${isOld ? " wall-old" : ""}`} style={style}>
      <Boundary frame={inHeader}>
        <Header title={titleOf(sound.value, lineIds)} plant={header} isKnown={ids !== null} now={now} isFar={distance >= 8} />
      </Boundary>
      <main class="wall-main" ref={main}>
        <h2 class="unseen">{wall.machines}</h2>
        {hasNone ? (
          <NoMachine isChoice={isChoice} />
        ) : isOther ? (
          <Boundary again={rows}>
            <OtherView
              sorted={sorted.value}
              plant={header}
              text={sizes.text}
              caption={sizes.caption}
              {...{ options, rows, now, space }}
            />
          </Boundary>
        ) : (
          <>
            {column && pins && (
              <aside class="column">
                <Boundary frame={inColumn}>
                  <Pins isEmpty={ids !== null && pinned.value.length === 0}>
                    {pins.shown.map((row) => {
                      const { id } = row.machine;
                      return (
                        <Boundary key={id} again={row} frame={inTile}>
                          <Pin row={live.row(id)} now={now} isAlarmed={alarmed.value.has(id)} ems={column.ems} />
                        </Boundary>
                      );
                    })}
                  </Pins>
                  {pins.left >= column.hours && <PlantHours plant={header} lineIds={lineIds} machineIds={machineIds} />}
                  <Counts plant={header} more={pinned.value.length - pins.shown.length} />
                </Boundary>
              </aside>
            )}
            <ul class={`tiles${isDense ? " tiles-dense" : ""}`}>
              {shown[page]?.map((row) => {
                const { id } = row.machine;
                return (
                  <Boundary key={id} again={row} frame={inTile}>
                    <Tile {...{ row: live.row(id), now, minute, isDense, ems }} isAlarmed={alarmed.value.has(id)} />
                  </Boundary>
                );
              })}
            </ul>
          </>
        )}
      </main>
      <Boundary frame={inFooter}>
        <Footer
          freshness={live.freshness}
          plant={header}
          page={page}
          pages={pages}
          hasCounts={!column || isOther}
          isDense={isDense}
          ems={(WITHIN_EDGES * screen.width) / sizes.caption}
          onSettings={() => {
            isOpen.value = true;
          }}
        />
      </Boundary>
      <Readers lineIds={lineIds} machineIds={machineIds} into={alarmed} />
      {isOpen.value && (
        <Settings
          lines={linesOf(sound.value)}
          onClose={() => {
            isOpen.value = false;
          }}
        />
      )}
    </div>
  );
}

const inHeader = (sentence: ComponentChild) => (
  <header class="wall-header">
    {sentence}
    <Reload />
  </header>
);
const inFooter = (sentence: ComponentChild) => (
  <footer class="wall-footer">
    {sentence}
    <Reload />
  </footer>
);
const inColumn = (sentence: ComponentChild) => (
  <>
    {sentence}
    <Reload />
  </>
);
const inTile = (sentence: ComponentChild) => (
  <li class="tile tile-off">
    <article>{sentence}</article>
  </li>
);

/** Loads the page again while it is shown: what breaks the header or footer, such as wrong data of the plant, is read only then. */
function Reload() {
  useEffect(reloadAfterError, []);
  return null;
}

/** Whether what is shown is old, and whether there is no machine to show. */
function standing({ freshness, machineIds }: Live, isChoice: boolean) {
  const { kind } = freshness.value;
  const ids = machineIds.value;
  const isRefused = kind === "refused";
  return { isOld: kind === "lost" || (isRefused && ids !== null), hasNone: ids?.length === 0 || (isRefused && isChoice) };
}

/** The instant that the wall shows: the present, or the last contact with the service, so that old numbers never seem to continue. */
function shownInstant({ freshness }: Live): number {
  const state = freshness.value;
  return state.kind === "lost" ? state.since : second.value;
}

function rowsOf({ machineIds, row }: Live): Row[] {
  return (machineIds.value ?? []).flatMap((id) => row(id).value ?? []);
}

/** The machines on the pages beside the column. With a fixed order each stays at its place, also while it is in the column. */
function besides(rows: readonly Row[], pins: readonly Row[], order: WallOptions["order"]): readonly Row[] {
  return order === "fixed" ? rows : rows.filter((row) => !pins.includes(row));
}

function titleOf(rows: readonly Row[], lineIds: readonly number[]): string {
  const names = lineIds.length > 0 ? linesOf(rows).map(({ name }) => name) : [];
  return names.length > 0 ? names.join(", ") : (plant.value?.name ?? common.andon);
}

function linesOf(rows: readonly Row[]): { id: number; name: string }[] {
  const lines = new Map(rows.flatMap(({ line }) => (line ? [[line.id, line.name] as const] : [])));
  return [...lines].map(([id, name]) => ({ id, name })).sort((a, b) => a.name.localeCompare(b.name));
}

/** Reads the plant's name and time zone, and retries until this succeeds. Returns a function that stops it. */
function readPlant(): () => void {
  let timer: number | undefined;
  const read = (failures: number) => {
    loadPlant().catch((error) => {
      if (error instanceof NoAnswer) timer = window.setTimeout(() => read(failures + 1), waitAfter(failures + 1, Math.random()));
    });
  };
  read(0);
  return () => clearTimeout(timer);
}

/** The size of an element, in px. */
function useSpace(of: { current: HTMLElement | null }): { width: number; height: number } {
  const space = useSignal({ width: innerWidth, height: innerHeight });
  useLayoutEffect(() => {
    const element = of.current;
    if (!element) return;
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = element;
      const known = space.peek();
      if (known.width !== width || known.height !== height) space.value = { width, height };
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, []);
  return space.value;
}

/** Keys pressed outside fields and dialogs: arrows turn the page, "s" opens the settings. */
function useKeys(turned: Signal<number>, isOpen: Signal<boolean>): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const { target, key, ctrlKey, metaKey, altKey } = event;
      const isElsewhere = target instanceof Element && target.closest("input, select, textarea, dialog");
      if (isElsewhere || ctrlKey || metaKey || altKey) return;
      if (key === "ArrowRight") turned.value++;
      if (key === "ArrowLeft") turned.value--;
      if (key === "s") isOpen.value = true;
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, []);
}
