import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Why there is no release, for the person who asked for one. Nothing was changed. */
export class Refusal extends Error {}

export interface Release {
  /** The folder of the repository. */
  root: string;
  /** `patch`, `minor`, `major`, or a version `x.y.z`. */
  wanted: string;
  /** `YYYY-MM-DD` */
  today: string;
  /** Commands that must succeed first, each a program with its arguments. */
  checks: readonly (readonly [string, ...string[]])[];
  /** Nothing is run or changed: it only says what it would do. */
  isDryRun: boolean;
  say: (line: string) => void;
}

/** Its source is what the tests of upgrades start from, and what `npm run check` compares with (scripts/checks/released.ts). */
const RELEASED = ".ci/released";
/** The bridge and its package for OPC UA have the version of the service. */
const versioned = [
  "package.json",
  "bridge/package.json",
  "package-lock.json",
  "bridge/opcua/package.json",
  "bridge/opcua/package-lock.json",
] as const;
const files = ["CHANGELOG.md", ...versioned, RELEASED] as const;

/** Commits and tags a version, on this computer only. Throws Refusal. */
export function release({ root, wanted, today, checks, isDryRun, say }: Release): void {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
  const read = (name: string) => readFileSync(join(root, name), "utf8");
  const refuseIfNotReady = () => {
    const branch = git("branch", "--show-current");
    if (branch !== "main") throw new Refusal(`releases are made on main, and this is ${branch || "no branch"}`);
    if (git("status", "--porcelain") !== "") throw new Refusal("there are changes that are not committed");
  };

  refuseIfNotReady();
  const version = nextVersion(JSON.parse(read("package.json")).version, wanted);
  const tag = `v${version}`;
  if (git("tag", "--list", tag) !== "") throw new Refusal(`${tag} exists already`);
  const changelog = changelogWith(read("CHANGELOG.md"), version, today);

  const commit = git("rev-parse", "HEAD");
  for (const [program, ...args] of checks) {
    say(`${isDryRun ? "would run" : "runs"} ${[program, ...args].join(" ")}`);
    if (isDryRun) continue;
    const { status } = spawnSync(program, args, { cwd: root, stdio: "inherit" });
    if (status !== 0) throw new Refusal(`${[program, ...args].join(" ")} failed`);
  }
  // The checks take minutes, and what is tagged must be what they have seen.
  refuseIfNotReady();
  if (git("rev-parse", "HEAD") !== commit) throw new Refusal("main has changed during the checks");

  say(`${isDryRun ? "would write" : "writes"} ${version} of ${today} into ${files.join(", ")}`);
  say(`${isDryRun ? "would commit and tag" : "commits and tags"} ${tag}`);
  if (isDryRun) return;
  writeFileSync(join(root, "CHANGELOG.md"), changelog);
  for (const name of versioned) writeFileSync(join(root, name), withVersion(read(name), version));
  // The commit that was checked: the release only adds its number to it.
  mkdirSync(join(root, dirname(RELEASED)), { recursive: true });
  writeFileSync(join(root, RELEASED), `${commit}\n`);
  git("add", "--", RELEASED);
  git("commit", "--quiet", "-m", `Version ${version}`, "-m", "CHANGELOG.md says what is in it.", "--", ...files);
  git("tag", "--annotate", "-m", `Version ${version}`, tag);
  say(`nothing was pushed: git push --atomic origin main ${tag}`);
}

function nextVersion(current: string, wanted: string): string {
  const [major, minor, patch] = numbersOf(current);
  if (wanted === "major") return `${major + 1}.0.0`;
  if (wanted === "minor") return `${major}.${minor + 1}.0`;
  if (wanted === "patch") return `${major}.${minor}.${patch + 1}`;
  const numbers = numbersOf(wanted);
  const before = [major, minor, patch];
  const changed = numbers.findIndex((number, index) => number !== before[index]);
  // The current version may be released by its number: the first release is.
  if (changed >= 0 && (numbers[changed] ?? 0) < (before[changed] ?? 0)) {
    throw new Refusal(`${wanted} is before the current version, ${current}`);
  }
  return wanted;
}

function numbersOf(version: string): [number, number, number] {
  const [, major, minor, patch] = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/.exec(version) ?? [];
  if (!patch) throw new Refusal(`a version is patch, minor, major or x.y.z, and not ${version}`);
  return [Number(major), Number(minor), Number(patch)];
}

/** Returns the changelog with what is under Unreleased under a version, and nothing under Unreleased. */
function changelogWith(text: string, version: string, today: string): string {
  const [, rest] = text.split(/^## Unreleased\n/m);
  if (rest === undefined) throw new Refusal("CHANGELOG.md has no heading ## Unreleased");
  const [entries = ""] = rest.split(/^## /m);
  if (!/^- /m.test(entries)) throw new Refusal("CHANGELOG.md has nothing under Unreleased");
  return text.replace(/^## Unreleased\n/m, `## Unreleased\n\n## ${version} - ${today}\n`);
}

/** Returns a package.json or package-lock.json with another version. */
function withVersion(text: string, version: string): string {
  const json = JSON.parse(text);
  json.version = version;
  for (const folder of ["", "bridge"]) if (json.packages?.[folder]) json.packages[folder].version = version;
  return `${JSON.stringify(json, null, 2)}\n`;
}
