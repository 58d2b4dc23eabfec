import { causeKey, type GivenCauses, type Named } from "./causes.ts";
import { oeeOf } from "./extrapolate.ts";
import { maxOf } from "./extremes.ts";

// The brief: where a day's time went, in points of OEE, and against what is usual for its weekday.

/** The used members of a summary's figures: minutes, units and percent. */
export interface Figures {
  availableTime: number | null;
  unavailableTime: number | null;
  programmedDowntime: number | null;
  otherStopsTime: number | null;
  noDataTime: number | null;
  idealTime: number | null;
  total: number | null;
  correct: number | null;
  oee: number | null;
}

/** The used members of a row of `GET /v1/summary?groupBy=cause`, or `machine,cause`. */
interface BriefRow extends GivenCauses {
  machine: Named | null;
  unavailableTime: number | null;
  programmedDowntime: number | null;
  stopCount: number | null;
}

/** A summary by causes, with or without machines. */
export interface CauseSummary {
  total: Figures;
  data: readonly BriefRow[];
}

/** What a loss is: planned or other stops of a cause, speed below (or above) the standard, or rejected units. */
const briefKinds = ["planned", "stops", "speed", "quality"] as const;
type BriefKind = (typeof briefKinds)[number];

export interface BriefLoss {
  /** "speed", "quality", or the key of a cause: "3/12", "3/", "/" for stops without one. */
  key: string;
  kind: BriefKind;
  /** Null for speed and quality. */
  cause: GivenCauses | null;
  /** The machine that has at least half of its minutes; null: none has, or it is unknown. */
  mostly: Named | null;
  stopCount: number;
  minutes: number;
  /** Its share of the planned time in percent, which is how many points of OEE it costs. Negative: a gain, by speed above the standard. */
  points: number;
  /** How many more points than usual; null: there is nothing to compare with. */
  more: number | null;
}

/** A row of "where the time went": what was lost in one way, or what is left. Minutes and points of losses are negative. */
export interface BriefPart {
  key: "all" | "noData" | "outside" | BriefKind | "good";
  minutes: number;
  /** Null for what is not part of the planned time. */
  points: number | null;
  /** How many more points than usual; null: there is nothing to compare with, or it has no points. */
  more: number | null;
  /** The bar, in percent of all minutes. */
  from: number;
  to: number;
}

export interface Brief {
  /** The planned minutes of all machines: available and unavailable. */
  plannedMinutes: number;
  oee: number;
  /** The OEE of the same weekdays before, weighted by their planned time, and how many of them had any; null: none had. */
  usual: { oee: number; days: number } | null;
  /** Largest first. */
  losses: BriefLoss[];
  parts: BriefPart[];
}

/** What is added up of a loss; `machines`: its minutes by machine. */
interface Amount {
  kind: BriefKind;
  cause: GivenCauses | null;
  minutes: number;
  stopCount: number;
  machines: Map<number, { machine: Named; minutes: number }>;
}

/** Minutes of one or more days: planned, good, and lost by kind and by the key of a loss. */
interface Amounts {
  planned: number;
  good: number;
  kinds: Record<BriefKind, number>;
  losses: Map<string, Amount>;
}

/**
 * The brief of a day.
 *
 * The points of a loss are its minutes x 100 / planned minutes. All planned time is lost to stops, to speed (available time - ideal time) or to
 * quality, or it is good: good time is OEE x planned time, and quality has what lies between that and the ideal time. So the points of all losses
 * and the OEE add up to 100. The usual points of a loss are computed in the same way from the days before, so that a day that is not over can be
 * compared with them.
 *
 * @param now the day, by machines and causes
 * @param before the same weekdays before it, by causes
 * @returns null if no time was planned
 */
export function briefOf(now: CauseSummary, before: readonly CauseSummary[]): Brief | null {
  const amounts = amountsOf([now]);
  if (amounts.planned <= 0) return null;
  const days = before.filter(({ total }) => plannedOf(total) > 0);
  const usual = days.length === 0 ? null : amountsOf(days);
  const pointsIn = ({ planned }: Amounts, minutes: number) => (100 * minutes) / planned;
  const keys = new Set([...amounts.losses.keys(), ...(usual?.losses.keys() ?? [])]);
  const losses = [...keys].map((key): BriefLoss => {
    const found = amounts.losses.get(key);
    const known = found ?? usual?.losses.get(key);
    const minutes = found?.minutes ?? 0;
    const points = pointsIn(amounts, minutes);
    return {
      key,
      kind: known?.kind ?? "stops",
      cause: known?.cause ?? null,
      mostly: found ? mostlyOf(found) : null,
      stopCount: found?.stopCount ?? 0,
      minutes,
      points,
      more: usual && points - pointsIn(usual, usual.losses.get(key)?.minutes ?? 0),
    };
  });
  losses.sort((a, b) => b.minutes - a.minutes || (a.key < b.key ? -1 : 1));
  const oee = pointsIn(amounts, amounts.good);
  return {
    plannedMinutes: amounts.planned,
    oee,
    usual: usual && { oee: pointsIn(usual, usual.good), days: days.length },
    losses,
    parts: partsOf(now.total, amounts, usual),
  };
}

/** What the sentence of a brief says. Points have one decimal, as they are shown. */
export interface Reasons {
  /** The OEE minus the usual one; null: there is nothing to compare with. */
  difference: number | null;
  /** How the OEE is compared with the usual one. "level": as usual, or there is nothing to compare with. */
  trend: "above" | "below" | "level";
  /** At most three losses: below the usual OEE those that grew most, above it those that shrank most, otherwise the largest. Each with those points. */
  reasons: { loss: BriefLoss; points: number }[];
  /** The sum of these points. */
  sum: number;
}

/** The reasons for the OEE of a brief. */
export function reasonsOf({ oee, usual, losses }: Brief): Reasons {
  const difference = usual && oee - usual.oee;
  const shown = tenths(difference ?? 0);
  const trend = shown > 0 ? "above" : shown < 0 ? "below" : "level";
  const pointsIn = {
    above: ({ more }: BriefLoss) => -(more ?? 0),
    below: ({ more }: BriefLoss) => more ?? 0,
    level: ({ points }: BriefLoss) => points,
  };
  const pointsOf = (loss: BriefLoss) => tenths(pointsIn[trend](loss));
  const reasons = losses.map((loss) => ({ loss, points: pointsOf(loss) })).filter(({ points }) => points > 0);
  reasons.sort((a, b) => b.points - a.points);
  const first = reasons.slice(0, 3);
  return { difference, trend, reasons: first, sum: tenths(first.reduce((sum, { points }) => sum + points, 0)) };
}

/** The losses whose share changed most against the usual one, the greatest change first. */
export function changesOf(
  { losses, plannedMinutes }: Brief,
  most: number,
): (BriefLoss & { usualMinutes: number; changed: number })[] {
  const changes = losses.flatMap((loss) => {
    if (loss.more === null) return [];
    const changed = (loss.more * plannedMinutes) / 100;
    return Math.abs(changed) < 1 ? [] : [{ ...loss, changed, usualMinutes: loss.minutes - changed }];
  });
  changes.sort((a, b) => Math.abs(b.changed) - Math.abs(a.changed));
  return changes.slice(0, most);
}

/** The OEE of rows together, in percent: of the sums of their minutes and units; null if no time was planned. */
export function oeeOfRows(rows: readonly Figures[]): number | null {
  const sum = (of: (row: Figures) => number | null) => rows.reduce((all, row) => all + (of(row) ?? 0), 0);
  const total = sum((row) => row.total);
  return oeeOf({
    availableTime: sum((row) => row.availableTime),
    unavailableTime: sum((row) => row.unavailableTime),
    idealTime: sum((row) => row.idealTime),
    total,
    defects: total - sum((row) => row.correct),
  });
}

function plannedOf({ availableTime, unavailableTime }: Figures): number {
  return (availableTime ?? 0) + (unavailableTime ?? 0);
}

function amountsOf(summaries: readonly CauseSummary[]): Amounts {
  const kinds = { planned: 0, stops: 0, speed: 0, quality: 0 };
  const amounts: Amounts = { planned: 0, good: 0, kinds, losses: new Map() };
  for (const { total, data } of summaries) {
    const planned = plannedOf(total);
    const [ideal, good] = [total.idealTime ?? 0, ((total.oee ?? 0) * planned) / 100];
    const speed = (total.availableTime ?? 0) - ideal;
    amounts.planned += planned;
    amounts.good += good;
    kinds.planned += total.programmedDowntime ?? 0;
    kinds.stops += (total.unavailableTime ?? 0) - (total.programmedDowntime ?? 0);
    kinds.speed += speed;
    kinds.quality += ideal - good;
    amountOf(amounts, "speed", "speed", null).minutes += speed;
    amountOf(amounts, "quality", "quality", null).minutes += ideal - good;
    for (const row of data) addRow(amounts, row);
  }
  return amounts;
}

function addRow(amounts: Amounts, { machine, generalCause, specificCause, ...row }: BriefRow): void {
  const minutes = row.unavailableTime ?? 0;
  if (minutes <= 0) return;
  const cause = { generalCause, specificCause };
  const isPlanned = (row.programmedDowntime ?? 0) >= minutes / 2;
  const loss = amountOf(amounts, causeKey(cause), isPlanned ? "planned" : "stops", cause);
  loss.minutes += minutes;
  loss.stopCount += row.stopCount ?? 0;
  if (machine) {
    const known = loss.machines.get(machine.id);
    loss.machines.set(machine.id, { machine, minutes: minutes + (known?.minutes ?? 0) });
  }
}

function amountOf({ losses }: Amounts, key: string, kind: BriefKind, cause: GivenCauses | null): Amount {
  const known = losses.get(key);
  if (known) return known;
  const loss: Amount = { kind, cause, minutes: 0, stopCount: 0, machines: new Map() };
  losses.set(key, loss);
  return loss;
}

/** The machine with at least half of the minutes. */
function mostlyOf({ machines, minutes }: Amount): Named | null {
  return [...machines.values()].find((own) => own.minutes >= minutes / 2)?.machine ?? null;
}

function partsOf(total: Figures, { planned, good, kinds }: Amounts, usual: Amounts | null): BriefPart[] {
  const [outside, noData] = [total.otherStopsTime ?? 0, total.noDataTime ?? 0];
  const all = planned + outside + noData;
  // Faster than the standard, what is made goes beyond the planned time.
  const scale = maxOf([all, good]) / 100;
  const points = (minutes: number) => (100 * minutes) / planned;
  const moreThan = (minutes: number, before: number | undefined) =>
    usual && before !== undefined ? points(minutes) - (100 * before) / usual.planned : null;
  let level = all;
  const lost = (key: BriefPart["key"], minutes: number, before?: number): BriefPart => {
    const next = level - minutes;
    const [from, to] = [Math.min(level, next) / scale, Math.max(level, next) / scale];
    level = next;
    const isPlanned = key !== "noData" && key !== "outside";
    return { key, minutes: -minutes, points: isPlanned ? -points(minutes) : null, more: moreThan(minutes, before), from, to };
  };
  return [
    { key: "all", minutes: all, points: null, more: null, from: 0, to: all / scale },
    lost("noData", noData),
    lost("outside", outside),
    ...briefKinds.map((kind) => lost(kind, kinds[kind], usual?.kinds[kind])),
    { key: "good", minutes: good, points: points(good), more: moreThan(good, usual?.good), from: 0, to: good / scale },
  ];
}

function tenths(points: number): number {
  return Math.round(10 * points) / 10;
}
