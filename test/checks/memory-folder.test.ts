import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, expect, it } from "vitest";
import { createMemoryFolder } from "../memory-folder.ts";

const root = mkdtempSync(join(tmpdir(), "andon-memory-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Makes a memory folder in a process of its own, with a file in it, and returns its name, and the process's id. */
function createElsewhere(isKilled: boolean): { folder: string; pid: number } {
  const file = resolve(import.meta.dirname, "../memory-folder.ts");
  const script = `import { writeFileSync } from "node:fs";
    import { createMemoryFolder } from ${JSON.stringify(file)};
    const folder = createMemoryFolder(${JSON.stringify(root)}, 0);
    writeFileSync(folder + "/database", "rows");
    console.log(folder);
    ${isKilled ? 'process.kill(process.pid, "SIGKILL");' : ""}`;
  const { stdout, pid, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
  expect(stdout, stderr).toContain(root);
  return { folder: stdout.trim(), pid };
}

it("can be passed through by programs of other users, but not read", () => {
  const { folder } = createElsewhere(true);
  expect(statSync(folder).mode & 0o777).toBe(0o711);
});

it("is removed when the process ends", () => {
  const { folder } = createElsewhere(false);
  expect(existsSync(folder)).toBe(false);
});

it("of a killed process is removed by the next one, and no other folder is", () => {
  const { folder } = createElsewhere(true);
  const living = join(root, `andon-tests-${process.pid}-abc`);
  const strange = join(root, "other");
  for (const one of [living, strange]) mkdirSync(one);
  expect(existsSync(join(folder, "database"))).toBe(true);
  createElsewhere(false);
  expect([folder, living, strange].map((one) => existsSync(one))).toEqual([false, true, true]);
});

it("is nowhere if there is no file system in memory, or too little room", () => {
  expect(createMemoryFolder(join(root, "missing"), 0)).toBeNull();
  expect(createMemoryFolder(root, Number.MAX_SAFE_INTEGER)).toBeNull();
});
