import { language } from "../../../app/language.ts";
import { companyQuery } from "../../../app/session.ts";
import { BarRows } from "../../../charts/bar-rows.tsx";
import { type CurvePoint, Curves } from "../../../charts/curves.tsx";
import { Hatchings } from "../../../charts/hatchings.tsx";
import { Timeline } from "../../../charts/timeline.tsx";
import { type ApiSchema, api } from "../../../data/api.ts";
import { formats } from "../../../data/plant.ts";
import { useRead } from "../../../data/query.ts";
import { addDays, startOfDay } from "../../../domain/days.ts";
import { maxOf } from "../../../domain/extremes.ts";
import { paretoOf } from "../../../domain/pareto.ts";
import { iso, MINUTE_MS } from "../../../domain/time.ts";
import { limitsOf, machineDays } from "../../../domain/timeline.ts";
import { type Figure, figures, specOf, type WidgetSpec } from "../../../domain/widget-spec.ts";
import { dashboards as t } from "../../../texts/dashboards.ts";
import { desk } from "../../../texts/desk.ts";
import { Empty } from "../../../ui/body.tsx";
import { minutesText, unitsText } from "../../../ui/numbers.ts";
import type { Column } from "../../../ui/table.tsx";
import { lossName } from "../../../ui/words.ts";
import { Card } from "../card.tsx";
import { useDesk } from "../desk-state.ts";
import { type Summary, useSummary } from "../summary.ts";

/** How often numbers of today are read again. */
const REFRESH_MS = MINUTE_MS;

type Row = Summary["total"];
type Of<K extends WidgetSpec["kind"]> = Extract<WidgetSpec, { kind: K }>;
interface Drawn<Spec> {
  title: string;
  spec: Spec;
}

interface WidgetProps {
  widget: Pick<ApiSchema<"Widget">, "title" | "description" | "spec" | "compressedThumbnailUrl">;
  /** What its place on the dashboard overrides. */
  override: Readonly<Record<string, unknown>>;
}

/** A widget, drawn by its spec. What only another client can draw shows its description and its picture. */
export function Widget({ widget, override }: WidgetProps) {
  const title = widget.title[language] || t.untitled;
  const spec = specOf(widget.spec, override);
  if (spec === null) {
    return (
      <section class="card" aria-label={title}>
        <h2>{title}</h2>
        <p>{widget.description[language]}</p>
        {widget.compressedThumbnailUrl !== null && (
          <img class="dashboard-picture" src={widget.compressedThumbnailUrl} alt="" loading="lazy" />
        )}
        <p class="quiet">{t.other}</p>
      </section>
    );
  }
  switch (spec.kind) {
    case "number":
      return <NumberWidget title={title} spec={spec} />;
    case "trend":
      return <TrendWidget title={title} spec={spec} />;
    case "pareto":
      return <ParetoWidget title={title} spec={spec} />;
    case "table":
      return <TableWidget title={title} spec={spec} />;
    case "timeline":
      return <TimelineWidget title={title} spec={spec} />;
  }
}

/** The machines and days of a spec, up to today, as a query. */
function useQueryOf({ machineIds, lineIds, ...spec }: WidgetSpec) {
  const { today, setUp } = useDesk();
  const days = "days" in spec ? spec.days : 1;
  const from = startOfDay(addDays(today, 1 - days), setUp.timezone);
  const to = startOfDay(addDays(today, 1), setUp.timezone);
  const where = { ...(machineIds && { machineIds }), ...(lineIds && { lineIds }) };
  return { ...companyQuery(), ...where, from: iso(from), to: iso(to) };
}

const hasTime = ({ availableTime, unavailableTime }: Row) => (availableTime ?? 0) + (unavailableTime ?? 0) > 0;

/** A figure of a summary; null: nothing was planned. */
function figureOf(row: Row, figure: Figure): number | null {
  if (!hasTime(row)) return null;
  return figure === "downtime" ? row.unavailableTime : row[figure];
}

function textOf(figure: Figure, value: number | null, decimals = 1): string {
  if (value === null) return "–";
  if (figure === "correct" || figure === "defects") return unitsText(value);
  return figure === "downtime" ? formats().number(value, decimals) : formats().percent(value, decimals);
}

const empty = (isEmpty: boolean) => (isEmpty ? <Empty title={t.noData} /> : undefined);

function NumberWidget({ title, spec }: Drawn<Of<"number">>) {
  // Of a summary in parts, the total.
  const loaded = useSummary({ ...useQueryOf(spec), groupBy: ["machine"] }, REFRESH_MS);
  const value = loaded.data && figureOf(loaded.data.total, spec.metric);
  const rows = loaded.data ? [{ text: textOf(spec.metric, value, 2) }] : [];
  return (
    <Card
      title={title}
      sub={`${t.metrics[spec.metric]}, ${t.days(spec.days)}`}
      loaded={loaded}
      isRecalculating={loaded.data?.isRecalculating}
      csv={null}
      height="small"
      table={{
        columns: [
          { name: t.metrics[spec.metric], cell: () => t.days(spec.days) },
          { name: t.columns.value, isNumber: true, cell: ({ text }) => text },
        ],
        rows,
        keyOf: () => 0,
      }}
      empty={empty(loaded.data !== null && value === null)}
    >
      <p class="dashboard-number">{textOf(spec.metric, value)}</p>
    </Card>
  );
}

function TrendWidget({ title, spec }: Drawn<Of<"trend">>) {
  const { metric } = spec;
  const loaded = useSummary({ ...useQueryOf(spec), groupBy: ["day"] }, REFRESH_MS);
  const whole = (loaded.data?.data ?? []).map((row) => ({ start: row.start ?? "", value: figureOf(row, metric) }));
  // A plant that began a week ago fills the chart, instead of its right end.
  const rows = whole.slice(
    Math.max(
      0,
      whole.findIndex(({ value }) => value !== null),
    ),
  );
  const name = ({ start }: (typeof rows)[number]) => formats().day(start);
  const points = rows.map((row): CurvePoint<"oee"> => {
    const { start, value } = row;
    const values = [{ name: t.metrics[metric], text: value === null ? t.noData : textOf(metric, value) }];
    // Whatever the figure is, it is drawn as the main curve.
    return { key: start, label: name(row), name: name(row), at: value === null ? null : { oee: value }, values };
  });
  const known = rows.filter(({ value }) => value !== null);
  const isShare = metric !== "correct" && metric !== "defects" && metric !== "downtime";
  return (
    <Card
      title={title}
      sub={`${t.metrics[metric]}, ${t.days(spec.days)}`}
      loaded={loaded}
      isPicture
      isRecalculating={loaded.data?.isRecalculating}
      csv={null}
      table={{
        columns: [
          { name: t.columns.day, cell: name, sortBy: ({ start }) => start },
          {
            ...{ name: t.metrics[metric], isNumber: true, sortBy: ({ value }) => value },
            cell: ({ value }) => textOf(metric, value, 2),
          },
        ],
        rows: known,
        keyOf: ({ start }) => start,
      }}
      empty={empty(known.length === 0)}
    >
      <Curves
        title={title}
        names={["oee"]}
        points={points}
        least={isShare ? 100 : 1}
        text={(value) => (isShare ? formats().percent(value) : formats().number(value))}
      />
    </Card>
  );
}

function ParetoWidget({ title, spec }: Drawn<Of<"pareto">>) {
  const loaded = useSummary({ ...useQueryOf(spec), groupBy: ["cause"] }, REFRESH_MS);
  const { losses } = paretoOf(loaded.data?.data ?? [], spec.metric);
  const longest = maxOf([...losses.map(({ value }) => value), 1e-9]);
  const names = desk.losses.columns;
  const { number, percent } = formats();
  return (
    <Card
      title={title}
      sub={`${desk.losses.metrics[spec.metric]}, ${t.days(spec.days)}`}
      loaded={loaded}
      isRecalculating={loaded.data?.isRecalculating}
      csv={null}
      table={{
        columns: [
          { name: names.cause, cell: lossName, sortBy: lossName },
          {
            ...{ name: names.minutes, isNumber: true },
            ...{ cell: ({ minutes }) => number(minutes, 2), sortBy: ({ minutes }) => minutes },
          },
          { name: names.count, isNumber: true, cell: ({ count }) => number(count), sortBy: ({ count }) => count },
          { name: names.share, isNumber: true, cell: ({ share }) => percent(share, 1), sortBy: ({ share }) => share },
        ],
        rows: losses,
        keyOf: ({ key }) => key,
        isStacked: true,
      }}
      empty={empty(losses.length === 0)}
    >
      <BarRows
        label={title}
        rows={losses.map((loss) => ({
          key: loss.key,
          label: lossName(loss),
          value: spec.metric === "count" ? number(loss.value) : `${number(loss.value, 1)} ${desk.min}`,
          from: 0,
          to: (100 * loss.value) / longest,
          colour: loss.isUnknown ? "k-nothing" : loss.isPlanned ? "k-planned" : "k-stopped",
        }))}
      />
    </Card>
  );
}

function TableWidget({ title, spec }: Drawn<Of<"table">>) {
  const loaded = useSummary({ ...useQueryOf(spec), groupBy: ["machine"] }, REFRESH_MS);
  const rows = loaded.data?.data ?? [];
  type TableRow = (typeof rows)[number];
  return (
    <Card
      title={title}
      sub={t.days(spec.days)}
      loaded={loaded}
      isRecalculating={loaded.data?.isRecalculating}
      csv={null}
      isTable
      table={{
        columns: [
          { name: t.columns.machine, cell: ({ machine }) => machine?.name, sortBy: ({ machine }) => machine?.name ?? null },
          ...figures.map(
            (figure): Column<TableRow> => ({
              ...{ name: t.metrics[figure], isNumber: true },
              ...{ cell: (row) => textOf(figure, figureOf(row, figure)), sortBy: (row) => figureOf(row, figure) },
            }),
          ),
        ],
        rows,
        keyOf: ({ machine }) => machine?.id ?? 0,
        isStacked: true,
      }}
      empty={empty(rows.length === 0)}
    >
      {null}
    </Card>
  );
}

function TimelineWidget({ title, spec }: Drawn<Of<"timeline">>) {
  const { setUp, hrefWith, go } = useDesk();
  const query = useQueryOf(spec);
  const loaded = useRead(["/v1/timeline", query], () => api("get", "/v1/timeline", { query }), { everyMs: REFRESH_MS });
  const days = machineDays(loaded.data?.data ?? []);
  const range = { start: Date.parse(query.from), end: Date.parse(query.to) };
  const limits = setUp.productionDay === "calendarDay" ? range : limitsOf(days, range, true);
  const rows = days.flatMap((machine) =>
    machine.stretches.filter(({ kind }) => kind !== "running").map((one) => ({ machine, ...one })),
  );
  type Stretch = (typeof rows)[number];
  const names = desk.dayView.columns;
  const { time } = formats();
  return (
    <Card
      title={title}
      sub={t.days(1)}
      loaded={loaded}
      csv={null}
      table={{
        columns: [
          { name: names.machine, cell: ({ machine }) => machine.name, sortBy: ({ machine }) => machine.name },
          { name: names.from, cell: ({ start }) => time(start), sortBy: ({ start }) => start },
          { name: names.to, cell: ({ end }) => time(end), sortBy: ({ end }) => end },
          {
            ...{ name: names.minutes, isNumber: true, sortBy: ({ start, end }) => end - start },
            cell: ({ start, end }) => minutesText(end - start),
          },
          { name: names.state, cell: ({ kind }: Stretch) => desk.kinds[kind], sortBy: ({ kind }: Stretch) => desk.kinds[kind] },
        ],
        rows,
        keyOf: ({ machine, start }: Stretch) => `${machine.id} ${start}`,
        isStacked: true,
      }}
      empty={empty(days.length === 0)}
    >
      <Hatchings />
      <Timeline
        days={days}
        limits={limits}
        window={limits}
        zone={setUp.timezone}
        stopId={null}
        mostTicks={4}
        // On the page of the day it can be zoomed.
        onWindow={(window) => go({ tab: "day", itemId: null, window })}
        onStop={(stopId) => go({ tab: "day", itemId: null, stopId })}
      />
      <p>
        <a href={hrefWith({ tab: "day", itemId: null })}>{desk.tabs.day}</a>
      </p>
    </Card>
  );
}
