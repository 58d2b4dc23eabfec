import type { Counts } from "./tally.ts";

/** The most USD that a machine may cost per month, by the name of its scenario. */
export const dollarBounds: Record<string, number> = {
  "10-s counts": 0.4,
  "10-s counts, watched": 0.8,
  "60-s counts": 0.15,
  idle: 0.01,
};

/** The largest counts of a short run, by the name of its scenario. Counts that cost money only go down: tighten a bound when they do. */
export const countBounds: Record<string, Partial<Counts>> = {
  "10-s counts": { workerRequests: 920, machineAlarms: 100, objectRowsWritten: 1200, alarmsSet: 100, d1RowsWritten: 250 },
  "10-s counts, watched": {
    ...{ workerRequests: 1070, machineAlarms: 100, hubCalls: 950 },
    ...{ objectRowsWritten: 1370, alarmsSet: 115, d1RowsWritten: 460 },
  },
  "60-s counts": { workerRequests: 160, machineAlarms: 100, objectRowsWritten: 390, alarmsSet: 100, d1RowsWritten: 250 },
  idle: { workerRequests: 2, machineAlarms: 3, objectRowsWritten: 13, alarmsSet: 3, d1RowsWritten: 28 },
};
