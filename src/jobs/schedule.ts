import { enqueue, type Job, type JobName } from "../events/queues.ts";
import { tryJob } from "./jobs.ts";

/** The jobs of each cron in wrangler.toml. */
export const schedule: Readonly<Record<string, readonly JobName[]>> = {
  "* * * * *": ["sweep", "configure", "reports", "orders"],
  "*/10 * * * *": ["forget", "forgetShared", "wakeOverdue", "rollCall", "databaseSize"],
  "5-59/10 * * * *": ["rotateKey", "directory"],
};

/**
 * Sends a message for each job of a cron, so that each has an invocation of its own. If the queue does not take them, they are done here, one after
 * the other.
 * @throws if the cron has no jobs
 */
export async function runScheduled({ cron, scheduledTime: at }: ScheduledController, env: Env): Promise<void> {
  const jobs: Job[] | undefined = schedule[cron]?.map((job) => ({ job, at }));
  if (!jobs) throw new Error(`No job runs at the cron "${cron}".`);
  try {
    await enqueue(
      env,
      jobs.map((body) => ({ queue: "JOBS", body })),
    );
  } catch (error) {
    console.error(JSON.stringify({ event: "jobs_in_place", cron, error: String(error) }));
    for (const job of jobs) await tryJob(env, job);
  }
}
