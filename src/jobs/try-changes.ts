import { findDueDryRun, takeDryRun } from "../api/machines/recalculations/queries.ts";
import { continueDryRun } from "../api/machines/recalculations/try-change.ts";
import { companyDb } from "../db/client.ts";
import { sendQueueMessages } from "../events/queues.ts";
import { MINUTE_MS } from "../oee/time.ts";
import { boundsOf } from "./retention/bounds.ts";

/** Whoever has taken a dry run works on it for less time than that, or its run was killed. */
const LEASE_MS = MINUTE_MS;

/**
 * Continues the dry runs of a company that take longer than a request, until nothing is due or the run is at its end; then another one continues. If it
 * is killed, the sweep finds what is due.
 */
export async function tryChangesOf(env: Env, companyId: number): Promise<void> {
  const db = companyDb(env, "first-primary");
  const isAtEnd = boundsOf(env);
  do {
    const now = Date.now();
    const due = await findDueDryRun(db, companyId, now);
    if (!due) return;
    const nextAt = now + LEASE_MS;
    // If somebody else has taken it, that one goes on.
    if (await takeDryRun(db, due, nextAt)) await continueDryRun(env, db, { ...due, nextAt }, isAtEnd);
  } while (!isAtEnd());
  await sendQueueMessages(env, [{ queue: "JOBS", body: { job: "sweep", at: Date.now(), companyIds: [companyId] } }]);
}
