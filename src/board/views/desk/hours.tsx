import "./plot.css";
import { api } from "../../data/api.ts";
import { formats } from "../../data/plant.ts";
import { useRead } from "../../data/query.ts";
import { maxOf } from "../../domain/extremes.ts";
import { axisOf, type Hour, hoursOf } from "../../domain/hours.ts";
import { MINUTE_MS } from "../../domain/time.ts";
import { desk as t } from "../../texts/desk.ts";
import { Empty } from "../../ui/body.tsx";
import type { Column } from "../../ui/table.tsx";
import { Card } from "./card.tsx";
import { useDesk } from "./desk-state.ts";
import { unitsText } from "./numbers.ts";
import { machineQuery } from "./plant-data.ts";
import { isoRange } from "./shift-table.tsx";

const names = t.hours.columns;

/** Production hour by hour, against its target. */
export function HoursView() {
  const { state, day, setUp, range, isNow } = useDesk();
  const query = { ...machineQuery(state), ...isoRange(range), interval: "hour" as const };
  const loaded = useRead(["/v1/production", query], () => api("get", "/v1/production", { query }), {
    everyMs: isNow ? MINUTE_MS : null,
  });
  const hours = hoursOf(loaded.data?.data ?? []);
  const sum = (of: (hour: Hour) => number) => hours.reduce((all, hour) => all + of(hour), 0);
  const [made, target, defects] = [sum(({ total }) => total), sum((hour) => hour.target), sum((hour) => hour.defects)];
  const { time, number, signed } = formats();
  const chosen = setUp.machines.find(({ id }) => id === state.machineId) ?? setUp.lines.find(({ id }) => id === state.lineId);
  const title = t.hours.title(chosen?.name ?? t.allMachines);
  return (
    <Card
      title={title}
      sub={hours.length > 0 ? t.hours.sub(number(made), number(target), signed(made - target)) : undefined}
      loaded={loaded}
      isPicture
      csv={{ path: "/v1/production", query, name: `hours-${day}` }}
      table={{
        columns: [
          {
            name: names.hour,
            cell: ({ start, end }) => `${time(start)} – ${time(end)}`,
            sortBy: ({ start }) => start,
            total: t.total,
          },
          numberColumn(names.target, (hour) => hour.target, unitsText, target),
          numberColumn(names.made, ({ total }) => total, unitsText, made),
          numberColumn(names.difference, ({ delta }) => delta, signed, made - target),
          { name: names.cumulative, isNumber: true, cell: ({ cumulative }) => signed(cumulative), total: "" },
          numberColumn(names.rejected, (hour) => hour.defects, unitsText, defects),
        ],
        rows: hours,
        keyOf: ({ start }) => start,
        isStacked: true,
      }}
      empty={
        hours.length === 0 ? (
          <Empty title={t.hours.none}>
            <p>{t.hours.noneHint}</p>
          </Empty>
        ) : undefined
      }
    >
      <HourBars title={title} hours={hours} />
      <ul class="legend">
        <LegendItem colour="k-made" text={t.hours.made} />
        <LegendItem colour="k-quality" text={t.hours.defects} />
        <LegendItem colour="k-target" text={t.hours.target} />
      </ul>
      {target === 0 && hours.length > 0 && <p class="quiet">{t.hours.noTarget}</p>}
    </Card>
  );
}

function numberColumn(name: string, of: (hour: Hour) => number, text: (value: number) => string, total: number): Column<Hour> {
  return { name, isNumber: true, cell: (hour) => text(of(hour)), sortBy: of, total: text(total) };
}

function HourBars({ title, hours }: { title: string; hours: readonly Hour[] }) {
  const axis = axisOf(maxOf(hours.map(({ total, target }) => Math.max(total, target))), 4);
  const top = axis[axis.length - 1] ?? 1;
  const y = (value: number) => 100 - (100 * value) / top;
  const width = 100 / hours.length;
  const { time } = formats();
  const every = Math.ceil(hours.length / 8);
  return (
    <div class="plot" role="img" aria-label={title}>
      <PlotAxis axis={axis.map((value) => ({ at: y(value), text: unitsText(value) }))} />
      <svg class="plot-area" aria-hidden="true">
        {axis.map((value) => (
          <line key={value} class="plot-line" x1="0" x2="100%" y1={`${y(value)}%`} y2={`${y(value)}%`} />
        ))}
        {hours.map((hour, i) => {
          const [x, inner] = [i * width + width * 0.14, width * 0.72];
          const good = Math.max(0, hour.total - hour.defects);
          return (
            <g key={hour.start}>
              <rect class="k-made" x={`${x}%`} width={`${inner}%`} y={`${y(good)}%`} height={`${100 - y(good)}%`} />
              <rect
                class="k-quality"
                x={`${x}%`}
                width={`${inner}%`}
                y={`${y(hour.total)}%`}
                height={`${y(good) - y(hour.total)}%`}
              />
              {hour.target > 0 && (
                <line
                  class="plot-target"
                  x1={`${i * width + width * 0.04}%`}
                  x2={`${(i + 1) * width - width * 0.04}%`}
                  y1={`${y(hour.target)}%`}
                  y2={`${y(hour.target)}%`}
                />
              )}
            </g>
          );
        })}
      </svg>
      <PlotLabels every={every} labels={hours.map(({ start }, i) => ({ at: (i + 0.5) * width, text: time(start) }))} />
    </div>
  );
}

/** The numbers of a vertical axis; `at` in percent from the top. */
export function PlotAxis({ axis }: { axis: readonly { at: number; text: string }[] }) {
  return (
    <svg class="plot-axis" aria-hidden="true">
      {axis.map(({ at, text }) => (
        <text key={at} class="plot-text" x="100%" dx="-8" y={`${at}%`} dy="0.32em" text-anchor="end">
          {text}
        </text>
      ))}
    </svg>
  );
}

export function LegendItem({ colour, text }: { colour: string; text: string }) {
  return (
    <li>
      <svg class="legend-mark" aria-hidden="true">
        {colour === "k-target" ? (
          <line class="plot-target" x1="0" x2="100%" y1="50%" y2="50%" />
        ) : (
          <rect class={colour} x="1" y="1" width="18" height="12" />
        )}
      </svg>
      {text}
    </li>
  );
}

interface PlotLabelsProps {
  /** `at` in percent from the left. */
  labels: readonly { at: number; text: string }[];
  /** Shows every n-th label; on a phone every 2n-th. */
  every: number;
}

/** The labels below a plot. */
export function PlotLabels({ labels, every }: PlotLabelsProps) {
  return (
    <svg class="plot-below" aria-hidden="true">
      {labels.map(
        ({ at, text }, i) =>
          i % every === 0 && (
            <text
              key={at}
              class={(i / every) % 2 === 1 ? "plot-text plot-wide" : "plot-text"}
              x={`${at}%`}
              y="1rem"
              text-anchor="middle"
            >
              {text}
            </text>
          ),
      )}
    </svg>
  );
}
