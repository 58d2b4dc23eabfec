import "./plot.css";
import { api } from "../../data/api.ts";
import { formats } from "../../data/plant.ts";
import { useRead } from "../../data/query.ts";
import { addDays, daysOf, startOfDay } from "../../domain/days.ts";
import { trendSteps } from "../../domain/desk-state.ts";
import { maxOf } from "../../domain/extremes.ts";
import { axisOf } from "../../domain/hours.ts";
import { iso } from "../../domain/time.ts";
import { desk as t } from "../../texts/desk.ts";
import { Empty } from "../../ui/body.tsx";
import type { Column } from "../../ui/table.tsx";
import { Card } from "./card.tsx";
import { useDesk } from "./desk-state.ts";
import { PlotAxis, PlotLabels } from "./hours.tsx";
import { unitsText } from "./numbers.ts";
import { machineQuery } from "./plant-data.ts";
import { refreshOf } from "./recalculating.tsx";

const series = ["oee", "availability", "effectiveness", "quality"] as const;
type Series = (typeof series)[number];

const names = t.trend.columns;

/** The length of the chart, in days or weeks. */
const LENGTH = { day: 30, week: 26 } as const;

interface Point {
  start: string;
  values: Record<Series, number>;
  hasTime: boolean;
  correct: number;
  unavailable: number;
}

/** OEE and its factors by day or week, up to the chosen day. Minutes are added up, percentages never averaged. */
export function TrendView() {
  const { state, day, setUp, hrefWith } = useDesk();
  const { step } = state;
  const zone = setUp.timezone;
  const { after } = daysOf(step, day, setUp.weekStart);
  const first = addDays(after, -LENGTH[step] * (step === "week" ? 7 : 1));
  const range = { from: iso(startOfDay(first, zone)), to: iso(startOfDay(after, zone)) };
  const query = { ...machineQuery(state), ...range, groupBy: [step] };
  const loaded = useRead(["/v1/summary", query], () => api("get", "/v1/summary", { query }), {
    everyMs: refreshOf((found) => found.isRecalculating, null),
  });
  const whole = (loaded.data?.data ?? []).map(
    (row): Point => ({
      start: row.start ?? "",
      values: {
        ...{ oee: row.oee ?? 0, availability: row.availability ?? 0 },
        ...{ effectiveness: row.effectiveness ?? 0, quality: row.quality ?? 0 },
      },
      hasTime: (row.availableTime ?? 0) + (row.unavailableTime ?? 0) > 0,
      correct: row.correct ?? 0,
      unavailable: row.unavailableTime ?? 0,
    }),
  );
  // A plant that began a week ago fills the chart, instead of its right end.
  const beginsAt = whole.findIndex(({ hasTime }) => hasTime);
  const points = whole.slice(Math.max(0, beginsAt));
  const known = points.filter(({ hasTime }) => hasTime);
  const [begin] = points;
  const { percent, number } = formats();
  const name = (start: string) => (step === "week" ? t.trend.weekOf(formats().day(start)) : formats().day(start));
  return (
    <Card
      title={t.trend.title}
      sub={begin && t.trend.range(formats().day(begin.start), formats().day(Date.parse(range.to) - 1))}
      loaded={loaded}
      isPicture
      isRecalculating={loaded.data?.isRecalculating}
      csv={{ path: "/v1/summary", query, name: `trend-${step}-${day}` }}
      tools={
        <p class="chips">
          <span>{t.trend.step}</span>
          {trendSteps.map((one) => (
            <a key={one} class="tool" href={hrefWith({ step: one })} aria-current={one === step ? "true" : undefined}>
              {t.trend.steps[one]}
            </a>
          ))}
        </p>
      }
      table={{
        columns: [
          { name: names.from, cell: ({ start }) => name(start), sortBy: ({ start }) => start },
          ...series.map(
            (one): Column<Point> => ({
              name: names[one],
              isNumber: true,
              cell: ({ values }) => percent(values[one], 2),
              sortBy: ({ values }) => values[one],
            }),
          ),
          { name: names.good, isNumber: true, cell: ({ correct }) => unitsText(correct), sortBy: ({ correct }) => correct },
          {
            name: names.unavailable,
            isNumber: true,
            cell: ({ unavailable }) => number(unavailable, 2),
            sortBy: ({ unavailable }) => unavailable,
          },
        ],
        rows: known,
        keyOf: ({ start }) => start,
        isStacked: true,
      }}
      empty={
        known.length === 0 ? (
          <Empty title={t.trend.none}>
            <p>{t.trend.noneHint}</p>
          </Empty>
        ) : undefined
      }
    >
      <Curves points={points} />
      <ul class="legend">
        {series.map((one) => (
          <li key={one}>
            <svg class="legend-mark" aria-hidden="true">
              <line class={`s-${one}`} x1="0" x2="100%" y1="50%" y2="50%" stroke-width="2.5" />
            </svg>
            {t.trend.series[one]}
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Curves({ points }: { points: readonly Point[] }) {
  // A few lines, however large: a glitch of a counter makes an OEE of millions.
  const axis = axisOf(maxOf([100, ...points.flatMap(({ values }) => Object.values(values))]));
  const top = axis[axis.length - 1] ?? 100;
  const x = (i: number) => ((i + 0.5) * 100) / points.length;
  const y = (value: number) => 100 - (100 * value) / top;
  const every = Math.ceil(points.length / 6);
  const { percent, day } = formats();
  const labels = points.map(({ start }, i) => ({ at: x(i), text: day(start) }));
  return (
    <div class="plot" role="img" aria-label={t.trend.title}>
      <PlotAxis axis={axis.map((value) => ({ at: y(value), text: percent(value) }))} />
      {/* A box in percent: the curves stretch with it, but their strokes do not. */}
      <div class="plot-stack">
        <svg class="plot-area" viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
          {axis.map((value) => (
            <line key={value} class="plot-line" x1="0" x2="100" y1={y(value)} y2={y(value)} vector-effect="non-scaling-stroke" />
          ))}
          {[...series].reverse().map((one) => (
            <path key={one} class={`plot-curve s-${one}`} d={pathOf(points, one, x, y)} vector-effect="non-scaling-stroke" />
          ))}
        </svg>
        <svg class="plot-area plot-over" aria-hidden="true">
          {points.map(
            ({ start, values, hasTime }, i) =>
              hasTime && <circle key={start} class="d-oee" cx={`${x(i)}%`} cy={`${y(values.oee)}%`} r="4" />,
          )}
        </svg>
      </div>
      <PlotLabels every={every} labels={labels} />
    </div>
  );
}

/** A line through the points with data, broken where there are none. */
function pathOf(points: readonly Point[], one: Series, x: (i: number) => number, y: (value: number) => number): string {
  return points
    .map(({ values, hasTime }, i) => {
      if (!hasTime) return "";
      const isOn = i > 0 && points[i - 1]?.hasTime;
      return `${isOn ? "L" : "M"}${x(i).toFixed(2)} ${y(values[one]).toFixed(2)}`;
    })
    .join("");
}
