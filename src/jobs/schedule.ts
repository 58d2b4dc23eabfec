import { configureMachines } from "./configure-machines.ts";
import { forgetOld } from "./forget-old.ts";

/** What runs at which of the crons in wrangler.toml; `now` (epoch ms) is when it was to run. */
export const schedule: Readonly<Record<string, (env: Env, now: number) => Promise<void>>> = {
  "* * * * *": configureMachines,
  "*/10 * * * *": forgetOld,
};

/** Runs the job of a cron. Throws when it has none, and whatever the job throws. */
export async function runScheduled({ cron, scheduledTime }: ScheduledController, env: Env): Promise<void> {
  const job = schedule[cron];
  if (!job) throw new Error(`No job runs at the cron "${cron}".`);
  await job(env, scheduledTime);
}
