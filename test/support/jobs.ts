import { env } from "cloudflare:workers";
import type { Job, JobName } from "../../src/events/queues.ts";
import { runJob } from "../../src/jobs/jobs.ts";
import { withBudget } from "../../src/limits/budget.ts";

/**
 * Does a job as of an instant, and then the jobs for which it sent messages, each as in an invocation of its own. Returns how many statements each
 * took. Throws if one failed, after doing the others.
 */
export async function doJob(name: JobName, at: number, bindings: Partial<Env> = {}, limit?: number) {
  const done: { job: Job; statements: number }[] = [];
  const failures: unknown[] = [];
  const jobs: Job[] = [{ job: name, at }];
  const JOBS = { sendBatch: async (messages: { body: Job }[]) => jobs.push(...messages.map(({ body }) => body)) } as never;
  for (let job = jobs.shift(); job; job = jobs.shift()) {
    const { env: own, budget } = withBudget({ ...env, ...bindings, JOBS } as Env, limit);
    await runJob(own, job).catch((error) => failures.push(error));
    done.push({ job, statements: budget.statements });
  }
  if (failures.length > 0) throw failures[0];
  return done;
}
