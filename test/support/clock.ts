import { afterEach, beforeEach, vi } from "vitest";

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
/** Where a stopped clock starts: so far ahead that no alarm rings by itself. */
export const NOON = Date.UTC(2040, 4, 16, 12);

/** Each test of the file starts at noon, and its clock goes only when it is set. */
export function stopClockAtNoon(): void {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["Date"], now: NOON });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
}
