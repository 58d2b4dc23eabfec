import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { duration } from "../../config/duration.ts";
import { signalMembers, sourceMembers } from "../../config/signal.ts";
import type { CheckStep, Source, SourceContext } from "../source.ts";

/** Machines that do not exist, for trying Andon without one: each signal counts one piece at every interval. */
export const simulatorConfig = z.strictObject({
  ...sourceMembers,
  type: z.literal("simulator"),
  signal: z
    .array(
      z.strictObject({ ...signalMembers, every: duration.default(5000).meta({ description: "The time between two pieces" }) }),
    )
    .min(1)
    .max(100),
});
export type SimulatorConfig = z.infer<typeof simulatorConfig>;

export function simulatorSource(config: SimulatorConfig): Source {
  return {
    run: async (context) => {
      context.report({ state: "ok", error: null });
      await Promise.all(config.signal.map(({ every }, signal) => countPieces(context, signal, every)));
    },
    async *check(): AsyncIterable<CheckStep> {
      yield { step: "first value", ok: true, detail: `${config.signal.length} simulated signals` };
    },
  };
}

async function countPieces(context: SourceContext, signal: number, everyMs: number): Promise<void> {
  for (let total = 0; !context.abort.aborted; total += 1) {
    // What cannot be stored is in the next total.
    await context.store([{ signal, value: total, at: null }]).catch(() => undefined);
    await sleep(everyMs, undefined, { signal: context.abort }).catch(() => undefined);
  }
}
