import { readFileSync } from "node:fs";

/** Where the bridge's clock began: what is added to the time since the computer started. It holds until it starts again. */
export interface ClockStart {
  boot: string;
  offsetMs: number;
}

export interface Clock {
  start: ClockStart;
  /** Epoch ms. It runs evenly, whatever is done to the computer's clock. */
  now(): number;
}

/**
 * The bridge's clock. It is set by the computer's clock once after each boot, and runs by the time since then, so that a clock that is put right
 * does not move or reorder events. How far it is off is measured against Andon (upstream/offset.ts).
 * @param known where it began when the bridge ran last
 * @param after it begins after this time: the newest of what was read before
 */
export function createClock(known: ClockStart | null, after: number): Clock {
  const boot = bootId();
  const fresh = { boot, offsetMs: Math.max(Date.now(), after + 1) - sinceBoot() };
  const start = known?.boot === boot ? known : fresh;
  return { start, now: () => Math.round(start.offsetMs + sinceBoot()) };
}

/** Milliseconds since the computer started; on other systems than Linux since some instant. */
function sinceBoot(): number {
  return Number(process.hrtime.bigint() / 1000n) / 1000;
}

function bootId(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    // Not Linux: the clock begins anew with each process.
    return `process ${process.pid} ${Date.now()}`;
  }
}
