import { setTimeout as sleep } from "node:timers/promises";
import { readConfig } from "../config/config.ts";
import { createIntake } from "../intake/intake.ts";
import { servePage } from "../page/page.ts";
import { StorageError } from "../queue/database.ts";
import { createQueue } from "../queue/queue.ts";
import { sourceOf } from "../sources/types.ts";
import { createAndon } from "../upstream/andon.ts";
import { createOffset } from "../upstream/offset.ts";
import { createSender } from "../upstream/sender.ts";
import { createReporter, createStatus } from "../upstream/status.ts";
import { version } from "../version.ts";
import { type Command, configFile, endSignal } from "./command.ts";

/** How often a queue that cannot be read is tried. Without it, sources would not know where they were. */
const RETRY_MS = 1000;
/** Sources that have not ended by then are left: SIGTERM ends the bridge within five seconds. */
const LONGEST_END_MS = 4000;

export const run: Command = {
  usage: "[FILE]",
  summary: "reads the sources and sends what they count, until it is ended",
  run: async (args, options) => {
    const config = readConfig(configFile(args, options));
    const log = (message: string) => console.log(message);
    const abort = endSignal();
    const queue = createQueue({ folder: config.folder, maxAgeMs: config.queue.max_age, maxBytes: config.queue.max_bytes, log });
    const clock = queue.clock();
    const offset = createOffset();
    const andon = createAndon({ url: config.andon.url, tokenFile: config.tokenFile, offset, now: clock.now, version });
    const sender = createSender({ queue, andon, offset, now: clock.now, log, abort, onDropped: () => reporter.changed() });
    const intake = createIntake({ queue, clock, log, onStored: sender.poke, onState: () => reporter.changed() });
    const status = createStatus({ version, startedAt: clock.now(), queue, offset, now: clock.now, views: intake.views });
    const reporter = createReporter(andon, status, log, abort);
    log(`andon-bridge ${version} sends to ${config.andon.url}, and keeps its queue in ${config.folder}`);
    if (config.page.port !== 0)
      servePage({ port: config.page.port, status, views: intake.views, fault: sender.fault, log, abort });
    const contexts = config.source.map((source) => ({ source, context: intake.contextOf(source, abort) }));
    const sending = sender.run();
    reporter.start();
    await untilStored(() => intake.load(queue), abort);
    const sources = contexts.map(({ source, context }) => runSource(source, context));
    await untilAborted(abort);
    const ended = Promise.all([...sources, sending]);
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, LONGEST_END_MS))]);
    intake.flush();
    queue.close();
    log("ended");
    return 0;
  },
};

/** Calls it until the queue can be read. What is wrong with it is said by the queue itself, and by the page. */
async function untilStored(read: () => void, abort: AbortSignal): Promise<void> {
  while (!abort.aborted) {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      await sleep(RETRY_MS, undefined, { signal: abort }).catch(() => undefined);
    }
  }
}

function untilAborted(abort: AbortSignal): Promise<unknown> {
  return abort.aborted ? Promise.resolve() : new Promise((resolve) => abort.addEventListener("abort", resolve));
}

/** A source never throws; if it does, it is a defect, and it is started again, since the others must run on. */
async function runSource(config: Parameters<typeof sourceOf>[0], context: Parameters<ReturnType<typeof sourceOf>["run"]>[0]) {
  while (!context.abort.aborted) {
    try {
      await sourceOf(config).run(context);
      return;
    } catch (error) {
      if (context.abort.aborted) return;
      context.report({ state: "failed", error: (error as Error).message });
      context.log((error as Error).stack ?? String(error));
      await new Promise((resolve) => setTimeout(resolve, 5000));
    }
  }
}
