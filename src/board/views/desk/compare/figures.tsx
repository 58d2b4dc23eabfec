import { formats } from "../../../data/plant.ts";
import type { Loaded } from "../../../data/query.ts";
import { compare as t } from "../../../texts/compare.ts";
import { unitsText } from "../../../ui/numbers.ts";
import { Card } from "../card.tsx";
import { changeClass } from "../change-class.ts";
import type { CsvSource } from "../csv.ts";
import { useRated } from "../rated.tsx";
import type { Summary } from "../summary.ts";
import type { SideNames } from "./side.ts";

type Total = Summary["total"];

interface Row {
  name: string;
  now: number | null;
  before: number | null;
  isPercent: boolean;
  /** Whose thresholds colour it. */
  rated: "oee" | "availability" | null;
}

interface FiguresProps {
  now: Total;
  before: Total;
  names: SideNames;
  loaded: Loaded<unknown>;
  csv: CsvSource;
}

/** The sums of both sides, and their difference. */
export function CompareFigures({ now, before, names, loaded, csv }: FiguresProps) {
  const { percent, signed, number } = formats();
  const { rated } = useRated();
  const row = (name: string, of: (total: Total) => number | null, isPercent = false, rated: Row["rated"] = null): Row => {
    return { name, now: of(now), before: of(before), isPercent, rated };
  };
  const rows = [
    row(t.columns.oee, ({ oee }) => oee, true, "oee"),
    row(t.columns.availability, ({ availability }) => availability, true, "availability"),
    row(t.columns.effectiveness, ({ effectiveness }) => effectiveness, true),
    row(t.columns.quality, ({ quality }) => quality, true),
    row(t.good, ({ correct }) => correct),
    row(t.target, ({ target }) => target),
    row(t.planned, ({ availableTime, unavailableTime }) => (availableTime ?? 0) + (unavailableTime ?? 0)),
    row(t.stops, ({ stopCount }) => stopCount),
    row(t.stopMinutes, ({ unavailableTime }) => unavailableTime),
  ];
  const textOf = (value: number | null, { isPercent }: Row) =>
    value === null ? "–" : isPercent ? percent(value, 1) : Number.isInteger(value) ? unitsText(value) : number(value);
  return (
    <Card
      title={t.figures}
      sub={`${names.now} · ${names.before}`}
      loaded={loaded}
      csv={csv}
      isTable
      height="small"
      table={{
        columns: [
          { name: t.columns.figure, cell: ({ name }) => name },
          {
            name: t.columns.now,
            isNumber: true,
            cell: (one) => (one.rated ? rated(one.rated, one.now, 1) : textOf(one.now, one)),
          },
          { name: t.columns.before, isNumber: true, cell: (one) => textOf(one.before, one) },
          {
            name: t.columns.change,
            isNumber: true,
            cell: ({ now: own, before: other, isPercent }) =>
              own === null || other === null ? (
                "–"
              ) : (
                <span class={isPercent ? changeClass(own - other, false) : undefined}>
                  {signed(own - other, isPercent ? 1 : 0)}
                </span>
              ),
          },
        ],
        rows,
        keyOf: ({ name }) => name,
      }}
    >
      {null}
    </Card>
  );
}
