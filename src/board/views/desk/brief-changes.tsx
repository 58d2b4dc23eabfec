import "../../charts/kinds.css";
import { formats } from "../../data/plant.ts";
import type { Loaded } from "../../data/query.ts";
import { type Brief, changesOf } from "../../domain/brief.ts";
import { maxOf } from "../../domain/extremes.ts";
import { desk as t } from "../../texts/desk.ts";
import { Empty } from "../../ui/body.tsx";
import type { Column } from "../../ui/table.tsx";
import { ActOn } from "./act-on.tsx";
import { Card } from "./card.tsx";
import { changeClass } from "./change-class.ts";
import type { CsvSource } from "./csv.ts";
import { lossText, type To, useLossLink } from "./loss-link.tsx";

const MOST_CHANGES = 6;
const names = t.brief.columns;

/** The losses that changed most against what is usual. */
export function BriefChanges({ brief, loaded, to, csv }: { brief: Brief; loaded: Loaded<unknown>; csv: CsvSource } & To) {
  const { number, signed } = formats();
  const lossLink = useLossLink(to);
  const rows = changesOf(brief, MOST_CHANGES);
  const widest = maxOf([1, ...rows.map(({ changed }) => Math.abs(changed))]);
  type Row = (typeof rows)[number];
  const columns: Column<Row>[] = [
    { name: names.loss, cell: lossLink, sortBy: lossText },
    {
      name: names.lessMore,
      cell: ({ changed }) => {
        const width = (50 * Math.abs(changed)) / widest;
        return (
          <svg class="brief-bar" aria-hidden="true">
            <rect
              class={changed > 0 ? "k-stopped" : "k-running"}
              x={`${changed > 0 ? 50 : 50 - width}%`}
              width={`${width}%`}
              y="20%"
              height="60%"
            />
            <line class="brief-middle" x1="50%" x2="50%" y1="0" y2="100%" />
          </svg>
        );
      },
    },
    { name: names.minutes, isNumber: true, cell: ({ minutes }) => number(minutes), sortBy: ({ minutes }) => minutes },
    {
      name: names.usual,
      isNumber: true,
      cell: ({ usualMinutes }) => number(usualMinutes),
      sortBy: ({ usualMinutes }) => usualMinutes,
    },
    {
      name: names.change,
      isNumber: true,
      cell: ({ changed, more }) => <span class={changeClass(more, true)}>{signed(changed)}</span>,
      sortBy: ({ changed }) => changed,
    },
    { name: "", cell: (loss) => <ActOn lossKey={loss.key} name={lossText(loss)} /> },
  ];
  return (
    <Card
      title={t.brief.changed}
      sub={brief.usual ? t.brief.changedSub(brief.usual.days) : undefined}
      loaded={loaded}
      csv={csv}
      isTable
      table={{ columns, rows, keyOf: ({ key }) => key, isStacked: true }}
      empty={
        rows.length === 0 ? (
          <Empty title={brief.usual ? t.brief.unchanged : t.brief.noUsual}>
            <p>{t.brief.noUsualHint}</p>
          </Empty>
        ) : undefined
      }
    >
      {null}
    </Card>
  );
}
