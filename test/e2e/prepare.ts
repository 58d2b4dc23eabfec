import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { TestProject } from "vitest/node";
import { migrate, runWrangler } from "../../scripts/service.ts";
import { writeOptions } from "./build-options.ts";

/** The name under which test files get the folder with what `startBuilt` and `migratedFolder` need. */
const preparedName = "prepared" as never;

/** The shared preparation: each project that uses it loads this module separately. */
const shared = globalThis as { andonPrepared?: { folder: Promise<string>; projects: number } };

/** Builds the Worker as deployed, and an empty migrated state, once for all files of all projects. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  shared.andonPrepared ??= { folder: prepare(), projects: 0 };
  const prepared = shared.andonPrepared;
  prepared.projects++;
  project.provide(preparedName, (await prepared.folder) as never);
  return async () => {
    if (--prepared.projects > 0) return;
    delete shared.andonPrepared;
    rmSync(await prepared.folder, { recursive: true, force: true });
  };
}

/** The folder with both, for other preparations of the same project: after `setup`. */
export async function preparedFolder(): Promise<string> {
  if (!shared.andonPrepared) throw new Error("Nothing is prepared yet");
  return await shared.andonPrepared.folder;
}

async function prepare(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "andon-built-"));
  await Promise.all([
    runWrangler(["deploy", "--dry-run", "--outdir", join(folder, "built")], folder),
    migrate(join(folder, "state")),
  ]);
  writeOptions(folder, resolve(import.meta.dirname, "../.."));
  return folder;
}
