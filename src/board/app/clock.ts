import { type ReadonlySignal, signal } from "@preact/signals";
import { SECOND_MS } from "../domain/time.ts";

// The service's time. A television's own clock may be wrong by minutes, which would make elapsed times wrong too.

let offset = 0;
const current = signal(wholeSecond());
/** The service's time in epoch ms, cut to whole seconds. It changes each second, so components that read it render each second. */
export const second: ReadonlySignal<number> = current;

/** The service's time now, epoch ms. */
export function serverNow(): number {
  return Date.now() + offset;
}

/** Sets the service's time from a message that it has just sent; `at` is ISO 8601. */
export function learnTime(at: string): void {
  const measured = Date.parse(at) - Date.now();
  if (Number.isNaN(measured)) return;
  // Messages arrive late, never early: a smaller lag than before is more accurate, and a jump means that a clock was set.
  offset = Math.abs(measured - offset) > 2000 ? measured : Math.max(offset, measured);
}

function wholeSecond(): number {
  return Math.floor(serverNow() / SECOND_MS) * SECOND_MS;
}

function tick(): void {
  current.value = wholeSecond();
  setTimeout(tick, SECOND_MS - (serverNow() % SECOND_MS) + 5);
}
tick();
