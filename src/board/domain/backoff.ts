import { SECOND_MS } from "./time.ts";

// How long the board waits before it tries again what failed: connecting, loading a part or the page, reading, sending an action.

/** The longest wait after one failure, two in a row, and so on, in seconds. After more of them, the last one. */
const waits = [1, 2, 4, 8, 16, 30];

/**
 * The time to wait (ms) before the next attempt: between half of the longest wait and all of it, so that the screens of a plant do not all
 * come back at once.
 * @param failures in a row, from 1
 * @param random 0 to 1
 * @param retryAfter the service's `Retry-After` in seconds, which is waited at least; null: none
 */
export function waitAfter(failures: number, random: number, retryAfter: number | null = null): number {
  const longest = waits[Math.min(failures, waits.length) - 1] ?? 0;
  return SECOND_MS * Math.max(retryAfter ?? 0, longest * (0.5 + random / 2));
}
