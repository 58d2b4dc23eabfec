import { type ChildProcess, spawnSync } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { appendToLog } from "../request-log.ts";
import { localRuntime } from "../service.ts";
import { type BuiltWorker, builtFolder } from "./build.ts";
import { frontWorker } from "./front-worker.ts";

const root = resolve(import.meta.dirname, "../..");

/**
 * workerd runs about 30 isolates for this service, and V8 lets each grow to hundreds of megabytes before it collects all of its garbage for the
 * first time. Most of them use a few megabytes, but what they have dropped holds far more memory outside their heaps, such as bodies of requests
 * to the database. With these limits, in MB, they collect it early: docs/plant-pc.md has the measurements.
 */
const V8_FLAGS = "--initial-old-space-size=4 --max-semi-space-size=4";

/** How the service is run. */
export interface RunOptions {
  built: BuiltWorker;
  stateFolder: string;
  host: string;
  port: number;
  /** The file for the Worker's log. */
  logFile: string;
  /** Values of the Worker's variables and secrets. */
  bindings: Record<string, string>;
}

/** The running service. */
export interface Running {
  /** An address of this computer, which nothing outside reaches, at which scheduled jobs can be run. */
  jobsUrl: string;
  /** Resolves when the runtime has ended, whether it was asked to or not, with how it ended: a sentence. */
  ended: Promise<string>;
  /** Takes no more requests, lets those that it has finish for up to `graceMs`, and ends the runtime. */
  stop(graceMs: number): Promise<void>;
}

/** Runs the built service in workerd, the only process that it starts. Throws if it does not start. */
export async function runService({ built, stateFolder, host, port, logFile, bindings }: RunOptions): Promise<Running> {
  const { Miniflare, convertV4MiniflareOptions, CoreHeaders } = localRuntime();
  // With it, whoever sends this header would choose the address from which a request seems to come.
  (CoreHeaders as { CF_BLOB: string | undefined }).CF_BLOB = undefined;
  endsWithThisProcess();
  process.env.MINIFLARE_WORKERD_V8_FLAGS ??= V8_FLAGS;
  const options = {
    host: "127.0.0.1",
    port: 0,
    cf: false,
    logRequests: false,
    enableDevRegistry: false,
    unsafeTriggerHandlers: true,
    handleStructuredLogs: ({ level, message }: { level: string; message: string }) => {
      if (message.startsWith("{")) appendToLog(logFile, message);
      else if (level === "error" || level === "warn") console.error(message);
    },
    resourcePersistencePath: join(stateFolder, "v3"),
    workers: [
      {
        name: "front",
        modules: true,
        script: frontWorker,
        compatibilityDate: built.options.compatibilityDate,
        serviceBindings: { ANDON: "andon" },
        unsafeDirectSockets: [{ host, port }],
      },
      {
        ...built.options,
        rootPath: root,
        name: "andon",
        modulesRoot: builtFolder,
        modules: [{ type: "ESModule", path: join(builtFolder, "index.js") }],
        assets: { ...built.assets, directory: join(root, "dist/assets") },
        bindings,
        routes: ["*/*"],
      },
    ],
  } as unknown as Parameters<typeof convertV4MiniflareOptions>[0];
  const { started: runtime, child } = await withChild(async () => {
    const started = withoutSignalHandlers(() => new Miniflare(convertV4MiniflareOptions(options)));
    await started.ready;
    return started;
  });
  const ended = new Promise<string>((done) => {
    // First of all listeners: Miniflare's own would start the runtime again. What watches this service does that, if it should be done.
    child.prependOnceListener("exit", (code, signal) => {
      const why = `The runtime ended with ${signal ?? `exit code ${code}`}.`;
      runtime.dispose().then(
        () => done(why),
        () => done(why),
      );
    });
  });
  return {
    jobsUrl: (await runtime.ready).origin,
    ended,
    stop: async (graceMs) => {
      // It closes its sockets, and exits when the requests that it has are answered.
      child.kill("SIGTERM");
      await Promise.race([ended, sleep(graceMs, undefined, { ref: false })]);
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** Removes the handlers of signals that `make` adds: Miniflare's kill the runtime at once, with the requests that it is serving. */
function withoutSignalHandlers<T>(make: () => T): T {
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  const own = signals.map((signal) => new Set<unknown>(process.rawListeners(signal)));
  const made = make();
  for (const [i, signal] of signals.entries()) {
    for (const listener of process.rawListeners(signal)) {
      if (!own[i]?.has(listener)) process.removeListener(signal, listener as () => void);
    }
  }
  return made;
}

/** The result of `start`, and the process that it has started. */
async function withChild<T>(start: () => Promise<T>): Promise<{ started: T; child: ChildProcess }> {
  const children: ChildProcess[] = [];
  const see = (message: unknown) => children.push((message as { process: ChildProcess }).process);
  subscribe("child_process", see);
  try {
    const started = await start();
    const [child] = children;
    if (!child || children.length > 1) throw new Error(`${children.length} processes were started: one was expected.`);
    return { started, child };
  } finally {
    unsubscribe("child_process", see);
  }
}

/** Lets workerd end with this process where the system can do that: on Linux. */
function endsWithThisProcess(): void {
  if (spawnSync("setpriv", ["--pdeathsig", "KILL", "true"]).status !== 0) return;
  const require = createRequire(createRequire(createRequire(import.meta.url).resolve("wrangler")).resolve("miniflare"));
  process.env.ANDON_WORKERD = (require("workerd") as { default: string }).default;
  process.env.MINIFLARE_WORKERD_PATH = join(import.meta.dirname, "workerd.sh");
}
