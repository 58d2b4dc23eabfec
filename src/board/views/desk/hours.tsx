import { LegendItem } from "../../charts/legend-item.tsx";
import { type UnitBar, UnitBars } from "../../charts/unit-bars.tsx";
import { api } from "../../data/api.ts";
import { formats } from "../../data/plant.ts";
import { useRead } from "../../data/query.ts";
import { type Hour, hoursOf } from "../../domain/hours.ts";
import { MINUTE_MS } from "../../domain/time.ts";
import { desk as t } from "../../texts/desk.ts";
import { Empty } from "../../ui/body.tsx";
import { unitsText } from "../../ui/numbers.ts";
import type { Column } from "../../ui/table.tsx";
import { Card } from "./card.tsx";
import { useDesk } from "./desk-state.ts";
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
      <UnitBars title={title} bars={hours.map(barOf)} />
      <ul class="legend">
        <LegendItem colour="k-made" text={t.hours.made} />
        <LegendItem colour="k-quality" text={t.hours.defects} />
        <LegendItem colour="plot-target" text={t.hours.target} isLine />
      </ul>
      {target === 0 && hours.length > 0 && <p class="quiet">{t.hours.noTarget}</p>}
    </Card>
  );
}

function barOf({ start, end, total, target, defects, delta }: Hour): UnitBar {
  const { time, signed } = formats();
  return {
    key: start,
    label: time(start),
    name: `${time(start)} – ${time(end)}`,
    good: Math.max(0, total - defects),
    rejected: defects,
    target,
    values: [
      { name: names.made, text: unitsText(total) },
      { name: names.target, text: unitsText(target) },
      { name: names.difference, text: signed(delta) },
      { name: names.rejected, text: unitsText(defects) },
    ],
  };
}

function numberColumn(name: string, of: (hour: Hour) => number, text: (value: number) => string, total: number): Column<Hour> {
  return { name, isNumber: true, cell: (hour) => text(of(hour)), sortBy: of, total: text(total) };
}
