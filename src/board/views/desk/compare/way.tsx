import { BarRows } from "../../../charts/bar-rows.tsx";
import { formats } from "../../../data/plant.ts";
import type { Loaded } from "../../../data/query.ts";
import type { Brief } from "../../../domain/brief.ts";
import { type Step, stepsOf } from "../../../domain/compare.ts";
import { compare as t } from "../../../texts/compare.ts";
import { desk } from "../../../texts/desk.ts";
import { partColours } from "../brief-parts.tsx";
import { Card } from "../card.tsx";
import type { CsvSource } from "../csv.ts";
import type { SideNames } from "./side.ts";

const colours: Record<Step["key"], string> = { ...partColours, before: "k-outside", now: "k-made" };

interface WayProps {
  brief: Brief;
  names: SideNames;
  loaded: Loaded<unknown>;
  csv: CsvSource;
}

/** From the second OEE to the first one, by kinds of losses. */
export function CompareWay({ brief: { parts, oee, usual }, names, loaded, csv }: WayProps) {
  const { signed, percent, number } = formats();
  const { steps, axis } = stepsOf(parts, oee, usual?.oee ?? 0);
  const nameOf = ({ key }: Step) => (key === "now" || key === "before" ? names[key] : desk.brief.parts[key]);
  const textOf = ({ key, points }: Step) => (key === "now" || key === "before" ? percent(points, 1) : signed(points, 1));
  return (
    <Card
      title={t.way}
      sub={t.wayAxis(number(axis))}
      loaded={loaded}
      csv={csv}
      height="small"
      table={{
        columns: [
          { name: t.columns.loss, cell: nameOf },
          { name: t.columns.points, isNumber: true, cell: textOf },
        ],
        rows: steps,
        keyOf: ({ key }) => key,
      }}
    >
      <BarRows
        label={t.way}
        rows={steps.map((step) => ({
          key: step.key,
          label: nameOf(step),
          value: textOf(step),
          from: step.from,
          to: step.to,
          // A loss that became smaller gives back.
          colour: step.key !== "now" && step.key !== "before" && step.points > 0 ? "k-running" : colours[step.key],
          isEmphasized: step.key === "now" || step.key === "before",
        }))}
      />
    </Card>
  );
}
