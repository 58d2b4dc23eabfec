import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import { secretsOf } from "../../scripts/secrets.ts";

/**
 * Writes the options with which `startBuilt` runs a build, as in `npm start`, with secrets of its own.
 * @param build the folder of the build
 * @param source the folder of the source that was built
 */
export function writeOptions(build: string, source: string): void {
  const { workerOptions } = unstable_getMiniflareWorkerOptions(join(source, "wrangler.toml"));
  const bindings = { ...(workerOptions.bindings as object), ...secretsOf(build), LOCAL_PACING: "on", REQUEST_LOG: "all" };
  writeFileSync(join(build, "worker.json"), JSON.stringify({ ...workerOptions, bindings }), { mode: 0o600 });
}
