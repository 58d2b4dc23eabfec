import { join, resolve } from "node:path";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import { localRuntime, runWrangler } from "../service.ts";
import { bareWorker } from "./bare-worker.ts";
import type { Bindings } from "./record.ts";

const root = resolve(import.meta.dirname, "../..");
const keys = { ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"), ENCRYPTION_KEY_PREVIOUS: "" };
const secrets = { JWT_SECRET: "x".repeat(44), JWT_SECRET_PREVIOUS: "", ...keys };

/** The cost of a request, from the service's own log. */
export interface Cost {
  dbTrips: number;
  rowsRead: number;
  rowsWritten: number;
  objectCalls: number;
}

/** The built Worker and a bare one, over one state, each on a socket of its own. */
export interface Server {
  andon: URL;
  bare: URL;
  /** The service's bindings, usable from this process. */
  env: Bindings;
  /** The next line of the service's log with this value of a member. */
  nextLine<T>(member: string, value: unknown): Promise<T>;
  dispose(): Promise<void>;
}

/** Builds the Worker as it is deployed, into a folder. */
export async function build(folder: string): Promise<void> {
  await runWrangler(["deploy", "--dry-run", "--minify", "--outdir", folder], folder);
}

/**
 * Callers represent many users and gateways, none of which sends enough requests for an isolate to call the platform's limiter. The local
 * limiter, which writes each request to a database, would dominate the measurement.
 */
const manyCallers = { USER_RATE: "100000000", GATEWAY_RATE: "100000000" };

/** Options for serving a built Worker. */
interface Served {
  /** Modules by name; the first one wraps the built one, which it imports as `./index.js`. */
  modules?: Record<string, string>;
  /** Variables with values that differ from wrangler.toml. */
  vars?: Record<string, string>;
}

/** Serves a built Worker over a state folder, without a proxy in front. */
export async function serve(
  built: string,
  stateFolder: string,
  { modules: before = {}, vars = {} }: Served = {},
): Promise<Server> {
  const { Miniflare, convertV4MiniflareOptions } = localRuntime();
  const { workerOptions } = unstable_getMiniflareWorkerOptions(join(root, "wrangler.toml")) as {
    workerOptions: Record<string, unknown>;
  };
  const { compatibilityDate, d1Databases } = workerOptions;
  const direct = { compatibilityDate, unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }] };
  const index = { type: "ESModule", path: join(built, "index.js") };
  const wrapper = Object.entries(before).map(([name, contents]) => ({ type: "ESModule", path: join(built, name), contents }));
  const awaited = new Set<(line: Record<string, unknown>) => void>();
  const options = {
    host: "127.0.0.1",
    port: 0,
    cf: false,
    logRequests: false,
    resourcePersistencePath: join(stateFolder, "v3"),
    handleStructuredLogs: ({ level, message }: { level: string; message: string }) => {
      if (level === "error") process.stderr.write(`${message}\n`);
      if (awaited.size > 0 && message.startsWith("{")) for (const see of awaited) see(JSON.parse(message));
    },
    workers: [
      {
        ...workerOptions,
        ...direct,
        name: "andon",
        modulesRoot: built,
        modules: [...wrapper, index],
        // The local replacement for the static files' router is two Workers in front of this one: a proxy.
        assets: undefined,
        bindings: { ...(workerOptions.bindings as object), ...secrets, ...manyCallers, REQUEST_LOG: "all", ...vars },
      },
      {
        ...direct,
        name: "bare",
        modules: true,
        script: bareWorker,
        d1Databases,
        durableObjects: { OBJECTS: { className: "BareObject", useSQLite: true } },
      },
    ],
  };
  const runtime = new Miniflare(convertV4MiniflareOptions(options as unknown as Parameters<typeof convertV4MiniflareOptions>[0]));
  await runtime.ready;
  return {
    andon: await runtime.unsafeGetDirectURL("andon"),
    bare: await runtime.unsafeGetDirectURL("bare"),
    env: { ...((await runtime.getBindings("andon")) as Bindings), ...secrets },
    nextLine: (member, value) =>
      new Promise((done) => {
        const see = (line: Record<string, unknown>) => {
          if (line[member] !== value) return;
          awaited.delete(see);
          done(line as never);
        };
        awaited.add(see);
      }),
    dispose: () => runtime.dispose(),
  };
}
