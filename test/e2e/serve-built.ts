import { readFileSync } from "node:fs";
import { join } from "node:path";
import { localRuntime } from "../../scripts/service.ts";

// Serves the built Worker of a prepared folder: node serve-built.ts <prepared folder> <state folder> <port>
// What `wrangler dev` runs, over the same state on disk, without what it is for: no rebuilding, no proxy before the Worker.

const [prepared = "", stateFolder = "", port = ""] = process.argv.slice(2);
const { Miniflare, convertV4MiniflareOptions } = localRuntime();
const built = join(prepared, "built");
const server = new Miniflare(
  convertV4MiniflareOptions({
    host: "127.0.0.1",
    port: Number(port),
    cf: false,
    logRequests: false,
    handleStructuredLogs: ({ level, message }: { level: string; message: string }) => {
      if (level === "error") process.stderr.write(`${message}\n`);
    },
    unsafeTriggerHandlers: true,
    resourcePersistencePath: join(stateFolder, "v3"),
    workers: [
      {
        name: "andon",
        modulesRoot: built,
        modules: [{ type: "ESModule", path: join(built, "index.js") }],
        ...JSON.parse(readFileSync(join(prepared, "worker.json"), "utf8")),
      },
    ],
  }),
);
process.once("SIGTERM", async () => {
  await server.dispose();
  process.exit(0);
});
await server.ready;
