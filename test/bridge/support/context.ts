import type { SignalConfig } from "../../../bridge/src/config/signal.ts";
import type { Loss, Reading, SourceContext, SourceState } from "../../../bridge/src/sources/source.ts";

/** What a source gave to the bridge, kept for a test to look at. */
export interface TestContext extends SourceContext {
  readings: Reading[];
  /** The cursor that was stored last. */
  stored: unknown;
  states: SourceState[];
  losses: Loss[];
  unavailableSignals: { signal: number; at: number | null }[];
  heardTimes: number;
  /** The next stores fail, as with a full disk. */
  failStores(times: number): void;
  /** Ends the source. */
  end(): void;
}

/** A bridge that keeps in memory what its source gives it. */
export function contextFor(signals: readonly Partial<SignalConfig>[], cursor: unknown = null): TestContext {
  const controller = new AbortController();
  let failures = 0;
  const context: TestContext = {
    signals: signals.map((signal) => ({
      machine: "M1",
      kind: "total",
      reading: "cumulative",
      scale: 1,
      on_reset: "count-new",
      ...signal,
    })),
    cursor,
    abort: controller.signal,
    now: () => performance.timeOrigin + performance.now(),
    store: async (readings, next) => {
      await new Promise((resolve) => setImmediate(resolve));
      if (failures > 0) {
        failures -= 1;
        throw new Error("the disk is full");
      }
      context.readings.push(...readings);
      if (next !== undefined) context.stored = next;
    },
    heard: () => {
      context.heardTimes += 1;
    },
    unavailable: async (signal, at) => {
      context.unavailableSignals.push({ signal, at });
    },
    report: (state) => {
      context.states.push(state);
    },
    lost: (loss) => {
      context.losses.push(loss);
    },
    log: () => undefined,
    readings: [],
    stored: cursor,
    states: [],
    losses: [],
    unavailableSignals: [],
    heardTimes: 0,
    failStores: (times) => {
      failures = times;
    },
    end: () => controller.abort(),
  };
  return context;
}

/** Waits until something holds, and fails with what did not. */
export async function until(what: string, holds: () => boolean, forMs = 10_000): Promise<void> {
  const end = Date.now() + forMs;
  while (!holds()) {
    if (Date.now() > end) throw new Error(`not within ${forMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
