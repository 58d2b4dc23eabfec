import type { Row } from "../../../src/client/live-protocol.ts";

/** 10:00 UTC, two hours into the shift of `row`. */
export const now = Date.UTC(2026, 10, 20, 10);
export const isoOf = (ms: number) => new Date(ms).toISOString();

const nobody = { generalCause: null, specificCause: null, component: null };
export const stopWithoutCause = { id: 1, since: null, name: "Stop", ...nobody };
export const stopWithCause = { ...stopWithoutCause, name: "Jam", generalCause: { id: 4, name: "Jam" } };

/** A running machine, in the third hour of a shift from 8 to 16: 100 minutes available, 20 not, 600 units of 720. */
export function row(id: number, changes: Partial<Row> = {}): Row {
  return {
    machine: { id, name: `Machine ${id}`, ref: `M-${id}` },
    line: null,
    helpCall: null,
    isReachable: true,
    isDegraded: false,
    heldCounts: 0,
    isRecalculating: false,
    asOf: isoOf(now),
    status: "A",
    since: isoOf(now - 600_000),
    shift: { id: 1, name: "Morning", startTime: isoOf(now - 7_200_000), endTime: isoOf(now + 21_600_000), isActive: true },
    sku: null,
    workOrder: null,
    operators: [],
    stop: null,
    plannedUntil: null,
    isSlow: false,
    shortStops: 0,
    total: 600,
    defects: 60,
    target: 720,
    targetPerHour: 360,
    targetAtEnd: 2880,
    forecast: 2477.83,
    oee: 60,
    availability: 83.33,
    effectiveness: 80,
    quality: 90,
    availableTime: 100,
    unavailableTime: 20,
    nonProgrammedDowntime: 15,
    otherStopsTime: 0,
    noDataTime: 0,
    lateStartTime: 5,
    idealTime: 80,
    lastEventAt: isoOf(now),
    ...changes,
  };
}

const figures = [
  "total",
  "defects",
  "target",
  "targetPerHour",
  "targetAtEnd",
  "forecast",
  "oee",
  "availability",
  "effectiveness",
  "quality",
];
const minutes = ["availableTime", "unavailableTime", "nonProgrammedDowntime", "otherStopsTime", "noDataTime", "lateStartTime"];
const outside = Object.fromEntries([...figures, ...minutes, "idealTime", "isSlow", "shortStops"].map((name) => [name, null]));

/** A machine outside shifts. */
export function rowOutsideShifts(id: number, changes: Partial<Row> = {}): Row {
  return row(id, { ...outside, asOf: null, status: "U", shift: null, ...changes });
}
