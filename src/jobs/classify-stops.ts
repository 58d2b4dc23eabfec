import { classifyStep, LEASE_MS } from "../api/stops/bulk/classify-step.ts";
import { type ClassificationRow, findDue, saveClassification } from "../api/stops/bulk/queries.ts";
import { undoStep } from "../api/stops/bulk/undo-step.ts";
import { companyDb } from "../db/client.ts";
import { sendQueueMessages } from "../events/queues.ts";
import { boundsOf } from "./retention/bounds.ts";

/**
 * Goes on with the bulk classifications of a company, the oldest first, until nothing is due or the run is at its end; then another one goes on. If it
 * is killed, the sweep finds what is due.
 */
export async function classifyStopsOf(env: Env, companyId: number): Promise<void> {
  const db = companyDb(env, "first-primary");
  const isAtEnd = boundsOf(env);
  do {
    const now = Date.now();
    const due = await findDue(db, companyId, now);
    if (!due) return;
    const nextAt = now + LEASE_MS;
    // If somebody else has taken it, that one goes on.
    if (await saveClassification(db, due, { nextAt })) await stepOf(due)({ env, db }, { ...due, nextAt });
  } while (!isAtEnd());
  await sendQueueMessages(env, [{ queue: "JOBS", body: { job: "sweep", at: Date.now(), companyIds: [companyId] } }]);
}

function stepOf({ state }: ClassificationRow) {
  return state === "undoing" ? undoStep : classifyStep;
}
