import "../../../charts/kinds.css";
import { formats } from "../../../data/plant.ts";
import type { Loaded } from "../../../data/query.ts";
import { type Compared, comparedBy } from "../../../domain/compare.ts";
import { compare as t } from "../../../texts/compare.ts";
import type { Column } from "../../../ui/table.tsx";
import { Card } from "../card.tsx";
import { changeClass } from "../change-class.ts";
import { RatedNote, useRated } from "../rated.tsx";
import { type Summary, useSummary } from "../summary.ts";
import { CompareBar } from "./bar.tsx";
import type { SideQuery } from "./side.ts";

type Row = Compared<Summary["data"][number]>;

interface RowsProps {
  by: "machine" | "shift";
  query: SideQuery;
  queryBefore: SideQuery;
  day: string;
}

/** OEE and its factors by machine or shift, those that lost most first. */
export function CompareRows({ by, query, queryBefore, day }: RowsProps) {
  const { percent, signed } = formats();
  const { rated } = useRated();
  const full = { ...query, groupBy: [by] };
  const [loaded, other] = [useSummary(full), useSummary({ ...queryBefore, groupBy: [by] })];
  const both: Loaded<unknown> = loaded.data === null || loaded.error !== null ? loaded : other;
  const rows = comparedBy(loaded.data?.data ?? [], other.data?.data ?? [], (row) => row[by]);
  const machineOf = (key: number) => (by === "machine" ? key : undefined);
  const text = (value: number | null) => (value === null ? "–" : percent(value, 1));
  const factor = (name: "effectiveness" | "quality"): Column<Row> => ({
    name: t.columns[name],
    isNumber: true,
    isShown: by === "machine",
    cell: ({ now }) => text(now?.[name] ?? null),
    sortBy: ({ now }) => now?.[name] ?? null,
  });
  const columns: Column<Row>[] = [
    { name: t.columns[by], cell: ({ name }) => name, sortBy: ({ name }) => name },
    {
      name: t.columns.bar,
      isShown: by === "machine",
      cell: ({ oee, oeeBefore }) => <CompareBar value={oee ?? 0} mark={oeeBefore} colour="k-made" />,
    },
    {
      name: t.columns.now,
      isNumber: true,
      cell: ({ key, oee }) => rated("oee", oee, 1, machineOf(key)),
      sortBy: ({ oee }) => oee,
    },
    { name: t.columns.before, isNumber: true, cell: ({ oeeBefore }) => text(oeeBefore), sortBy: ({ oeeBefore }) => oeeBefore },
    {
      name: t.columns.change,
      isNumber: true,
      cell: ({ change }) => (change === null ? "–" : <span class={changeClass(change, false)}>{signed(change, 1)}</span>),
      sortBy: ({ change }) => change,
    },
    {
      name: t.columns.availability,
      isNumber: true,
      isShown: by === "machine",
      cell: ({ key, now }) => rated("availability", now?.availability ?? null, 1, machineOf(key)),
      sortBy: ({ now }) => now?.availability ?? null,
    },
    factor("effectiveness"),
    factor("quality"),
  ];
  return (
    <Card
      title={by === "machine" ? t.machines : t.shifts}
      sub={<RatedNote isByMachine={by === "machine"} />}
      loaded={both}
      isRecalculating={loaded.data?.isRecalculating}
      csv={{ path: "/v1/summary", query: full, name: `compared-${by}-${day}` }}
      isTable
      height="small"
      table={{ columns, rows, keyOf: ({ key }) => key, isStacked: by === "machine" }}
    >
      {null}
    </Card>
  );
}
