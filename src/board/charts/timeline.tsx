import "./kinds.css";
import type { Interval } from "../domain/days.ts";
import "./legend.css";
import "./timeline.css";
import type { ComponentProps } from "preact";
import { useRef, useState } from "preact/hooks";
import { formats } from "../data/plant.ts";
import {
  across,
  beside,
  fitted,
  type MachineDay,
  type Place,
  panned,
  placeOf,
  type Stretch,
  shiftMarks,
  ticksOf,
  zoomed,
} from "../domain/timeline.ts";
import { desk as t } from "../texts/desk.ts";
import { Icon } from "../ui/icon.tsx";
import { minutesText } from "../ui/numbers.ts";
import { causeText } from "../ui/words.ts";

interface TimelineProps {
  days: readonly MachineDay[];
  /** The whole day, and the shown part of it. */
  limits: Interval;
  window: Interval;
  zone: string;
  /** The stop that is open beside it. */
  stopId: number | null;
  /** The most times that are written below it. */
  mostTicks?: number;
  onWindow(window: Interval): void;
  onStop(stopId: number): void;
}

/** The stretch under the pointer. */
interface Hover {
  place: Place;
  x: number;
  y: number;
}

/** A movement of less than this is a click, not a drag. */
const CLICK_PX = 5;

/** Height of a stretch in its row, in percent, so that states differ by more than colour. */
const heights: Record<Stretch["kind"], number> = {
  running: 56,
  stopped: 100,
  unknown: 100,
  planned: 78,
  outside: 78,
  noData: 78,
};

/** Time lines, one row per machine. Dragging zooms; the arrow keys move from stop to stop. */
export function Timeline({ days, limits, window, zone, stopId, mostTicks = 12, onWindow, onStop }: TimelineProps) {
  const box = useRef<HTMLDivElement>(null);
  const [cursor, moveCursor] = useState<Place | null>(null);
  const [hover, setHover] = useState<Hover | null>(null);
  const [drag, setDrag] = useState<{ from: number; to: number; px: number } | null>(null);
  const ticks = ticksOf(window, zone, mostTicks);
  const marks = shiftMarks(days, window);

  /** The position of a pointer as a part of the width, 0 to 1; all tracks have the same edges. */
  function partAt(clientX: number): number {
    const track = box.current?.querySelector(".tl-track")?.getBoundingClientRect();
    if (!track) return 0;
    return Math.min(Math.max((clientX - track.left) / track.width, 0), 1);
  }
  const timeAt = (part: number) => window.start + part * (window.end - window.start);

  function placeAt(below: EventTarget | null, clientX: number): Place | null {
    const track = below instanceof Element ? below.closest<HTMLElement>(".tl-lane") : null;
    const row = Number(track?.dataset.row ?? -1);
    const stretches = days[row]?.stretches;
    if (!stretches) return null;
    // A stop of seconds is drawn slightly wider than it is, so the pointer may be slightly beside it.
    const at = timeAt(partAt(clientX));
    const slack = ((window.end - window.start) * 2) / (track?.clientWidth || 1);
    const isNear = ({ start, end, stop }: Stretch) => stop !== null && at >= start - slack && at < end + slack;
    let index = stretches.findIndex(({ start, end }) => at >= start && at < end);
    if (stretches[index]?.stop === null || index === -1) {
      const near = stretches.findIndex(isNear);
      if (near !== -1) index = near;
    }
    return index === -1 ? null : { row, index };
  }

  function press(event: PointerEvent): void {
    if (event.button !== 0) return;
    const part = partAt(event.clientX);
    setDrag({ from: part, to: part, px: event.clientX });
    box.current?.setPointerCapture(event.pointerId);
  }

  function move(event: PointerEvent): void {
    if (drag) {
      setDrag({ ...drag, to: partAt(event.clientX) });
      setHover(null);
      return;
    }
    const place = placeAt(event.target, event.clientX);
    const bounds = box.current?.getBoundingClientRect();
    setHover(place && bounds ? { place, x: event.clientX - bounds.left, y: event.clientY - bounds.top } : null);
  }

  function release(event: PointerEvent): void {
    if (!drag) return;
    setDrag(null);
    if (Math.abs(event.clientX - drag.px) >= CLICK_PX) {
      const [start, end] = [Math.min(drag.from, drag.to), Math.max(drag.from, drag.to)].map(timeAt);
      if (start !== undefined && end !== undefined) onWindow(fitted({ start, end }, limits));
      return;
    }
    // The pointer is captured, so the element below it has to be looked up.
    const place = placeAt(document.elementFromPoint(event.clientX, event.clientY), event.clientX);
    if (!place) return;
    moveCursor(place);
    open(place);
  }

  function open({ row, index }: Place): void {
    const stop = days[row]?.stretches[index]?.stop;
    if (stop) onStop(stop.id);
  }

  function pressKey(event: KeyboardEvent): void {
    const start = cursor ?? { row: 0, index: -1 };
    const walk = (next: Place) => {
      moveCursor(next);
      const stretch = days[next.row]?.stretches[next.index];
      if (!stretch || placeOf(stretch, window)) return;
      const middle = (stretch.start + stretch.end) / 2;
      const half = (window.end - window.start) / 2;
      onWindow(fitted({ start: middle - half, end: middle + half }, limits));
    };
    const focus = cursor ? days[cursor.row]?.stretches[cursor.index]?.start : undefined;
    const keys: Record<string, () => void> = {
      ArrowRight: () => walk(beside(days, start, 1)),
      ArrowLeft: () => walk(beside(days, start, -1)),
      ArrowDown: () => walk(cursor ? across(days, start, 1) : beside(days, start, 1)),
      ArrowUp: () => walk(cursor ? across(days, start, -1) : beside(days, start, 1)),
      Enter: () => cursor && open(cursor),
      " ": () => cursor && open(cursor),
      "+": () => onWindow(zoomed(window, focus ?? (window.start + window.end) / 2, 0.5, limits)),
      "-": () => onWindow(zoomed(window, focus ?? (window.start + window.end) / 2, 2, limits)),
      "0": () => onWindow(limits),
    };
    const act = keys[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act();
  }

  const selection = drag && Math.abs(drag.to - drag.from) > 0.002 ? drag : null;
  return (
    <div class="tl">
      <div
        ref={box}
        class="tl-box"
        role="application"
        aria-label={t.dayView.chart}
        aria-describedby="tl-keys"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it is walked through with the arrow keys.
        tabIndex={0}
        onKeyDown={pressKey}
        onPointerDown={press}
        onPointerMove={move}
        onPointerUp={release}
        onPointerCancel={() => setDrag(null)}
        onPointerLeave={() => setHover(null)}
      >
        <div class="tl-row tl-marks" aria-hidden="true">
          <span />
          <div class="tl-axis tl-shifts">
            {marks.map(({ at, names }, i) => {
              const x = placeX(at, window);
              const next = marks[i + 1];
              const width = (next ? placeX(next.at, window) : 100) - x;
              return (
                <span key={at} style={{ left: `${x}%`, width: `${width}%` }} title={names.join(", ")}>
                  {names.join(", ")}
                </span>
              );
            })}
          </div>
        </div>
        {days.map((day, row) => (
          <Row key={day.id} day={day} row={row} window={window} ticks={ticks} marks={marks} cursor={cursor} stopId={stopId} />
        ))}
        <div class="tl-row" aria-hidden="true">
          <span />
          <svg class="tl-axis" aria-hidden="true">
            {ticks.map((at, i) => {
              const x = placeX(at, window);
              const anchor = x < 3 ? "start" : x > 97 ? "end" : "middle";
              return (
                <text key={at} class={i % 2 === 1 ? "tl-text tl-wide" : "tl-text"} x={`${x}%`} y="75%" text-anchor={anchor}>
                  {formats().time(at)}
                </text>
              );
            })}
          </svg>
        </div>
        {selection && (
          <div class="tl-row tl-selection" aria-hidden="true">
            <span />
            <svg class="tl-whole" aria-hidden="true">
              <rect
                x={`${100 * Math.min(selection.from, selection.to)}%`}
                width={`${100 * Math.abs(selection.to - selection.from)}%`}
                height="100%"
              />
            </svg>
          </div>
        )}
        {hover && <Tip hover={hover} days={days} width={box.current?.clientWidth ?? 0} />}
      </div>
      <p id="tl-keys" class="unseen">
        {t.dayView.keys}
      </p>
      <p class="unseen" aria-live="polite">
        {cursor && stretchText(days, cursor)}
      </p>
      <Legend />
      <p class="tl-buttons">
        <ZoomButton
          name={t.dayView.zoomIn}
          icon="closer"
          onClick={() => onWindow(zoomed(window, (window.start + window.end) / 2, 0.5, limits))}
        />
        <ZoomButton
          name={t.dayView.zoomOut}
          icon="farther"
          onClick={() => onWindow(zoomed(window, (window.start + window.end) / 2, 2, limits))}
        />
        <ZoomButton name={t.dayView.left} icon="left" onClick={() => onWindow(panned(window, -0.5, limits))} />
        <ZoomButton name={t.dayView.right} icon="right" onClick={() => onWindow(panned(window, 0.5, limits))} />
        <button type="button" class="tool" onClick={() => onWindow(limits)}>
          {t.dayView.whole}
        </button>
      </p>
    </div>
  );
}

function ZoomButton({ name, icon, onClick }: { name: string; icon: ComponentProps<typeof Icon>["name"]; onClick(): void }) {
  return (
    <button type="button" class="tool" aria-label={name} title={name} onClick={onClick}>
      <Icon name={icon} />
    </button>
  );
}

interface RowProps {
  day: MachineDay;
  row: number;
  window: Interval;
  ticks: readonly number[];
  marks: readonly { at: number }[];
  cursor: Place | null;
  stopId: number | null;
}

function Row({ day, row, window, ticks, marks, cursor, stopId }: RowProps) {
  return (
    <div class="tl-row tl-lane" data-row={row} data-machine={day.id}>
      <span class="tl-name">{day.name}</span>
      <svg class="tl-track" aria-hidden="true">
        <rect class="tl-off" width="100%" y="46%" height="8%" />
        {ticks.map((at) => (
          <line key={at} class="tl-tick" x1={`${placeX(at, window)}%`} x2={`${placeX(at, window)}%`} y1="0" y2="100%" />
        ))}
        {day.stretches.map((stretch) => {
          const place = placeOf(stretch, window);
          if (!place) return null;
          const height = heights[stretch.kind];
          return (
            <rect
              key={stretch.start}
              class={`tl-stretch k-${stretch.kind}`}
              data-stop={stretch.stop?.id}
              x={`${place.x}%`}
              width={`${place.width}%`}
              y={`${(100 - height) / 2}%`}
              height={`${height}%`}
            />
          );
        })}
        {marks.map(({ at }) => (
          <line key={at} class="tl-mark" x1={`${placeX(at, window)}%`} x2={`${placeX(at, window)}%`} y1="-20%" y2="120%" />
        ))}
        {day.stretches.map((stretch, index) => {
          const isCursor = cursor?.row === row && cursor.index === index;
          const isOpen = stopId !== null && stretch.stop?.id === stopId;
          const place = isCursor || isOpen ? placeOf(stretch, window) : null;
          if (!place) return null;
          return (
            <rect
              key={stretch.start}
              class={isOpen ? "tl-frame" : "tl-frame tl-cursor"}
              x={`${place.x}%`}
              width={`${place.width}%`}
              y="-6%"
              height="112%"
            />
          );
        })}
      </svg>
    </div>
  );
}

function placeX(at: number, window: Interval): number {
  return (100 * (at - window.start)) / (window.end - window.start);
}

function Tip({ hover: { place, x, y }, days, width }: { hover: Hover; days: readonly MachineDay[]; width: number }) {
  const isRight = x > width / 2;
  return (
    <p
      class="tl-tip"
      style={{ left: isRight ? "auto" : `${x + 12}px`, right: isRight ? `${width - x + 12}px` : "auto", top: `${y + 14}px` }}
    >
      {stretchText(days, place)}
    </p>
  );
}

/** A stretch in words. */
function stretchText(days: readonly MachineDay[], { row, index }: Place): string {
  const day = days[row];
  const stretch = day?.stretches[index];
  if (!day || !stretch) return "";
  const { time } = formats();
  const { kind, start, end, stop } = stretch;
  const cause = stop && kind !== "unknown" ? `: ${causeText(stop)}` : "";
  const until = stop?.isOpen ? t.dayView.going : time(end);
  return `${day.name}, ${time(start)} – ${until}, ${minutesText(end - start)} ${t.min}. ${t.kinds[kind]}${cause}`;
}

const shown: readonly Stretch["kind"][] = ["running", "stopped", "unknown", "planned", "outside", "noData"];

function Legend() {
  return (
    <ul class="legend">
      {shown.map((kind) => (
        <li key={kind}>
          <svg class="legend-mark" aria-hidden="true">
            <rect class={`k-${kind}`} x="1" width="18" y={`${(100 - heights[kind]) / 2}%`} height={`${heights[kind]}%`} />
          </svg>
          {t.kinds[kind]}
        </li>
      ))}
    </ul>
  );
}
