import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Refusal, type Release, release } from "../../scripts/release/release.ts";

let root: string;
const said: string[] = [];
const changelog = "# Changelog\n\n## Unreleased\n\n### Added\n\n- New.\n\n## 0.1.0 - 2026-01-01\n\n- Old.\n";

const git = (...args: string[]) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
const read = (name: string) => readFileSync(join(root, name), "utf8");
const write = (name: string, text: string) => writeFileSync(join(root, name), text);
const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
/** A check that runs a script in the repository. */
const check = (script: string): Release["checks"] => [[process.execPath, "-e", script]];
const start = (given: Partial<Release> = {}) =>
  release({ root, wanted: "patch", today: "2026-02-03", checks: [], isDryRun: false, say: (line) => said.push(line), ...given });

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "andon-release-"));
  said.length = 0;
  write("package.json", json({ name: "x", version: "0.1.0" }));
  mkdirSync(join(root, "bridge/opcua"), { recursive: true });
  write("bridge/package.json", json({ name: "x-bridge", version: "0.1.0" }));
  write("bridge/opcua/package.json", json({ name: "x-opcua", version: "0.1.0" }));
  write(
    "bridge/opcua/package-lock.json",
    json({ name: "x-opcua", version: "0.1.0", packages: { "": { version: "0.1.0" }, z: { version: "0.1.0" } } }),
  );
  write(
    "package-lock.json",
    json({
      name: "x",
      version: "0.1.0",
      packages: { "": { version: "0.1.0" }, bridge: { version: "0.1.0" }, y: { version: "0.1.0" } },
    }),
  );
  write("CHANGELOG.md", changelog);
  git("init", "--quiet", "--initial-branch=main");
  for (const [name, value] of [
    ["user.name", "Somebody"],
    ["user.email", "somebody@example.com"],
    ["commit.gpgsign", "false"],
    ["tag.gpgsign", "false"],
  ] as const) {
    git("config", name, value);
  }
  git("add", ".");
  git("commit", "--quiet", "-m", "First");
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Nothing was committed, tagged or changed. */
function expectNoRelease() {
  expect([git("log", "--format=%s"), git("tag", "--list"), read("CHANGELOG.md")]).toEqual(["First", "", changelog]);
}

test("a release is a commit with its version and date, the id of the commit that was checked, and a tag", () => {
  const checked = git("rev-parse", "HEAD");
  start({ checks: check("") });
  expect(JSON.parse(read("package.json"))).toEqual({ name: "x", version: "0.1.1" });
  expect(JSON.parse(read("bridge/package.json"))).toEqual({ name: "x-bridge", version: "0.1.1" });
  expect(JSON.parse(read("bridge/opcua/package.json"))).toEqual({ name: "x-opcua", version: "0.1.1" });
  const locked = { "": { version: "0.1.1" }, z: { version: "0.1.0" } };
  expect(JSON.parse(read("bridge/opcua/package-lock.json"))).toEqual({ name: "x-opcua", version: "0.1.1", packages: locked });
  const packages = { "": { version: "0.1.1" }, bridge: { version: "0.1.1" }, y: { version: "0.1.0" } };
  expect(JSON.parse(read("package-lock.json"))).toEqual({ name: "x", version: "0.1.1", packages });
  expect(read("CHANGELOG.md")).toBe(changelog.replace("## Unreleased\n", "## Unreleased\n\n## 0.1.1 - 2026-02-03\n"));
  expect(read(".ci/released")).toBe(`${checked}\n`);
  expect(git("log", "-1", "--format=%s")).toBe("Version 0.1.1");
  expect(git("rev-parse", "v0.1.1^{commit}")).toBe(git("rev-parse", "HEAD"));
  expect(git("status", "--porcelain")).toBe("");
});

test.each([
  ["patch", "v0.1.1"],
  ["minor", "v0.2.0"],
  ["major", "v1.0.0"],
  ["0.10.0", "v0.10.0"],
  ["0.1.0", "v0.1.0"],
])("%s after 0.1.0 is %s", (wanted, tag) => {
  start({ wanted });
  // The current version needs no change of package.json, but has its heading in the changelog.
  expect(git("tag", "--list")).toBe(tag);
});

test("a dry run says what it would do, runs no check and changes nothing", () => {
  start({ isDryRun: true, checks: [["no-such-program", "x"]] });
  expect(said).toEqual([
    "would run no-such-program x",
    "would write 0.1.1 of 2026-02-03 into CHANGELOG.md, package.json, bridge/package.json, package-lock.json, bridge/opcua/package.json, bridge/opcua/package-lock.json, .ci/released",
    "would commit and tag v0.1.1",
  ]);
  expectNoRelease();
});

test.each<[string, () => Partial<Release> | undefined, string]>([
  ["another branch", () => void git("switch", "--quiet", "-c", "other"), "releases are made on main, and this is other"],
  ["no branch", () => void git("switch", "--quiet", "--detach"), "releases are made on main, and this is no branch"],
  ["a file that is not committed", () => void write("new", ""), "there are changes that are not committed"],
  ["a word that is no version", () => ({ wanted: "1.0" }), "a version is patch, minor, major or x.y.z, and not 1.0"],
  ["a version of the past", () => ({ wanted: "0.0.9" }), "0.0.9 is before the current version, 0.1.0"],
  ["a check that fails", () => ({ checks: [["false"]] }), "false failed"],
  ["a check that leaves a file", () => ({ checks: [["touch", "left"]] }), "there are changes that are not committed"],
  ["a check that is not there", () => ({ checks: [["no-such-program"]] }), "no-such-program failed"],
])("%s is no release", (_, prepare, message) => {
  const given = prepare();
  expect(() => start(given)).toThrow(new Refusal(message));
  expectNoRelease();
});

test("a commit during the checks is no release", () => {
  const checks: Release["checks"] = [["git", "commit", "--quiet", "--allow-empty", "-m", "Meanwhile"]];
  expect(() => start({ checks })).toThrow(new Refusal("main has changed during the checks"));
  expect(git("tag", "--list")).toBe("");
});

test("a version that is tagged, or has no entries, is no release", () => {
  start();
  expect(() => start({ wanted: "0.1.1" })).toThrow(new Refusal("v0.1.1 exists already"));
  expect(() => start()).toThrow(new Refusal("CHANGELOG.md has nothing under Unreleased"));
  write("CHANGELOG.md", "# Changelog\n\n- x\n");
  git("commit", "--quiet", "-am", "No heading");
  expect(() => start()).toThrow(new Refusal("CHANGELOG.md has no heading ## Unreleased"));
});
