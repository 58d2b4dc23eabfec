import { type CurvePoint, Curves } from "../../../charts/curves.tsx";
import { LegendItem } from "../../../charts/legend-item.tsx";
import { formats } from "../../../data/plant.ts";
import type { Loaded } from "../../../data/query.ts";
import { oeeOfRows } from "../../../domain/brief.ts";
import { compare as t } from "../../../texts/compare.ts";
import type { Column } from "../../../ui/table.tsx";
import { Card } from "../card.tsx";
import { useSummary } from "../summary.ts";
import type { SideNames, SideQuery } from "./side.ts";

interface Day {
  start: string;
  now: number | null;
  before: number | null;
}

/** The OEE of each day of both sides: the first with the first, the second with the second. */
export function CompareDays({ query, queryBefore, names }: { query: SideQuery; queryBefore: SideQuery; names: SideNames }) {
  const { percent, day } = formats();
  const full = { ...query, groupBy: ["day" as const] };
  const [loaded, other] = [useSummary(full), useSummary({ ...queryBefore, groupBy: ["day"] })];
  const both: Loaded<unknown> = loaded.data === null || loaded.error !== null ? loaded : other;
  const days = (loaded.data?.data ?? []).map((row, i): Day => {
    const before = other.data?.data[i];
    return { start: row.start ?? "", now: oeeOfRows([row]), before: before ? oeeOfRows([before]) : null };
  });
  const text = (value: number | null) => (value === null ? "–" : percent(value, 1));
  const points = days.map(
    ({ start, now, before }): CurvePoint<"oee" | "before"> => ({
      key: start,
      label: day(start),
      name: day(start),
      at: { ...(now !== null && { oee: now }), ...(before !== null && { before }) },
      values: [
        { name: names.now, text: text(now) },
        { name: names.before, text: text(before) },
      ],
    }),
  );
  const columns: Column<Day>[] = [
    { name: t.columns.figure, cell: ({ start }) => day(start), sortBy: ({ start }) => start },
    { name: t.columns.now, isNumber: true, cell: ({ now }) => text(now), sortBy: ({ now }) => now },
    { name: t.columns.before, isNumber: true, cell: ({ before }) => text(before), sortBy: ({ before }) => before },
  ];
  return (
    <Card
      title={t.days}
      loaded={both}
      isPicture
      csv={{ path: "/v1/summary", query: full, name: "compared-days" }}
      table={{ columns, rows: days, keyOf: ({ start }) => start }}
    >
      <ul class="legend">
        <LegendItem colour="s-oee" text={names.now} isLine />
        <LegendItem colour="s-before" text={names.before} isLine />
      </ul>
      <Curves title={t.days} names={["oee", "before"]} points={points} least={100} text={(value) => percent(value)} />
    </Card>
  );
}
