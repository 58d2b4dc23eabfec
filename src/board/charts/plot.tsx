import "./plot.css";
import type { ComponentChildren } from "preact";
import { useId, useRef, useState } from "preact/hooks";
import { desk as t } from "../texts/desk.ts";

/** A point or column of a plot: what is written below it, and what the reading says of it. */
export interface PlotPoint {
  key: string | number;
  /** The label below the plot. */
  label: string;
  /** Its name in the reading. */
  name: string;
  values: readonly { name: string; text: string }[];
}

interface PlotProps {
  title: string;
  /** The vertical axis: `at` in percent from the top. */
  axis: readonly { at: number; text: string }[];
  /** From left to right, each with the same share of the width. */
  points: readonly PlotPoint[];
  /** Shows every n-th label; on a phone every 2n-th. */
  every: number;
  /** What is drawn, over the whole area. */
  children: ComponentChildren;
}

/**
 * A plot with an axis, labels, and a panel below that reads the values of one point: the one below the pointer or the finger, or that the arrow
 * keys have reached. The panel is always there, so it covers nothing and nothing moves when it is filled.
 */
export function Plot({ title, axis, points, every, children }: PlotProps) {
  const keysId = useId();
  const area = useRef<HTMLDivElement>(null);
  const [chosen, choose] = useState<number | null>(null);
  const index = chosen !== null && chosen < points.length ? chosen : null;
  const point = index === null ? undefined : points[index];
  const last = points.length - 1;

  function readAt({ clientX }: PointerEvent): void {
    const box = area.current?.getBoundingClientRect();
    if (!box || points.length === 0) return;
    const part = (clientX - box.left) / box.width;
    choose(Math.min(Math.max(Math.floor(part * points.length), 0), last));
  }

  function pressKey(event: KeyboardEvent): void {
    const keys: Record<string, () => number | null> = {
      ArrowRight: () => Math.min((index ?? -1) + 1, last),
      ArrowLeft: () => Math.max((index ?? last + 1) - 1, 0),
      Home: () => 0,
      End: () => last,
      Escape: () => null,
    };
    const next = keys[event.key];
    if (!next || event.ctrlKey || event.metaKey || event.altKey || points.length === 0) return;
    event.preventDefault();
    choose(next());
  }

  return (
    <>
      <div
        class="plot"
        role="application"
        aria-label={title}
        aria-describedby={keysId}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it is walked through with the arrow keys.
        tabIndex={0}
        onKeyDown={pressKey}
        onPointerMove={readAt}
        onPointerDown={readAt}
        onPointerLeave={({ pointerType }) => pointerType === "mouse" && choose(null)}
      >
        <svg class="plot-axis" aria-hidden="true">
          {axis.map(({ at, text }) => (
            <text key={at} class="plot-text" x="100%" dx="-8" y={`${at}%`} dy="0.32em" text-anchor="end">
              {text}
            </text>
          ))}
        </svg>
        <div ref={area} class="plot-stack">
          {index !== null && (
            <svg class="plot-area plot-over" aria-hidden="true">
              <rect class="plot-chosen" x={`${(100 * index) / points.length}%`} width={`${100 / points.length}%`} height="100%" />
            </svg>
          )}
          {children}
        </div>
        <svg class="plot-below" aria-hidden="true">
          {points.map(
            ({ key, label }, i) =>
              i % every === 0 && (
                <text
                  key={key}
                  class={(i / every) % 2 === 1 ? "plot-text plot-wide" : "plot-text"}
                  x={`${((i + 0.5) * 100) / points.length}%`}
                  y="1rem"
                  text-anchor="middle"
                >
                  {label}
                </text>
              ),
          )}
        </svg>
      </div>
      <p id={keysId} class="unseen">
        {t.reading.keys}
      </p>
      <p class="reading" aria-live="polite">
        {point ? (
          <>
            <strong>{point.name}</strong>
            {point.values.map(({ name, text }) => (
              <span key={name}>
                {name} <strong>{text}</strong>
              </span>
            ))}
          </>
        ) : (
          <span class="quiet">{t.reading.hint}</span>
        )}
      </p>
    </>
  );
}
