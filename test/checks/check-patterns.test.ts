import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, expect, it } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "andon-patterns-"));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("refuses a pattern that can take exponential or polynomial time, and one that is built at run time", {
  timeout: 60_000,
}, async () => {
  const lines = [
    "export const good = /^[a-z]+@[a-z]+$/.test(process.argv[2] ?? '');",
    "export const exponential = /^(a+)+$/.test('a');",
    "export const polynomial = /^[il1]+[l1]+[il1]+z$/u.test('l');",
    "export const made = new RegExp(process.argv[2] ?? '');",
    "export const most = (list: number[]) => Math.max(0, ...list);",
    "export const stub = (env: { MACHINES: string }) => env.MACHINES;",
    "export const fine = (...values: number[]) => Math.max(...values, ...[1, 2]);",
  ];
  writeFileSync(join(folder, "planted.ts"), lines.join("\n"));
  const texts = [
    "declare const z: { string(): { max(length: number): unknown; regex(pattern: RegExp): unknown } };",
    "export const bare = z.string();",
    "export const bounded = z.string().max(10);",
    "export const patterned = z.string().regex(/^[a-z]$/);",
  ];
  mkdirSync(join(folder, "api"));
  writeFileSync(join(folder, "api", "texts.ts"), texts.join("\n"));
  const roles = [
    "export const named = (user: { role: string }) => user.role === 'admin';",
    "export const taken = ({ role: of }: { role: string }) => of === 'admin';",
    "export const given = (role: string) => ({ role });",
  ];
  mkdirSync(join(folder, "board"));
  writeFileSync(join(folder, "board", "roles.ts"), roles.join("\n"));
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ include: ["."] }));
  const script = resolve(import.meta.dirname, "../../scripts/checks/check-patterns.ts");
  const { code, output } = await new Promise<{ code: unknown; output: string }>((done) => {
    execFile(process.execPath, [script, join(folder, "tsconfig.json")], (error, _out, output) =>
      done({ code: error?.code, output }),
    );
  });
  expect(code).toBe(1);
  const faults = output.split("\n").filter((line) => line.includes("planted.ts: "));
  expect(faults).toEqual([
    expect.stringContaining("/^(a+)+$/ takes exponential time"),
    expect.stringContaining("/^[il1]+[l1]+[il1]+z$/u takes polynomial time"),
    expect.stringContaining("RegExp(...) makes a pattern"),
    expect.stringContaining("a list is spread into arguments"),
    expect.stringContaining("MACHINES: an object is named by its company's jurisdiction"),
  ]);
  expect(output.match(/texts\.ts: z\.string\(\)/g)).toHaveLength(1);
  // One fault for both: each is told once per file.
  expect(output.match(/roles\.ts: a role is read/g)).toHaveLength(1);
});
