import { SECOND_MS } from "./time.ts";

/** `reportingSeconds` is somewhat longer than the interval of the device: by this, rounded up to a step. */
const MARGIN = 1.2;
const STEP_SECONDS = 10;

/** The `reportingSeconds` to set for a device that reports at an interval. */
export function reportingSecondsFor(everyMs: number): number {
  return Math.ceil((everyMs * MARGIN) / SECOND_MS / STEP_SECONDS) * STEP_SECONDS;
}
