import "./header.css";
import { type ReadonlySignal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { locale } from "../../app/language.ts";
import { companyQuery } from "../../app/session.ts";
import { api } from "../../data/api.ts";
import { allOf } from "../../data/pages.ts";
import { formats } from "../../data/plant.ts";
import { weekdayName } from "../../domain/days.ts";
import { durationText } from "../../domain/formats.ts";
import type { MachineKind } from "../../domain/machine-kind.ts";
import type { PlantNow } from "../../domain/plant-now.ts";
import { type NamedShift, nextShift } from "../../domain/shifts.ts";
import { MINUTE_MS } from "../../domain/time.ts";
import { common } from "../../texts/common.ts";
import { wall } from "../../texts/wall.ts";
import { StateIcon } from "../../ui/state-icon.tsx";
import { Fit } from "./fit.tsx";

const kinds: readonly MachineKind[] = ["running", "slow", "stopped", "planned", "outside", "noData", "off"];

interface HeaderProps {
  /** The plant, or the shown lines. */
  title: string;
  plant: ReadonlySignal<PlantNow>;
  /** The machines that call for help, also those that are on another page. */
  calls: readonly string[];
  /** Whether the machines' rows are known yet. */
  isKnown: boolean;
  now: ReadonlySignal<number>;
  /** Whether it is read from so far away that it must have few words. */
  isFar: boolean;
  layout: string;
}

/** The present state of the whole plant. */
export function Header({ title, plant: shown, calls, isKnown, now: at, isFar, layout }: HeaderProps) {
  const now = at.value;
  const plant = shown.value;
  const { counts, figures, oee } = plant;
  const { percent, signed, time, day } = formats();
  const difference = figures ? Math.round(figures.total - figures.target) : 0;
  const hasTarget = figures !== null && figures.target > 0;
  return (
    <header class="wall-header">
      <div class="wall-about">
        <h1>
          <Fit class="wall-title" text={title} layout={layout} wraps />
        </h1>
        <div class="wall-shift">
          {calls.length > 0 ? (
            <Fit class="wall-shift-text wall-calls" text={wall.calls(calls.length, calls.join(", "))} layout={layout} wraps />
          ) : (
            isKnown && <ShiftNow plant={plant} now={now} isFar={isFar} layout={layout} />
          )}
          <ul class="wall-counts" aria-label={wall.byState}>
            {kinds
              .filter((kind) => counts[kind] > 0)
              .map((kind) => (
                <li key={kind} class={`kind-${kind}`}>
                  <StateIcon kind={kind} /> {counts[kind]} <span class="unseen">{common.kinds[kind]}</span>
                </li>
              ))}
          </ul>
        </div>
      </div>
      <dl class="wall-figures" aria-label={wall.figures}>
        <Figure name="oee" label={wall.oee} value={oee === null ? wall.none : percent(oee)} />
        <Figure name="stopped" label={wall.stoppedCount} value={String(counts.stopped)} isAlarm={counts.stopped > 0} />
        {hasTarget && (
          <Figure
            name="difference"
            label={difference === 0 ? wall.onTarget : difference < 0 ? wall.behind(difference) : wall.ahead(difference)}
            value={signed(difference)}
          />
        )}
        <Figure name="clock" label={day(now)} value={time(now)} />
      </dl>
    </header>
  );
}

function Figure({ name, label, value, isAlarm = false }: { name: string; label: string; value: string; isAlarm?: boolean }) {
  return (
    <div class={`wall-figure wall-figure-${name}${isAlarm ? " wall-figure-alarm" : ""}`}>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function ShiftNow({ plant, now, isFar, layout }: Pick<HeaderProps, "isFar" | "layout"> & { plant: PlantNow; now: number }) {
  const { shift, hasOtherShifts, figures } = plant;
  if (!shift) return <NextShift now={now} layout={layout} />;
  const { time } = formats();
  const times = `${time(shift.start)}–${time(shift.end)}`;
  const lateStart = Math.floor(figures?.lateStartTime ?? 0);
  const parts = [
    shift.name,
    !isFar && times,
    wall.left(durationText(shift.end - now + MINUTE_MS - 1)),
    !isFar && lateStart > 0 && wall.lateStart(durationText(lateStart * MINUTE_MS)),
    hasOtherShifts && wall.severalShifts,
  ];
  const share = Math.max(0, Math.min(1, (now - shift.start) / (shift.end - shift.start)));
  return (
    <>
      <Fit class="wall-shift-text" text={parts.filter(Boolean).join(" · ")} layout={layout} wraps />
      <progress class="wall-progress" max={1} value={share} aria-label={wall.shiftProgress} />
    </>
  );
}

/** Shown while no shift runs: when the next one begins. */
function NextShift({ now, layout }: { now: number; layout: string }) {
  const shifts = useSignal<readonly NamedShift[] | null>(null);
  useEffect(() => {
    allOf((cursor) => api("get", "/v1/shifts", { query: { ...companyQuery(), limit: 500, ...cursor } }))
      .then((all) => {
        shifts.value = all;
      })
      // The freshness line shows a broken connection, and the next shift can be left out.
      .catch(() => undefined);
  }, []);
  const next = shifts.value && nextShift(shifts.value, formats().timeZone, now);
  const days = [wall.today, wall.tomorrow];
  const text = next && wall.nextShift(next.name, days[next.inDays] ?? weekdayName(next.weekday, locale), next.start);
  const none = shifts.value?.length === 0 ? wall.noShiftDefined : "";
  return <Fit class="wall-shift-text" text={[wall.noShift, text ?? none].filter(Boolean).join(" ")} layout={layout} wraps />;
}
