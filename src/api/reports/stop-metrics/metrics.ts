import { toMinutes } from "../../../oee/metrics.ts";

/** Sums of the stops of one bucket and group. */
export interface StopSums {
  stopCount: number;
  unclassifiedCount: number;
  stopMs: number;
  programmedMs: number;
  /** Counted stops that are not programmed. */
  failureCount: number;
  /** Scheduled lengths of the whole counted stops. */
  countedMs: number;
  /** Time in which the machines were available. */
  availableMs: number;
}

interface Metric {
  name: string;
  unit: "stops" | "min";
  value: (sums: StopSums) => number;
}

/** The metrics of a chart by name: counts, and minutes with two decimals. */
export const stopMetrics = {
  stop_count: { name: "Stop count", unit: "stops", value: (sums) => sums.stopCount },
  stop_duration: { name: "Stop duration", unit: "min", value: (sums) => toMinutes(sums.stopMs) },
  programmed_duration: { name: "Programmed stop duration", unit: "min", value: (sums) => toMinutes(sums.programmedMs) },
  non_programmed_duration: {
    name: "Non-programmed stop duration",
    unit: "min",
    value: (sums) => toMinutes(sums.stopMs - sums.programmedMs),
  },
  unclassified_count: { name: "Unclassified stop count", unit: "stops", value: (sums) => sums.unclassifiedCount },
  mttr: { name: "Mean time to repair", unit: "min", value: (sums) => mean(sums.countedMs, sums.stopCount) },
  mtbf: { name: "Mean time between failures", unit: "min", value: (sums) => mean(sums.availableMs, sums.failureCount) },
} satisfies Record<string, Metric>;

export type StopMetric = keyof typeof stopMetrics;

/** The names of all metrics. */
export const stopMetricNames = Object.keys(stopMetrics) as StopMetric[];

function mean(durationMs: number, count: number): number {
  return count === 0 ? 0 : toMinutes(durationMs / count);
}
