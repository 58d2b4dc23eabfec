import fc from "fast-check";
import { afterEach, beforeEach, inject, it, vi } from "vitest";
import { histories, putRight } from "./model-put-right.ts";

declare module "vitest" {
  interface ProvidedContext {
    putRight: { histories: number; killed: number; seed: number };
  }
}

const runs = inject("putRight");
/** A history that fails is shrunk for so long. */
const SHRINK_MS = 60_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
  vi.spyOn(console, "error").mockReturnValue(undefined);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const cases = [
  { name: "whatever was wrong, and in whatever order it is put right", isKilled: false, numRuns: runs.histories },
  { name: "through kills in the middle", isKilled: true, numRuns: runs.killed },
];

it.each(cases)(
  "a plant that is put right afterwards equals one that was right from the start, $name",
  {
    timeout: 240_000 + (runs.histories + runs.killed) * 10_000,
  },
  async ({ isKilled, numRuns }) => {
    for (const signal of ["counts", "states"] as const) {
      let failedAt: number | null = null;
      const property = fc.asyncProperty(histories(signal), async (history) => {
        if (failedAt !== null && performance.now() - failedAt > SHRINK_MS) return;
        try {
          await putRight(history, isKilled);
        } catch (error) {
          failedAt ??= performance.now();
          throw error;
        }
      });
      await fc.assert(property, { seed: runs.seed, numRuns: Math.ceil(numRuns / 2) });
    }
  },
);
