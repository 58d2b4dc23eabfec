import { setTimeout as sleep } from "node:timers/promises";

/** Waits, or returns as soon as the source is to end. */
export async function pause(ms: number, abort: AbortSignal): Promise<void> {
  if (ms > 0) await sleep(ms, undefined, { signal: abort }).catch(() => undefined);
}
