import { causeKey, type GivenCauses, type Named } from "./causes.ts";

// The causes of the plant's stops, by minutes, count or money, largest first.

export const lossMetrics = ["minutes", "count", "money"] as const;
export type LossMetric = (typeof lossMetrics)[number];

/** The used members of a row of `GET /v1/summary?groupBy=cause`, or `machine,cause`. */
export interface CauseRow extends GivenCauses {
  machine: Named | null;
  unavailableTime: number | null;
  programmedDowntime: number | null;
  stopCount: number | null;
}

export interface Loss extends GivenCauses {
  /** The key of the cause: "3/12", "3/", or "/" without one. */
  key: string;
  /** Nobody has given a cause yet. */
  isUnknown: boolean;
  /** All of its time is planned. */
  isPlanned: boolean;
  minutes: number;
  count: number;
  /** Null: no machine with such stops has an hourly rate, or the rows were not by machine. */
  money: number | null;
  /** The value of the metric; 0 if there is none. */
  value: number;
  /** Percent of the total, for this one and for all up to this one. */
  share: number;
  cumulative: number;
}

export interface Pareto {
  losses: Loss[];
  /** The sum of the metric. */
  total: number;
  /** Minutes of machines without an hourly rate, which count no money. */
  unpricedMinutes: number;
}

/**
 * The losses by a metric, largest first. Stops without a cause come last, whatever their size.
 * @param rateOf the hourly rate of a machine; null: it has none
 */
export function paretoOf(
  rows: readonly CauseRow[],
  metric: LossMetric,
  rateOf: (machineId: number) => number | null = () => null,
): Pareto {
  const byCause = new Map<string, Loss & { planned: number }>();
  let unpricedMinutes = 0;
  for (const { machine, generalCause, specificCause, ...row } of rows) {
    const key = causeKey({ generalCause, specificCause });
    const known = byCause.get(key);
    const loss = known ?? { ...emptyLoss, key, generalCause, specificCause, isUnknown: !generalCause && !specificCause };
    if (!known) byCause.set(key, loss);
    const minutes = row.unavailableTime ?? 0;
    loss.minutes += minutes;
    loss.planned += row.programmedDowntime ?? 0;
    loss.count += row.stopCount ?? 0;
    const rate = machine ? rateOf(machine.id) : null;
    if (rate !== null) loss.money = (loss.money ?? 0) + (minutes / 60) * rate;
    else unpricedMinutes += minutes;
  }
  const losses = [...byCause.values()];
  for (const loss of losses) {
    // The numbers have two decimals, so rounding removes the floating-point error of their sum.
    loss.minutes = Math.round(loss.minutes * 100) / 100;
    loss.isPlanned = loss.minutes > 0 && Math.round(loss.planned * 100) / 100 >= loss.minutes;
    loss.value = loss[metric] ?? 0;
  }
  const shown = losses.filter(({ value }) => value > 0);
  shown.sort((a, b) => Number(a.isUnknown) - Number(b.isUnknown) || b.value - a.value || (a.key < b.key ? -1 : 1));
  const total = shown.reduce((sum, { value }) => sum + value, 0);
  let sum = 0;
  for (const loss of shown) {
    sum += loss.value;
    loss.share = (100 * loss.value) / total;
    loss.cumulative = (100 * sum) / total;
  }
  return { losses: shown.map(({ planned: _, ...loss }) => loss), total, unpricedMinutes };
}

/** Of values, the largest first: the percent of their sum of each, and of all up to it, and its percent of the largest. */
export function shareOf(values: readonly number[]): { share: number; cumulative: number; ofLargest: number }[] {
  const total = values.reduce((sum, value) => sum + value, 0);
  let sum = 0;
  return values.map((value) => {
    sum += value;
    return { share: (100 * value) / total, cumulative: (100 * sum) / total, ofLargest: (100 * value) / (values[0] ?? value) };
  });
}

const emptyLoss = {
  isPlanned: false,
  minutes: 0,
  count: 0,
  money: null as number | null,
  value: 0,
  share: 0,
  cumulative: 0,
  planned: 0,
};

/** Percent of the unavailable minutes that have a cause; null if there are none. */
export function coverageOf(total: { annotatedDowntime: number | null; unavailableTime: number | null }): number | null {
  const all = total.unavailableTime ?? 0;
  return all > 0 ? (100 * (total.annotatedDowntime ?? 0)) / all : null;
}
