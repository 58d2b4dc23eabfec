import type { ComponentChildren } from "preact";
import { BarRows } from "../../../charts/bar-rows.tsx";
import { Plot } from "../../../charts/plot.tsx";
import { formats } from "../../../data/plant.ts";
import { outcomeOf } from "../../../domain/actions.ts";
import { maxOf } from "../../../domain/extremes.ts";
import { axisOf } from "../../../domain/hours.ts";
import { actions as t } from "../../../texts/actions.ts";
import { reasonOf } from "../../../texts/common.ts";
import { type ActionWithEffect, daysText, dayText, useActionWithEffect } from "./data.ts";

type Effect = ActionWithEffect["effect"];

/** Whether a loss became less, in words. */
function OutcomeText({ effect }: { effect: Effect }) {
  const outcome = outcomeOf(effect);
  if (outcome.is !== "less" && outcome.is !== "more") return <span class="quiet">{t.outcome[outcome.is]}</span>;
  return (
    <span class={outcome.is === "less" ? "better" : "worse"}>{t.outcome[outcome.is](formats().number(outcome.minutes))}</span>
  );
}

/** Whether the loss of an action became less, in words and as small bars, a week each. It is read when it is shown; `children`: what is known without. */
export function SmallEffect({ id, children }: { id: number; children: ComponentChildren }) {
  const loaded = useActionWithEffect(id);
  if (loaded.error !== null) return <span class="quiet">{reasonOf(loaded.error)}</span>;
  if (loaded.data === null) return <span class="quiet">{t.waiting}</span>;
  const { effect } = loaded.data;
  return (
    <>
      <OutcomeText effect={effect} />
      <br />
      <span class="quiet">{children}</span>
      <svg class="action-weeks" aria-hidden="true">
        <WeekBars effect={effect} top={maxOf([...effect.weeks.map(shareOf), 1e-9])} />
      </svg>
    </>
  );
}

/** What a week lost, in percent of its planned time. */
function shareOf({ minutes, plannedMinutes }: Effect["weeks"][number]): number {
  return plannedMinutes > 0 ? (100 * minutes) / plannedMinutes : 0;
}

/** A bar per week; those that ended before somebody acted are lighter. @param top the share at the upper edge */
function WeekBars({ effect: { weeks, since }, top }: { effect: Effect; top: number }) {
  const width = 100 / weeks.length;
  return (
    <>
      <line class="plot-line" x1="0" x2="100%" y1="100%" y2="100%" />
      {weeks.map((week, i) => {
        const height = (100 * shareOf(week)) / top;
        return (
          <rect
            key={week.start}
            class={since !== null && week.end > since.from ? "k-made" : "action-before"}
            x={`${(i + 0.14) * width}%`}
            width={`${0.72 * width}%`}
            y={`${100 - height}%`}
            height={`${height}%`}
          />
        );
      })}
    </>
  );
}

/** What became of the loss of an action: in words, before and since, and by week. */
export function EffectCharts({ action: { effect, state } }: { action: ActionWithEffect }) {
  const { percent, number } = formats();
  const { before, since, weeks } = effect;
  const sides = [
    { key: "before", label: t.before(daysText(before.from, before.to)), of: before },
    ...(since
      ? [{ key: "since", label: (state === "done" ? t.sinceDone : t.sinceCreated)(daysText(since.from, since.to)), of: since }]
      : []),
  ];
  const widest = maxOf([...sides.map(({ of }) => of.share ?? 0), 1e-9]);
  const axis = axisOf(maxOf([...weeks.map(shareOf), 1e-9]), 3);
  const top = axis[axis.length - 1] ?? 1;
  const decimals = top < 3 ? 1 : 0;
  return (
    <>
      <h3 class="action-heading">{t.effect}</h3>
      <p>
        <OutcomeText effect={effect} />
      </p>
      <BarRows
        label={t.effect}
        rows={sides.map(({ key, label, of }) => ({
          ...{ key, label, from: 0, to: (100 * (of.share ?? 0)) / widest },
          value: t.amount(of.share === null ? "–" : percent(of.share, 1), number(of.minutes)),
          colour: key === "before" ? "action-before" : "k-made",
        }))}
      />
      {weeks.length > 0 && (
        <>
          <h3 class="action-heading">{t.weeks}</h3>
          <Plot
            title={t.weeks}
            axis={axis.map((value) => ({ at: 100 - (100 * value) / top, text: percent(value, decimals) }))}
            points={weeks.map((week) => ({
              key: week.start,
              label: dayText(week.start),
              name: t.week(dayText(week.start)),
              values: [
                { name: t.reading.share, text: percent(shareOf(week), 1) },
                { name: t.reading.minutes, text: number(week.minutes) },
                { name: t.reading.planned, text: t.min(number(week.plannedMinutes)) },
              ],
            }))}
            every={Math.ceil(weeks.length / 4)}
          >
            <svg class="plot-area" aria-hidden="true">
              {axis.map((value) => (
                <line
                  key={value}
                  class="plot-line"
                  x1="0"
                  x2="100%"
                  y1={`${100 - (100 * value) / top}%`}
                  y2={`${100 - (100 * value) / top}%`}
                />
              ))}
              <WeekBars effect={effect} top={top} />
            </svg>
          </Plot>
          <p class="quiet">{t.weeksHint}</p>
        </>
      )}
    </>
  );
}
