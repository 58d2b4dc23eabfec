import "../../charts/kinds.css";
import { formats } from "../../data/plant.ts";
import type { BriefLoss, BriefPart } from "../../domain/brief.ts";
import { hrefOf } from "../../domain/desk-state.ts";
import { desk as t } from "../../texts/desk.ts";
import type { Column } from "../../ui/table.tsx";
import { ActOn } from "./act-on.tsx";
import { changeClass } from "./change-class.ts";
import { type To, viewOf } from "./loss-link.tsx";

const names = t.brief.columns;

/** The colour of each part, as a class. */
export const partColours: Record<BriefPart["key"], string> = {
  all: "k-off",
  noData: "k-noData",
  outside: "k-outside",
  planned: "k-planned",
  stops: "k-stopped",
  speed: "k-slow",
  quality: "k-quality",
  good: "k-running",
};

/** The parts that are one loss: stops are acted on by their causes. */
const actedOnWhole: readonly BriefPart["key"][] = ["noData", "speed", "quality"];

/** The columns of "where the time went". */
export function partColumns(to: To["to"]): Column<BriefPart>[] {
  const { number, signed } = formats();
  return [
    {
      name: names.part,
      cell: ({ key }) => {
        const name = t.brief.parts[key];
        return key in viewOf ? <a href={hrefOf(to(viewOf[key as BriefLoss["kind"]]))}>{name}</a> : name;
      },
    },
    {
      name: names.bar,
      cell: ({ key, from, to: end }) => (
        <svg class="brief-bar" aria-hidden="true">
          <rect class={partColours[key]} x={`${from}%`} width={`${Math.max(end - from, 0.25)}%`} y="15%" height="70%" rx="3" />
        </svg>
      ),
    },
    { name: names.minutes, isNumber: true, cell: ({ minutes }) => number(minutes), sortBy: ({ minutes }) => minutes },
    {
      name: names.points,
      isNumber: true,
      cell: ({ points }) => (points === null ? "" : number(points, 1)),
      sortBy: ({ points }) => points,
    },
    {
      name: names.more,
      isNumber: true,
      cell: ({ key, more }) => more !== null && <span class={changeClass(more, key !== "good")}>{signed(more, 1)}</span>,
      sortBy: ({ more }) => more,
    },
    { name: "", cell: ({ key }) => actedOnWhole.includes(key) && <ActOn lossKey={key} name={t.brief.parts[key]} /> },
  ];
}
