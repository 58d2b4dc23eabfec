import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

// The source of the last release: `.ci/released` has the id of its commit. Before the first release there is no such file.

const FILE = ".ci/released";

/** The commit of the last release; null before the first. Throws if the clone does not have it. */
export function releasedCommit(root: string): string | null {
  const path = join(root, FILE);
  if (!existsSync(path)) return null;
  const commit = readFileSync(path, "utf8").trim();
  if (!/^[0-9a-f]{40}$/.test(commit)) throw new Error(`${FILE} has to hold the id of a commit, and nothing else.`);
  try {
    git(root, "cat-file", "-e", `${commit}^{commit}`);
  } catch {
    throw new Error(`This clone lacks the released commit: git fetch --depth 1 origin ${commit}`);
  }
  return commit;
}

/** A file of a commit. */
export function fileAt(root: string, commit: string, path: string): string {
  return git(root, "show", `${commit}:${path}`);
}

/** The paths of the files of a folder of a commit, sorted. */
export function filesAt(root: string, commit: string, folder: string): string[] {
  return git(root, "ls-tree", "-r", "--name-only", commit, `${folder}/`)
    .split("\n")
    .filter((path) => path !== "")
    .sort();
}

/** Writes a folder of a commit into another folder. */
export function extract(root: string, commit: string, folder: string, target: string): void {
  const archive = execFileSync("git", ["archive", "--format=tar", commit, folder], { cwd: root, maxBuffer: 2 ** 28 });
  execFileSync("tar", ["-x", "-C", target], { input: archive });
}

function git(root: string, ...args: string[]): string {
  return execFileSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: 2 ** 28, stdio: ["ignore", "pipe", "pipe"] });
}
