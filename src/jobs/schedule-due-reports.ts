import { scheduleReports } from "../api/report-subscriptions/schedule.ts";
import { companyDb } from "../db/client.ts";
import { sendQueueMessages } from "../events/queues.ts";

/**
 * Schedules the daily and weekly reports that are due at `now` (epoch ms), and sends the messages of all runs that are due.
 * @throws if a report could not be scheduled, after scheduling the others
 */
export async function scheduleDueReports(env: Env, now: number): Promise<void> {
  const { queueMessages, failures } = await scheduleReports(companyDb(env, "first-primary"), now);
  await sendQueueMessages(env, queueMessages);
  if (failures.length > 0) throw failures[0];
}
