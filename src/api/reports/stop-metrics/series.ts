import { z } from "@hono/zod-openapi";
import { answerText } from "../../../core/answer-text.ts";
import type { ChartBucket } from "../../../oee/buckets.ts";
import { type StopMetric, type StopSums, stopMetrics } from "./metrics.ts";
import type { AvailableRow, StopRow } from "./queries.ts";

const point = z.object({
  x: z.int().openapi({ description: "Start of the local hour, day or week, epoch ms" }),
  y: z.number(),
});

/** A series of a chart. */
export const series = z
  .object({
    name: answerText.openapi({ description: "Name of the metric or group" }),
    key: answerText.openapi({ description: "`metric`, or `metric:group id`" }),
    label: answerText.openapi({ description: "Name with unit" }),
    axis: z.enum(["left", "right"]).openapi({ description: "left: counts, right: minutes" }),
    points: z.array(point),
  })
  .openapi("StopMetricSeries");

interface Group {
  /** Null: all stops together. */
  id: string | null;
  name: string;
  sums: StopSums[];
}

const nothing: StopSums = {
  stopCount: 0,
  unclassifiedCount: 0,
  failureCount: 0,
  stopMs: 0,
  programmedMs: 0,
  countedMs: 0,
  availableMs: 0,
};

/**
 * The groups of a chart by name, each with its sums per bucket.
 * @param isGrouped if false, there is one group, even if there are no stops
 */
export function groupsOf(bucketCount: number, isGrouped: boolean, stopRows: StopRow[], availableRows: AvailableRow[]): Group[] {
  const groups = new Map<string | null, Group>();
  const emptySums = () => Array.from({ length: bucketCount }, () => ({ ...nothing }));
  if (!isGrouped) groups.set(null, { id: null, name: "", sums: emptySums() });
  for (const { i, groupId, groupName, ...sums } of stopRows) {
    const id = isGrouped ? String(groupId ?? "none") : null;
    const group = groups.get(id) ?? { id, name: groupName ?? "Unclassified", sums: emptySums() };
    groups.set(id, group);
    group.sums[i] = { ...sums, availableMs: 0 };
  }
  for (const { i, groupId, availableMs } of availableRows) {
    // Available time has no cause, so each cause gets all of it.
    const owners = groupId === null ? groups.values() : [groups.get(String(groupId))];
    for (const owner of owners) if (owner?.sums[i]) owner.sums[i].availableMs = availableMs;
  }
  return [...groups.values()].sort((a, b) => a.name.localeCompare(b.name) || Number(a.id) - Number(b.id));
}

/** The series of a chart: by metric in the requested order, then by group. */
export function seriesOf(metrics: readonly StopMetric[], buckets: readonly ChartBucket[], groups: readonly Group[]) {
  return metrics.flatMap((metric) => groups.map((group) => oneSeries(metric, buckets, group)));
}

function oneSeries(metric: StopMetric, buckets: readonly ChartBucket[], group: Group): z.infer<typeof series> {
  const { name, unit, value } = stopMetrics[metric];
  const label = `${name} (${unit})`;
  return {
    name: group.id === null ? name : group.name,
    key: group.id === null ? metric : `${metric}:${group.id}`,
    label: group.id === null ? label : `${group.name}: ${label}`,
    axis: unit === "stops" ? "left" : "right",
    points: buckets.map(({ x }, i) => ({ x, y: value(group.sums[i] ?? nothing) })),
  };
}
