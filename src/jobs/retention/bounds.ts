import { budgetOf } from "../../limits/budget.ts";
import { SECOND_MS } from "../../oee/time.ts";

/** How long a run works before it leaves the rest to another one. */
const RUN_MS = 25 * SECOND_MS;

/** The bounds of a run that begins now. Returns the function that says whether one is reached: its time, or the statements of its invocation. */
export function boundsOf(env: Env): () => boolean {
  const startedAt = Date.now();
  return () => Date.now() - startedAt >= RUN_MS || (budgetOf(env)?.isUsed ?? false);
}
