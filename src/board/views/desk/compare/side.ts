import { companyQuery } from "../../../app/session.ts";
import type { RequestOf } from "../../../data/api.ts";
import type { Side } from "../../../domain/compare.ts";
import { addDays, daysOf, type Interval, type Span } from "../../../domain/days.ts";
import { desk } from "../../../texts/desk.ts";
import { dayName } from "../../../ui/words.ts";
import type { SetUp } from "../plant-data.ts";
import { isoRange } from "../shift-table.tsx";

/** The members of a summary's query that choose a side. */
export type SideQuery = Omit<RequestOf<"get", "/v1/summary">["query"], "groupBy">;

export function sideQuery({ machineId, lineId, skuId, operatorId }: Side, range: Interval): SideQuery {
  return {
    ...companyQuery(),
    ...isoRange(range),
    ...(machineId !== null ? { machineIds: [machineId] } : lineId !== null && { lineIds: [lineId] }),
    ...(skuId !== null && { skuIds: [skuId] }),
    ...(operatorId !== null && { operatorIds: [operatorId] }),
  };
}

/** The names of both sides. */
export interface SideNames {
  now: string;
  before: string;
}

/** What the two sides are called: by what they differ in, and by their time. */
export function namesOf(now: Side, before: Side, span: Span, setUp: SetUp): SideNames {
  const nameOf = (side: Side, other: Side) => {
    const { first, after } = daysOf(span, side.day, setUp.weekStart);
    const last = addDays(after, -1);
    const time = first === last ? dayName(first) : desk.trend.range(dayName(first), dayName(last));
    const isSameTime = daysOf(span, other.day, setUp.weekStart).first === first;
    const parts = [placeOf(side, other, setUp), side.skuId !== other.skuId && (side.skuId ?? desk.allMachines)];
    const own = parts.filter((part) => part !== null && part !== false);
    return [...own, ...(isSameTime && own.length > 0 ? [] : [time])].join(", ");
  };
  return { now: nameOf(now, before), before: nameOf(before, now) };
}

function placeOf({ machineId, lineId }: Side, other: Side, { machines, lines }: SetUp): string | null {
  if (machineId === other.machineId && lineId === other.lineId) return null;
  const place = machineId !== null ? machines.find(({ id }) => id === machineId) : lines.find(({ id }) => id === lineId);
  return place?.name ?? desk.allMachines;
}
