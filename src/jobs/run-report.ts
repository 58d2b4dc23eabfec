import { runReport } from "../api/report-subscriptions/runs.ts";
import { companyDb } from "../db/client.ts";
import { sendQueueMessages } from "../events/queues.ts";

/** Runs a report whose log is due. Never throws: after an error the run is tried again at the time stored in D1. */
export async function runDueReport(env: Env, logId: string, now: number): Promise<void> {
  const { queueMessages, error } = await runReport({ env, db: companyDb(env, "first-primary"), now }, logId);
  if (error !== undefined) console.error(JSON.stringify({ event: "report_failed", logId, error: String(error) }));
  await sendQueueMessages(env, queueMessages);
}
