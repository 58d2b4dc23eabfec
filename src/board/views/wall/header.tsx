import "./header.css";
import type { ReadonlySignal } from "@preact/signals";
import type { ComponentChild } from "preact";
import { formats } from "../../data/plant.ts";
import { trendOf } from "../../domain/extrapolate.ts";
import { durationText } from "../../domain/formats.ts";
import type { PlantNow } from "../../domain/plant-now.ts";
import { MINUTE_MS } from "../../domain/time.ts";
import { wall } from "../../texts/wall.ts";
import { later } from "../../ui/later.tsx";
import { colourOf, Mark } from "./marks.tsx";

/** Loaded later: shown while no shift runs. */
const NextShift = later(async () => (await import("./parts.ts")).NextShift);

interface HeaderProps {
  /** The plant, or the shown lines. */
  title: string;
  plant: ReadonlySignal<PlantNow>;
  /** Whether the machines' rows are known yet. */
  isKnown: boolean;
  now: ReadonlySignal<number>;
  /** Whether it is read from so far away that it must have few words. */
  isFar: boolean;
}

/** The present state of the whole plant: won or lost, and how many need someone. */
export function Header({ title, plant: shown, isKnown, now: at, isFar }: HeaderProps) {
  const now = at.value;
  const plant = shown.value;
  const { figures, oee, forecastShare, calls, withoutCause } = plant;
  const { percent, signed, time, day } = formats();
  const difference = figures ? Math.round(figures.total - figures.target) : 0;
  const trend = trendOf(forecastShare, difference);
  return (
    <header class="wall-header">
      <div class="wall-about">
        <h1 title={title}>{title}</h1>
        {isKnown && <ShiftNow plant={plant} now={now} />}
      </div>
      <dl class="wall-figures" aria-label={wall.figures}>
        <Figure name="oee" label={wall.oee} value={oee === null ? wall.none : percent(oee)} />
        {figures !== null && figures.target > 0 && (
          <Figure
            name={`difference ${colourOf(trend)}`}
            label={wall.toTarget}
            mark={<Mark shape={trend} />}
            value={signed(difference)}
          />
        )}
        {(calls > 0 || !isFar) && (
          <Figure name="calls" label={wall.calls(calls)} mark={calls > 0 && <Mark shape="hand" />} value={String(calls)} />
        )}
        {(withoutCause > 0 || !isFar) && (
          <Figure
            name="uncaused"
            label={wall.withoutCause}
            mark={withoutCause > 0 && <Mark shape="stopped" />}
            value={String(withoutCause)}
          />
        )}
        <Figure name="clock" label={day(now)} value={time(now)} />
      </dl>
    </header>
  );
}

function Figure({ name, label, mark, value }: { name: string; label: string; mark?: ComponentChild; value: string }) {
  return (
    <div class={`wall-figure wall-figure-${name}`}>
      <dt>{label}</dt>
      <dd>
        {mark}
        {value}
      </dd>
    </div>
  );
}

function ShiftNow({ plant, now }: { plant: PlantNow; now: number }) {
  const { shift, hasOtherShifts, figures } = plant;
  if (!shift) return <NextShift now={now} />;
  const { time } = formats();
  const lateStart = Math.floor(figures?.lateStartTime ?? 0);
  const parts = [
    shift.name,
    `${time(shift.start)}–${time(shift.end)}`,
    wall.left(durationText(shift.end - now + MINUTE_MS - 1)),
    hasOtherShifts && wall.severalShifts,
    lateStart > 0 && wall.lateStart(durationText(lateStart * MINUTE_MS)),
  ];
  const share = Math.max(0, Math.min(1, (now - shift.start) / (shift.end - shift.start)));
  const text = parts.filter(Boolean).join(" · ");
  return (
    <>
      <p class="wall-shift" title={text}>
        {text}
      </p>
      <progress class="wall-progress" max={1} value={share} aria-label={wall.shiftProgress} />
    </>
  );
}
