import { afterEach, beforeEach, onTestFinished, vi } from "vitest";

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
/** The start of a stopped clock: so far in the future that no alarm fires by itself. */
export const NOON = Date.UTC(2040, 4, 16, 12);

/** Every test of the file starts at noon, and its clock only moves when it is set. */
export function stopClockAtNoon(): void {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["Date"], now: NOON });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
}

/**
 * Stops the clock until the end of the test. For tests that count trips: what is cached for a while, such as the permissions of the roles, must
 * not expire between two requests.
 */
export function stopClock(): void {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
  onTestFinished(() => {
    vi.useRealTimers();
  });
}
