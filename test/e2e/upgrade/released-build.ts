import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { extract, releasedCommit } from "../../../scripts/checks/released.ts";
import { writeOptions } from "../build-options.ts";

const run = promisify(execFile);
const root = resolve(import.meta.dirname, "../../..");

/** A version of the service that can be started: its source, and its build for `startBuilt`. */
export interface Version {
  source: string;
  build: string;
}

/** The commit of the last release, or the one that UPGRADE_FROM names; null before the first release. Throws if the clone does not have it. */
export function commitToUpgrade(): string | null {
  return process.env.UPGRADE_FROM ?? releasedCommit(root);
}

/** Builds a commit in a folder. Its dependencies are the installed ones, if its lock file is the same; otherwise they are installed. */
export async function buildCommit(commit: string, folder: string): Promise<Version> {
  const [source, build] = [join(folder, "source"), join(folder, "build")];
  for (const made of [source, build]) mkdirSync(made, { recursive: true });
  extract(root, commit, ".", source);
  const lock = (of: string) => readFileSync(join(of, "package-lock.json"), "utf8");
  if (lock(source) === lock(root)) symlinkSync(join(root, "node_modules"), join(source, "node_modules"));
  else await run("npm", ["ci"], { cwd: source });
  const wrangler = join(source, "node_modules/.bin/wrangler");
  const env = { ...process.env, WRANGLER_LOG: "error", WRANGLER_SEND_METRICS: "false" };
  await run(wrangler, ["deploy", "--dry-run", "--outdir", join(build, "built")], { cwd: source, env });
  if (!existsSync(join(build, "built/index.js"))) throw new Error(`The build of ${commit} has no index.js`);
  writeOptions(build, source);
  return { source, build };
}

/** The breaking steps of objects' storage that a version lacks and the present one has: where there are some, the version cannot run afterwards. */
export function breakingStepsSince({ source }: Version): string[] {
  const stepsOf = (of: string) =>
    readFileSync(join(of, "src/machine/storage/migrations.lock"), "utf8")
      .split("\n")
      .map((line) => line.split(" ")[0] ?? "");
  const known = stepsOf(source);
  return stepsOf(root).filter((step) => step.endsWith("!") && !known.includes(step));
}
