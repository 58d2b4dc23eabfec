import "../../ui/state-badge.css";
import "./wall.css";
import { type ReadonlySignal, useComputed, useSignal } from "@preact/signals";
import type { ComponentChild } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { second } from "../../app/clock.ts";
import { reloadAfterError, reloadWhenNewer } from "../../app/newer-version.ts";
import type { Route } from "../../app/route.ts";
import { companyQuery, session } from "../../app/session.ts";
import { api } from "../../data/api.ts";
import { follow, type Live, type Row } from "../../data/live.ts";
import { allOf } from "../../data/pages.ts";
import { loadPlant, plant } from "../../data/plant.ts";
import { waitAfter } from "../../domain/backoff.ts";
import { NoAnswer } from "../../domain/no-answer.ts";
import { plantNow } from "../../domain/plant-now.ts";
import { MINUTE_MS, SECOND_MS } from "../../domain/time.ts";
import { byUrgency } from "../../domain/urgency.ts";
import { layOut, pagesOf, textSizes } from "../../domain/wall-layout.ts";
import { optionsOf, type WallOptions } from "../../domain/wall-options.ts";
import { common } from "../../texts/common.ts";
import { wall } from "../../texts/wall.ts";
import { Boundary } from "../../ui/boundary.tsx";
import { later } from "../../ui/later.tsx";
import { Footer } from "./footer.tsx";
import { Header } from "./header.tsx";
import { Tile } from "./tile.tsx";

// Loaded later: most walls never show them, or not at first.
const Pairing = later(async () => (await import("./pairing.tsx")).Pairing);
const Settings = later(async () => (await import("./settings.tsx")).Settings);
const EmptyPlant = later(async () => (await import("../../ui/empty-plant.tsx")).EmptyPlant);
const HistoryReader = later(async () => (await import("./strip.tsx")).HistoryReader);
const NoMachineChosen = later(async () => (await import("./no-machine-chosen.tsx")).NoMachineChosen);

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

const ALERTS_EVERY_MS = 10_000;
/** The share of the screen's width that is within its edges. As in wall.css. */
const WITHIN_EDGES = 0.979;

function Board({ options }: { options: WallOptions }) {
  const { lineIds, machineIds, distance, secondsPerPage } = options;
  const live = useMemo(() => follow({ lineIds, machineIds }), []);
  useEffect(() => () => live.close(), [live]);
  useEffect(readPlant, []);
  useEffect(reloadWhenNewer, []);

  const isOpen = useSignal(false);
  const turned = useSignal(0);
  const now = useComputed(() => shownInstant(live));
  // A clock tick alone must not sort all machines again: once a minute is often enough to notice that a break is over.
  const minute = useComputed(() => Math.floor(now.value / MINUTE_MS) * MINUTE_MS);
  const rows = useComputed(() => byUrgency(rowsOf(live), minute.value));
  const alarmed = useAlarmed();
  const header = useComputed(() => plantNow(rows.value, now.value));

  const main = useRef<HTMLElement>(null);
  const space = useSpace(main);
  const count = rows.value.length;
  const screen = { width: innerWidth, height: innerHeight };
  const sizes = textSizes(distance, screen);
  const { columns, rows: lines, perPage, text, isDense, ems } = layOut(count, space, screen, distance);
  const shown = pagesOf(rows.value, ({ helpCall }) => helpCall !== null, perPage);
  const pages = Math.max(1, shown.length);
  const turn = Math.floor(now.value / SECOND_MS / secondsPerPage) + turned.value;
  const page = ((turn % pages) + pages) % pages;

  // Set through the DOM, as the page's policy requires.
  const style = {
    ...{ "--figure": `${sizes.figure}px`, "--title": `${sizes.title}px`, "--caption": `${sizes.caption}px` },
    ...{ "--u": `${text}px`, "--columns": columns, "--rows": lines },
  };
  useKeys((key) => {
    if (key === "ArrowRight") turned.value++;
    if (key === "ArrowLeft") turned.value--;
    if (key === "s") isOpen.value = true;
  });

  const { kind } = live.freshness.value;
  const ids = live.machineIds.value;
  const isOld = kind === "lost" || (kind === "refused" && ids !== null);
  const isChoice = lineIds.length + machineIds.length > 0;
  return (
    <div class={`wall${isOld ? " wall-old" : ""}`} style={style}>
      <Boundary frame={inHeader}>
        <Header title={titleOf(rows.value, lineIds)} plant={header} isKnown={ids !== null} now={now} isFar={distance >= 8} />
      </Boundary>
      <main class="wall-main" ref={main}>
        <h2 class="unseen">{wall.machines}</h2>
        {ids?.length === 0 || (kind === "refused" && isChoice) ? (
          <div class="wall-empty">{isChoice ? <NoMachineChosen /> : <EmptyPlant />}</div>
        ) : (
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
        )}
      </main>
      <Boundary frame={inFooter}>
        <Footer
          freshness={live.freshness}
          plant={header}
          page={page}
          pages={pages}
          ems={(WITHIN_EDGES * screen.width) / sizes.caption}
          onSettings={() => {
            isOpen.value = true;
          }}
        />
      </Boundary>
      <HistoryReader lineIds={lineIds} machineIds={machineIds} />
      {isOpen.value && (
        <Settings
          lines={linesOf(rows.value)}
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

/** The instant that the wall shows: the present, or the last contact with the service, so that old numbers never seem to continue. */
function shownInstant({ freshness }: Live): number {
  const state = freshness.value;
  return state.kind === "lost" ? state.since : second.value;
}

function rowsOf({ machineIds, row }: Live): Row[] {
  return (machineIds.value ?? []).flatMap((id) => row(id).value ?? []);
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

/** The machines with an open incident that nobody has acknowledged, polled regularly. */
function useAlarmed(): ReadonlySignal<ReadonlySet<number>> {
  const ids = useSignal("");
  useEffect(() => {
    let isReading = false;
    const read = () => {
      if (isReading) return;
      isReading = true;
      allOf((cursor) => api("get", "/v1/incidents", { query: { ...companyQuery(), isOpen: true, limit: 500, ...cursor } }))
        .then((data) => {
          ids.value = data.flatMap(({ acknowledgedAt, machineIds }) => (acknowledgedAt === null ? machineIds : [])).join();
        })
        // The line at the bottom shows a broken connection.
        .catch(() => undefined)
        .finally(() => {
          isReading = false;
        });
    };
    read();
    const timer = setInterval(read, ALERTS_EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  return useComputed(() => new Set(ids.value.split(",").map(Number)));
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

/** Calls back for keys pressed outside fields and dialogs. */
function useKeys(act: (key: string) => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const { target, key, ctrlKey, metaKey, altKey } = event;
      const isElsewhere = target instanceof Element && target.closest("input, select, textarea, dialog");
      if (!isElsewhere && !ctrlKey && !metaKey && !altKey) act(key);
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, []);
}
