import { vi } from "vitest";
import type { FaultyBindings } from "./bindings.ts";

/** Timers at least this long are deadlines of calls (src/limits/load.ts). */
const shortestDeadlineMs = 10_000;
const timesFaster = 1000;
const lookEveryMs = 2;

/**
 * Makes deadlines pass only when nothing happens any more except calls that never answer, and then a thousand times faster: a call that
 * is merely slow is never late, and a silent one is not waited for.
 * @param bindings returns the bindings whose calls are watched at the moment
 */
export function hurryDeadlines(bindings: () => FaultyBindings | undefined): void {
  const { setTimeout: start, clearTimeout: stop } = globalThis;
  const deadlines = new Map<unknown, { handle: unknown }>();
  const startDeadline = (passed: () => void, ms: number) => {
    const deadline: { handle: unknown } = { handle: undefined };
    const look = () => {
      if ((bindings()?.silentForMs() ?? 0) * timesFaster < ms) {
        deadline.handle = start(look, lookEveryMs);
        return;
      }
      bindings()?.touch();
      passed();
    };
    const key = start(look, lookEveryMs);
    deadline.handle = key;
    deadlines.set(key, deadline);
    return key;
  };
  const hurried = (passed: () => void, ms = 0) => (ms < shortestDeadlineMs ? start(passed, ms) : startDeadline(passed, ms));
  const cleared = (key: unknown) => {
    stop((deadlines.get(key)?.handle ?? key) as number);
    deadlines.delete(key);
  };
  vi.stubGlobal("setTimeout", hurried);
  vi.stubGlobal("clearTimeout", cleared);
}
