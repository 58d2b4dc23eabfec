import "./explain.css";
import { Fragment } from "preact";
import { formats } from "../../data/plant.ts";
import { decimalsOf } from "../../domain/formats.ts";
import { MINUTE_MS } from "../../domain/time.ts";
import type { WaterfallBar, WaterfallKey } from "../../domain/waterfall.ts";
import { stopName } from "../../texts/common.ts";
import { desk as t } from "../../texts/desk.ts";
import { Icon } from "../../ui/icon.tsx";
import { minutesText, unitsText } from "../../ui/numbers.ts";
import { Table } from "../../ui/table.tsx";
import { useDesk } from "./desk-state.ts";
import type { Explanation } from "./explained.ts";

type Segment = Explanation["segments"][number];
type Explained = Explanation["productionMetrics"]["oee"];

/** The bucket whose times make up a bar. */
const buckets: Partial<Record<WaterfallKey, Segment["bucket"]>> = {
  noData: "noData",
  outside: "other",
  planned: "programmed",
  stops: "nonProgrammed",
  running: "available",
};
const names = t.shiftView.segmentColumns;
const bySku: readonly WaterfallKey[] = ["slow", "fast", "quality", "good"];

/** Explains a bar of the waterfall: its formula with the inputs, and the times or SKUs behind it. */
export function Explain({ explained, bar, label }: { explained: Explanation; bar: WaterfallBar; label: string }) {
  const { hrefWith } = useDesk();
  const { number, percent, time } = formats();
  const { key } = bar;
  const formula = formulaOf(explained, key);
  const bucket = buckets[key];
  const segments = explained.segments.filter((one) => one.bucket === bucket);
  return (
    <section class="card explain" aria-label={`${t.shiftView.explain}: ${label}`}>
      <header class="card-head">
        <h2>{label}</h2>
        <p class="card-sub">
          {number(bar.minutes, 2)} {t.min}
        </p>
        <a class="tool" href={hrefWith({ bar: null })} aria-label={t.stop.close}>
          <Icon name="close" />
        </a>
      </header>
      <p>{t.shiftView.meaning[key]}</p>
      {formula && (
        <dl class="explain-formula">
          <dt>{key === "good" ? t.shiftView.oee : t.shiftView.value}</dt>
          <dd>{isShare(key) ? percent(formula.value) : `${number(formula.value, decimalsOf(formula.value))} ${t.min}`}</dd>
          <dt>{t.shiftView.formula}</dt>
          <dd>{t.shiftView.formulas[key]}</dd>
          {Object.entries(formula.inputs).map(([name, value]) => (
            <Fragment key={name}>
              {/* A newer service may have inputs that this page does not know. */}
              <dt>{(t.shiftView.inputs as Record<string, string>)[name] ?? name}</dt>
              <dd>{value === null ? "–" : inputText(name, value)}</dd>
            </Fragment>
          ))}
        </dl>
      )}
      {bucket && segments.length === 0 && <p class="quiet">{t.shiftView.noSegments}</p>}
      {bucket && segments.length > 0 && (
        <Table
          caption={t.shiftView.segments}
          data={{
            columns: [
              {
                name: names.from,
                cell: ({ startTime }) => time(startTime),
                sortBy: ({ startTime }) => startTime,
                total: t.total,
              },
              { name: names.to, cell: ({ endTime }) => time(endTime), total: "" },
              {
                name: names.minutes,
                isNumber: true,
                cell: ({ durationMs }) => minutesText(durationMs),
                sortBy: ({ durationMs }) => durationMs,
                total: minutesText(segments.reduce((sum, { durationMs }) => sum + durationMs, 0)),
              },
              {
                name: names.what,
                cell: (segment) => whatOf(segment, hrefWith),
                sortBy: ({ stop }) => stop && stopName(stop.name),
                total: "",
              },
            ],
            rows: segments,
            keyOf: ({ startTime }) => startTime,
          }}
        />
      )}
      {bySku.includes(key) &&
        explained.skus.map((sku) => (
          <section key={sku.skuId ?? ""}>
            <h3>{sku.skuId ?? t.shiftView.noSku}</h3>
            <dl class="explain-formula">
              {skuValues(sku).map(([name, value]) => (
                <Fragment key={name}>
                  <dt>{name}</dt>
                  <dd>{value}</dd>
                </Fragment>
              ))}
            </dl>
          </section>
        ))}
    </section>
  );
}

function skuValues({ cycles, standardCycleSeconds, idealMinutes, total, defects }: Explanation["skus"][number]) {
  const { number } = formats();
  const standard = standardCycleSeconds === null ? "–" : number(standardCycleSeconds, 1);
  const names = t.shiftView.skuColumns;
  return [
    [names.cycles, number(cycles)],
    [names.standard, standard],
    [names.ideal, number(idealMinutes, 1)],
    [names.units, unitsText(total)],
    [names.rejected, unitsText(defects)],
  ] as const;
}

function formulaOf({ shiftIndicators, productionMetrics }: Explanation, key: WaterfallKey): Explained | null {
  switch (key) {
    case "noData":
      return shiftIndicators.noDataTime;
    case "outside":
      return shiftIndicators.otherStopsTime;
    case "planned":
      return shiftIndicators.programmedDowntime;
    case "stops":
      return shiftIndicators.nonProgrammedDowntime;
    case "slow":
      return productionMetrics.minutesLostByLowSpeed;
    case "fast":
      return productionMetrics.effectiveness;
    case "quality":
      return productionMetrics.minutesLostByLowQuality;
    case "good":
      return productionMetrics.oee;
    case "running":
      return shiftIndicators.availableTime;
    default:
      return null;
  }
}

/** Whether the formula of a bar has percent as its result, and not minutes. */
function isShare(key: WaterfallKey): boolean {
  return key === "good" || key === "fast";
}

/** An input of a formula: a time, which the API gives in ms, or a number of units. */
function inputText(name: string, value: number): string {
  return name.endsWith("Ms") ? `${formats().number(value / MINUTE_MS, 2)} ${t.min}` : unitsText(value);
}

function whatOf({ stop }: Segment, hrefWith: ReturnType<typeof useDesk>["hrefWith"]) {
  if (!stop) return "";
  const name = stopName(stop.name);
  if (stop.id === null) return name;
  return (
    <a key="stop" href={hrefWith({ tab: "day", stopId: stop.id, window: null })}>
      {name}
    </a>
  );
}
