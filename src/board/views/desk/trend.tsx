import { type CurvePoint, Curves } from "../../charts/curves.tsx";
import { LegendItem } from "../../charts/legend-item.tsx";
import { formats } from "../../data/plant.ts";
import { addDays, daysOf, startOfDay } from "../../domain/days.ts";
import { trendSteps } from "../../domain/desk-state.ts";
import { iso } from "../../domain/time.ts";
import { desk as t } from "../../texts/desk.ts";
import { Empty } from "../../ui/body.tsx";
import { unitsText } from "../../ui/numbers.ts";
import type { Column } from "../../ui/table.tsx";
import { Card } from "./card.tsx";
import { useDesk } from "./desk-state.ts";
import { machineQuery } from "./plant-data.ts";
import { useRated } from "./rated.tsx";
import { useSummary } from "./summary.ts";

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
  const loaded = useSummary(query);
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
  const { rated } = useRated();
  const name = (start: string) => (step === "week" ? t.trend.weekOf(formats().day(start)) : formats().day(start));
  const curvePoint = ({ start, values, hasTime, correct }: Point): CurvePoint<Series> => ({
    key: start,
    label: formats().day(start),
    name: name(start),
    at: hasTime ? values : null,
    values: hasTime
      ? [
          ...series.map((one) => ({ name: names[one], text: percent(values[one], 1) })),
          { name: names.good, text: unitsText(correct) },
        ]
      : [{ name: t.trend.noShift, text: "" }],
  });
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
              cell: ({ values }) =>
                one === "oee" || one === "availability" ? rated(one, values[one], 2) : percent(values[one], 2),
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
      <Curves title={t.trend.title} names={series} points={points.map(curvePoint)} least={100} text={percent} />
      <ul class="legend">
        {series.map((one) => (
          <LegendItem key={one} colour={`s-${one}`} text={t.trend.series[one]} isLine />
        ))}
      </ul>
    </Card>
  );
}
