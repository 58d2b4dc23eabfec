import { readFileSync } from "node:fs";
import { request } from "node:http";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { MINUTE_MS } from "../src/oee/time.ts";

/** The crons of wrangler.toml, unchanged. */
export function declaredCrons(): string[] {
  const config = readFileSync(join(resolve(import.meta.dirname, ".."), "wrangler.toml"), "utf8");
  const list = /^crons\s*=\s*\[([^\]]*)\]/m.exec(config)?.[1] ?? "";
  return [...list.matchAll(/"([^"]*)"/g)].flatMap(([, cron]) => cron ?? []);
}

/**
 * True if a cron (five fields, UTC, each made of `*`, `n`, `a-b`, `/step` and commas) is due in the minute of an instant (epoch ms).
 * Throws if a field has any other form.
 */
export function isDue(cron: string, at: number): boolean {
  const date = new Date(at);
  const now = [date.getUTCMinutes(), date.getUTCHours(), date.getUTCDate(), date.getUTCMonth() + 1, date.getUTCDay()];
  const fields = cron.split(" ");
  if (fields.length !== now.length) throw new Error(`The cron "${cron}" does not have five fields.`);
  return fields.every((field, i) => field.split(",").some((part) => matches(part, now[i] as number, cron)));
}

function matches(part: string, value: number, cron: string): boolean {
  const [, range = "", from, to, step = "1"] = /^(\*|(\d+)(?:-(\d+))?)(?:\/([1-9]\d*))?$/.exec(part) ?? [];
  if (range === "") throw new Error(`The cron "${cron}" has a field that is not understood: ${part}`);
  if (range === "*") return value % Number(step) === 0;
  return value >= Number(from) && value <= Number(to ?? from) && (value - Number(from)) % Number(step) === 0;
}

/**
 * Makes the local service at `url` run the job of a cron now, as one that was due at `dueAt` (epoch ms).
 * Throws if the job fails or the service cannot be reached.
 */
export async function runJob(url: string, cron: string, dueAt: number = Date.now()): Promise<void> {
  const target = new URL(`/cdn-cgi/local/scheduled?${new URLSearchParams({ cron, time: String(dueAt) })}`, url);
  const status = await new Promise<number | undefined>((done, fail) => {
    // The local runtime only runs jobs for requests to localhost, whatever address it listens on.
    const asked = request(target, { headers: { host: "localhost" } }, (answer) => done(answer.resume().statusCode));
    asked.once("error", fail).end();
  });
  if (status !== 200) throw new Error(`The scheduled job "${cron}" answered ${status}`);
}

/** Makes the service at `url` run its jobs when their crons are due, which the local runtime does not do itself. Ends with `signal`. */
export async function runJobsOnTime(url: string, signal: AbortSignal): Promise<void> {
  const crons = declaredCrons();
  for (let minute = nextMinute(Date.now()); ; minute = nextMinute(Math.max(minute, Date.now()))) {
    await sleep(minute - Date.now(), undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    for (const cron of crons.filter((one) => isDue(one, minute))) {
      await runJob(url, cron, minute).catch((error: Error) => {
        if (!signal.aborted) console.error(error.message);
      });
    }
  }
}

function nextMinute(at: number): number {
  return (Math.floor(at / MINUTE_MS) + 1) * MINUTE_MS;
}
