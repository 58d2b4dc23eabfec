import { configureMachines } from "./configure-machines.ts";
import { forgetOld } from "./forget-old.ts";
import { rotateKey } from "./rotate-key.ts";
import { sweep } from "./sweep.ts";
import { watchOrders } from "./watch-orders.ts";

/** The job of each cron in wrangler.toml; `now` (epoch ms) is the scheduled time. */
export const schedule: Readonly<Record<string, (env: Env, now: number) => Promise<void>>> = {
  "* * * * *": everyMinute,
  "*/10 * * * *": forgetOld,
  "5-59/10 * * * *": rotateKey,
};

/** Runs the job of a cron. Throws if there is none, or if the job throws. */
export async function runScheduled({ cron, scheduledTime }: ScheduledController, env: Env): Promise<void> {
  const job = schedule[cron];
  if (!job) throw new Error(`No job runs at the cron "${cron}".`);
  await job(env, scheduledTime);
}

/** Runs all jobs at the same time. Throws if one failed, after all are done. */
async function everyMinute(env: Env, now: number): Promise<void> {
  const done = await Promise.allSettled([configureMachines(env), sweep(env, now), watchOrders(env, now)]);
  const failed = done.find((one) => one.status === "rejected");
  if (failed) throw failed.reason;
}
