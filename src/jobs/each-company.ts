import { type Job, type QueueMessage, sendQueueMessages } from "../events/queues.ts";
import { budgetOf } from "../limits/budget.ts";
import { chunksOf } from "../limits/load.ts";

// Work that a cron begins, and that is done for a few companies at a time.

/** Companies per message: few enough for one invocation. A message for each would cost more. */
const COMPANIES_PER_MESSAGE = 20;

/** The messages that have a job done for companies. */
export function jobMessages(job: Job, companies: readonly { companyId: number }[]): QueueMessage[] {
  const all = companies.map(({ companyId }) => companyId);
  return chunksOf(all, COMPANIES_PER_MESSAGE).map((companyIds) => ({ queue: "JOBS", body: { ...job, companyIds } }));
}

/**
 * Does the work of a job for each company, and has the events that it stored dispatched. When the invocation has done enough, the others get a
 * message of their own.
 * @param work returns whether it stored events or conditions
 * @throws if it failed for some companies, after doing it for the others
 */
export async function doForEach(
  env: Env,
  job: Job,
  companyIds: readonly number[],
  work: (companyId: number) => Promise<boolean>,
): Promise<void> {
  const failures: unknown[] = [];
  const left = [...companyIds];
  const done: QueueMessage[] = [];
  while (left.length > 0 && !budgetOf(env)?.isUsed) {
    const companyId = left.shift() as number;
    try {
      if (await work(companyId)) done.push({ queue: "EVENTS", body: { companyId } });
    } catch (error) {
      failures.push(error);
    }
  }
  const others = left.map((companyId) => ({ companyId }));
  await sendQueueMessages(env, [...done, ...jobMessages(job, others)]);
  if (failures.length > 0) throw failures[0];
}
