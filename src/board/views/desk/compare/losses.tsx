import "../../../charts/kinds.css";
import { formats } from "../../../data/plant.ts";
import type { Loaded } from "../../../data/query.ts";
import { type Brief, changesOf } from "../../../domain/brief.ts";
import type { Side } from "../../../domain/compare.ts";
import { maxOf } from "../../../domain/extremes.ts";
import { compare as t } from "../../../texts/compare.ts";
import { Empty } from "../../../ui/body.tsx";
import type { Column } from "../../../ui/table.tsx";
import { Card } from "../card.tsx";
import { changeClass } from "../change-class.ts";
import type { CsvSource } from "../csv.ts";
import { lossText, useLossLink } from "../loss-link.tsx";
import { CompareBar } from "./bar.tsx";
import { useSideLinks } from "./links.ts";

const MOST_LOSSES = 12;

/** The losses whose share changed most: minutes of the first side as bars, of the second as marks. */
export function CompareLosses({
  brief,
  side,
  loaded,
  csv,
}: {
  brief: Brief;
  side: Side;
  loaded: Loaded<unknown>;
  csv: CsvSource;
}) {
  const { number, signed } = formats();
  const { to } = useSideLinks(side);
  const lossLink = useLossLink(to);
  const rows = changesOf(brief, MOST_LOSSES);
  const longest = maxOf([1, ...rows.flatMap(({ minutes, usualMinutes }) => [minutes, usualMinutes])]);
  type Row = (typeof rows)[number];
  const columns: Column<Row>[] = [
    { name: t.columns.loss, cell: lossLink, sortBy: lossText },
    {
      name: t.columns.bar,
      cell: ({ minutes, usualMinutes }) => (
        <CompareBar value={(100 * minutes) / longest} mark={(100 * usualMinutes) / longest} colour="k-stopped" />
      ),
    },
    { name: t.columns.minutes, isNumber: true, cell: ({ minutes }) => number(minutes), sortBy: ({ minutes }) => minutes },
    {
      name: t.columns.before,
      isNumber: true,
      cell: ({ usualMinutes }) => number(usualMinutes),
      sortBy: ({ usualMinutes }) => usualMinutes,
    },
    {
      name: t.columns.change,
      isNumber: true,
      cell: ({ changed, more }) => <span class={changeClass(more, true)}>{signed(changed)}</span>,
      sortBy: ({ changed }) => changed,
    },
    { name: t.columns.points, isNumber: true, cell: ({ more }) => signed(-(more ?? 0), 1), sortBy: ({ more }) => more },
  ];
  return (
    <Card
      title={t.losses}
      sub={t.lossesSub}
      loaded={loaded}
      csv={csv}
      isTable
      table={{ columns, rows, keyOf: ({ key }) => key, isStacked: true }}
      empty={rows.length === 0 ? <Empty title={t.unchanged} /> : undefined}
    >
      {null}
    </Card>
  );
}
