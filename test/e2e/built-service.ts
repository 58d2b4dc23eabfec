import type { ChildProcess } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inject } from "vitest";
import { localRuntime } from "../../scripts/service.ts";
import { freshStateFolder } from "./plant.ts";

/** A service whose runtime, the only process with access to its storage, is a child of this process. */
export interface BuiltService {
  /** The address of its own socket. */
  url: string;
  /** The runtime's socket, with a Worker in front that can run scheduled jobs. */
  runtimeUrl: string;
  /** Of the runtime. */
  pid: number;
  /** Sends the runtime kill -9 immediately. Resolves when it has exited. */
  kill(): Promise<void>;
}

/** The folder with the build of the present source. */
const preparedFolder = () => inject("prepared" as never) as string;
const running = new Set<BuiltService>();

/** A new state folder with an empty migrated database, like `migrate` makes from an empty one. */
export function migratedFolder(): string {
  const folder = freshStateFolder();
  cpSync(join(preparedFolder(), "state"), folder, { recursive: true });
  return folder;
}

/**
 * Serves the same as `wrangler dev`, over the same state on disk, but for tests: the build is done before, nothing rebuilds it, and no
 * proxy is in front of it. Throws if it does not start.
 * @param options.variables of the Worker, instead of those of wrangler.toml
 * @param options.wrapper a module that wraps the built one, which it imports as `./index.js`
 * @param options.build the folder with the build; default: that of the present source
 * @param options.onError called with each error that the service logs; default: they are shown
 */
export async function startBuilt({
  stateFolder,
  port,
  wrapper,
  variables = {},
  build = preparedFolder(),
  onError = (line) => process.stderr.write(`${line}\n`),
}: {
  stateFolder: string;
  port: number;
  wrapper?: string;
  variables?: Record<string, string>;
  build?: string;
  onError?: (line: string) => void;
}): Promise<BuiltService> {
  const { Miniflare, convertV4MiniflareOptions } = localRuntime();
  const built = join(build, "built");
  const worker = JSON.parse(readFileSync(join(build, "worker.json"), "utf8"));
  const index = { type: "ESModule", path: join(built, "index.js") };
  const before = wrapper === undefined ? [] : [{ type: "ESModule", path: join(built, "wrapper.js"), contents: wrapper }];
  const options = convertV4MiniflareOptions({
    host: "127.0.0.1",
    port: 0,
    cf: false,
    logRequests: false,
    unsafeTriggerHandlers: true,
    handleStructuredLogs: ({ level, message }: { level: string; message: string }) => {
      if (level === "error") onError(message);
    },
    resourcePersistencePath: join(stateFolder, "v3"),
    workers: [
      {
        name: "andon",
        unsafeDirectSockets: [{ host: "127.0.0.1", port }],
        modulesRoot: built,
        modules: [...before, index],
        ...worker,
        bindings: { ...worker.bindings, ...variables },
      },
    ],
  });
  const { made: server, children } = await withChildren(async () => {
    const made = new Miniflare(options);
    await made.ready;
    return made;
  });
  const [runtime] = children;
  if (!runtime || children.length > 1) throw new Error(`${children.length} processes were started: one was expected`);
  const gone = once(runtime, "exit");
  const service: BuiltService = {
    url: `http://127.0.0.1:${port}`,
    runtimeUrl: (await server.ready).origin,
    pid: runtime.pid ?? 0,
    async kill() {
      running.delete(service);
      runtime.kill("SIGKILL");
      await Promise.all([gone, server.dispose()]);
    },
  };
  running.add(service);
  return service;
}

/** Stops the started services that still run. */
export async function stopBuilt(): Promise<void> {
  await Promise.all([...running].map((service) => service.kill()));
}

/** The result of `make`, and the processes that were started meanwhile. */
async function withChildren<T>(make: () => Promise<T>): Promise<{ made: T; children: ChildProcess[] }> {
  const children: ChildProcess[] = [];
  const see = (message: unknown) => children.push((message as { process: ChildProcess }).process);
  subscribe("child_process", see);
  try {
    return { made: await make(), children };
  } finally {
    unsubscribe("child_process", see);
  }
}
