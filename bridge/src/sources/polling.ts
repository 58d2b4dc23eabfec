import type { Reading, SourceContext } from "./source.ts";
import { pause } from "./wait.ts";

const againMs = 1000;

/** Stores readings. False: they could not be stored, which is said, and the caller decides what becomes of them. */
export async function storeOrSay(context: SourceContext, readings: readonly Reading[], cursor?: unknown): Promise<boolean> {
  try {
    await context.store(readings, cursor);
    return true;
  } catch (error) {
    context.report({
      state: "failed",
      error: `nothing can be stored: ${error instanceof Error ? error.message : String(error)}`,
    });
    return false;
  }
}

/** Stores readings that the other side still has, however often it takes. False: the source was ended before. */
export async function storeAtLast(context: SourceContext, readings: readonly Reading[], cursor?: unknown): Promise<boolean> {
  while (!context.abort.aborted) {
    if (await storeOrSay(context, readings, cursor)) return true;
    await pause(againMs, context.abort);
  }
  return false;
}
