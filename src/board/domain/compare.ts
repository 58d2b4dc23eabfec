import { type BriefPart, type Figures, oeeOfRows } from "./brief.ts";
import type { Named } from "./causes.ts";
import { addDays, daysOf, type Interval, rangeOf, type Span, stepped, type WeekStart } from "./days.ts";
import type { DeskState } from "./desk-state.ts";
import { maxOf, minOf } from "./extremes.ts";

// Two periods, machines, lines, SKUs or operators beside each other.

/** One of the two: a span of days, and what of the plant. */
export interface Side {
  day: string;
  /** Both null: all machines. */
  machineId: number | null;
  lineId: number | null;
  /** Null: all. */
  skuId: string | null;
  operatorId: number | null;
}

/** What is compared (the shown time and machines), and with what. */
export function sidesOf(state: DeskState, day: string, weekStart: WeekStart): { now: Side; before: Side } {
  const { machineId, lineId, skuId, operatorId, against, span } = state;
  const now = { day, machineId, lineId, skuId, operatorId };
  const place = against.place === null ? { machineId, lineId } : placeOf(against.place);
  const other = { ...place, skuId: against.skuId ?? skuId, operatorId: against.operatorId ?? operatorId };
  const isOther =
    other.machineId !== machineId || other.lineId !== lineId || other.skuId !== skuId || other.operatorId !== operatorId;
  return { now, before: { ...other, day: against.day ?? (isOther ? day : stepped(span, day, -1, weekStart)) } };
}

function placeOf(text: string): Pick<Side, "machineId" | "lineId"> {
  const [kind, id] = text.split("-");
  return { machineId: kind === "machine" ? Number(id) : null, lineId: kind === "line" ? Number(id) : null };
}

/** Whether both sides have the same machines. */
export function areSamePlace(one: Side, other: Side): boolean {
  return one.machineId === other.machineId && one.lineId === other.lineId;
}

/** The time of a side. */
export function rangeOfSide({ day }: Side, span: Span, zone: string, weekStart: WeekStart): Interval {
  return rangeOf(span, day, zone, weekStart);
}

/** The days of the spans before, and four and 52 weeks before, to choose from. */
export function earlierDays(span: Span, day: string, weekStart: WeekStart): { before: string; fourWeeks: string; year: string } {
  const { first } = daysOf(span, day, weekStart);
  return { before: stepped(span, day, -1, weekStart), fourWeeks: addDays(first, -28), year: addDays(first, -364) };
}

/** A row that both sides may have, such as that of a machine. `change` is in points; null: one side has no planned time. */
export interface Compared<Row> {
  key: number;
  name: string;
  now: Row | null;
  before: Row | null;
  oee: number | null;
  oeeBefore: number | null;
  change: number | null;
}

/** The rows of both sides by what they are about, those that lost most first. */
export function comparedBy<Row extends Figures>(
  now: readonly Row[],
  before: readonly Row[],
  of: (row: Row) => Named | null,
): Compared<Row>[] {
  const keys = new Map<number, string>();
  for (const row of [...now, ...before]) {
    const about = of(row);
    if (about) keys.set(about.id, about.name ?? String(about.id));
  }
  const find = (rows: readonly Row[], key: number) => rows.find((row) => of(row)?.id === key) ?? null;
  const compared = [...keys].map(([key, name]): Compared<Row> => {
    const [own, other] = [find(now, key), find(before, key)];
    const [oee, oeeBefore] = [own && oeeOfRows([own]), other && oeeOfRows([other])];
    return {
      key,
      name,
      now: own,
      before: other,
      oee,
      oeeBefore,
      change: oee === null || oeeBefore === null ? null : oee - oeeBefore,
    };
  });
  return compared.sort((a, b) => (a.change ?? Number.POSITIVE_INFINITY) - (b.change ?? Number.POSITIVE_INFINITY));
}

/** A step of the way from one OEE to the other, in points. */
export interface Step {
  key: "before" | "now" | BriefPart["key"];
  /** The OEE of a side, or how much a loss took from it (negative) or gave. */
  points: number;
  /** The bar, in percent of the axis. */
  from: number;
  to: number;
}

/** The way from the OEE of one side to that of the other, by kinds of losses. The axis begins at `axis`, in points of OEE. */
export function stepsOf(parts: readonly BriefPart[], oee: number, oeeBefore: number): { steps: Step[]; axis: number } {
  const changes = parts.flatMap(({ key, more }) => (more === null || key === "good" ? [] : [{ key, points: 0 - more }]));
  const levels = [oeeBefore, oee];
  let level = oeeBefore;
  for (const { points } of changes) {
    level += points;
    levels.push(level);
  }
  const axis = Math.max(0, Math.floor((minOf(levels) - 5) / 10) * 10);
  const scale = maxOf([...levels, axis + 1]) - axis;
  const at = (value: number) => (100 * (value - axis)) / scale;
  level = oeeBefore;
  const steps = changes.map(({ key, points }): Step => {
    const next = level + points;
    const bar = { from: at(Math.min(level, next)), to: at(Math.max(level, next)) };
    level = next;
    return { key, points, ...bar };
  });
  return {
    axis,
    steps: [
      { key: "before", points: oeeBefore, from: 0, to: at(oeeBefore) },
      ...steps,
      { key: "now", points: oee, from: 0, to: at(oee) },
    ],
  };
}
