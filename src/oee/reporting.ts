import { SECOND_MS } from "./time.ts";

/** `reportingSeconds` is somewhat longer than the interval of the device: by this, rounded up to a step. */
const MARGIN = 1.2;
const STEP_SECONDS = 10;

/** Above this share of its standard speed, a machine's standard or its running time is wrong. */
export const MOST_EFFECTIVENESS = 1.5;
/** Less than this proves nothing: a shift may begin with units of the time before. Minutes. */
const LEAST_DOUBTFUL = 10;

/** Whether more was made than fits into the running time, so that the numbers are not to be trusted. Minutes. */
export function isDoubtful({ availableTime, idealTime }: { availableTime: number | null; idealTime: number | null }): boolean {
  const [available, ideal] = [availableTime ?? 0, idealTime ?? 0];
  return ideal > MOST_EFFECTIVENESS * available && ideal - available > LEAST_DOUBTFUL;
}

/** The `reportingSeconds` to set for a device that reports at an interval. */
export function reportingSecondsFor(everyMs: number): number {
  return Math.ceil((everyMs * MARGIN) / SECOND_MS / STEP_SECONDS) * STEP_SECONDS;
}
