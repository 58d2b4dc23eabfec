import type { Counts } from "./tally.ts";

/** USD that a machine may cost in a month, by the name of its scenario. */
export const dollarBounds: Record<string, number> = {
  "10-s counts": 0.4,
  "10-s counts, watched": 0.8,
  "60-s counts": 0.15,
  idle: 0.01,
};

/** What a short run may count, by the name of its scenario. What costs money only goes down: tighten a bound when it does. */
export const countBounds: Record<string, Partial<Counts>> = {
  "10-s counts": { workerRequests: 920, machineAlarms: 240, objectRowsWritten: 1800, alarmsSet: 400, d1RowsWritten: 260 },
  "10-s counts, watched": {
    ...{ workerRequests: 1070, machineAlarms: 240, hubCalls: 950 },
    ...{ objectRowsWritten: 3100, alarmsSet: 400, d1RowsWritten: 460 },
  },
  "60-s counts": { workerRequests: 160, machineAlarms: 115, objectRowsWritten: 600, alarmsSet: 140, d1RowsWritten: 260 },
  idle: { workerRequests: 2, machineAlarms: 3, objectRowsWritten: 16, alarmsSet: 3, d1RowsWritten: 28 },
};
