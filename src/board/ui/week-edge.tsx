import "./week-edge.css";
import { useRef } from "preact/hooks";
import { DAY_MINUTES, minutesOf } from "../domain/week.ts";
import { EDGE_STEP, type Edge, edgeMoved } from "../domain/working-hours.ts";
import type { DrawnShift } from "./week.tsx";

/** The steps of the keys that move an edge, in minutes. Later is below. */
const keySteps: Readonly<Record<string, number>> = {
  ArrowUp: -EDGE_STEP,
  ArrowLeft: -EDGE_STEP,
  ArrowDown: EDGE_STEP,
  ArrowRight: EDGE_STEP,
  PageUp: -60,
  PageDown: 60,
};

interface WeekEdgeProps {
  edge: Edge;
  /** Its accessible name. */
  label: string;
  shift: Pick<DrawnShift, Edge>;
  /** Whether it is the one for the keyboard: the same edge is in each column. */
  isNamed: boolean;
  onMove(times: Partial<Pick<DrawnShift, Edge>>): void;
}

/** An edge of a shift: dragged, or moved with the arrow keys. */
export function WeekEdge({ edge, label, shift, isNamed, onMove }: WeekEdgeProps) {
  const move = useRef(onMove);
  move.current = onMove;
  const moveBy = (from: Pick<DrawnShift, Edge>, by: number) => move.current({ [edge]: edgeMoved(from, edge, by)[edge] });
  const drag = (event: PointerEvent & { currentTarget: HTMLElement }) => {
    const height = event.currentTarget.closest(".week-column")?.clientHeight ?? 0;
    if (event.button !== 0 || height === 0) return;
    event.preventDefault();
    event.currentTarget.focus({ preventScroll: true });
    const { start, end } = shift;
    const follow = ({ clientY }: PointerEvent) => moveBy({ start, end }, ((clientY - event.clientY) / height) * DAY_MINUTES);
    const stop = new AbortController();
    const leave = () => stop.abort();
    // The handle goes into another column when its time passes the edge of the week's columns.
    window.addEventListener("pointermove", follow, { signal: stop.signal });
    window.addEventListener("pointerup", leave, { signal: stop.signal });
    window.addEventListener("pointercancel", leave, { signal: stop.signal });
  };
  return (
    <div
      class={`week-edge is-${edge}`}
      role="slider"
      tabIndex={isNamed ? 0 : -1}
      aria-hidden={!isNamed}
      aria-label={label}
      aria-orientation="vertical"
      aria-valuemin={0}
      aria-valuemax={DAY_MINUTES}
      aria-valuenow={minutesOf(shift[edge]) ?? 0}
      aria-valuetext={shift[edge]}
      onPointerDown={drag}
      onKeyDown={(event) => {
        const by = keySteps[event.key];
        if (by === undefined) return;
        event.preventDefault();
        moveBy(shift, by);
        const week = event.currentTarget.closest(".week");
        const again = () => week?.querySelector<HTMLElement>(`.week-edge.is-${edge}[tabindex="0"]`)?.focus();
        requestAnimationFrame(again);
      }}
    />
  );
}
