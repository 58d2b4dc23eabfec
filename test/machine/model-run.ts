import fc from "fast-check";
import { afterEach, beforeEach, inject, it, vi } from "vitest";
import { play, scripts } from "./model-commands.ts";

declare module "vitest" {
  interface ProvidedContext {
    model: { commands: number; seed: number };
  }
}

const LENGTH = 100;
const MOST_SCRIPTS_AT_ONCE = 25;
const SHRINK_MS = 40_000;

/**
 * A test that plays random scripts until enough commands were given. MODEL_COMMANDS is their number (of all such tests),
 * MODEL_SEED starts at an earlier failure; a failing script is shrunk and printed for `play`.
 * @param part this test's share of all commands
 */
export function modelTest(name: string, signal: "counts" | "states", part: number): void {
  const { commands, seed } = inject("model");
  const goal = commands * part;
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["Date"] });
    vi.spyOn(console, "error").mockReturnValue(undefined);
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });
  it(name, { timeout: 120_000 + goal * 80 }, async () => {
    let [done, next] = [0, seed];
    let failedAt: number | null = null;
    while (done < goal) {
      const property = fc.asyncProperty(scripts(signal, LENGTH), async (script) => {
        // A failing script is shrunk for a limited time, not as far as possible.
        if (failedAt !== null && performance.now() - failedAt > SHRINK_MS) return;
        done += script.steps.length;
        try {
          await play(script);
        } catch (error) {
          failedAt ??= performance.now();
          throw error;
        }
      });
      const numRuns = Math.min(MOST_SCRIPTS_AT_ONCE, Math.ceil((goal - done) / (LENGTH / 2)));
      await fc.assert(property, { seed: next++, numRuns });
    }
  });
}
