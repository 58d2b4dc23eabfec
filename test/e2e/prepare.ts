import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { TestProject } from "vitest/node";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import { ensureSecrets, migrate, runWrangler } from "../../scripts/service.ts";

/** What the folder is provided as to the test files, that of what `startBuilt` and `migratedFolder` need. */
const prepared = "prepared" as never;

/** Builds the Worker as it is deployed, and an empty migrated state, once for all files of the project. */
export async function setup(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), "andon-built-"));
  ensureSecrets();
  await Promise.all([
    runWrangler(["deploy", "--dry-run", "--outdir", join(folder, "built")], folder),
    migrate(join(folder, "state")),
  ]);
  // As `npm start` does it.
  const { workerOptions } = unstable_getMiniflareWorkerOptions(resolve(import.meta.dirname, "../../wrangler.toml"));
  const bindings = { ...(workerOptions.bindings as object), LOCAL_PACING: "on" };
  writeFileSync(join(folder, "worker.json"), JSON.stringify({ ...workerOptions, bindings }), { mode: 0o600 });
  project.provide(prepared, folder as never);
  return () => rmSync(folder, { recursive: true, force: true });
}
