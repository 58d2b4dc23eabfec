import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { opcuaConfig } from "../../bridge/src/sources/opcua/opcua.ts";

const root = join(import.meta.dirname, "../..");
const signal = [{ machine: "P1", kind: "total", node: "ns=2;s=Line1.Total" }];
const least = { id: "line-1", type: "opcua", endpoint: "opc.tcp://10.0.4.20:4840", signal };

/** The bridge as npm installs it in a folder, without the repository around it. */
function installed(): string {
  const folder = mkdtempSync(join(tmpdir(), "installed-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const modules = join(folder, "node_modules");
  mkdirSync(modules);
  symlinkSync(join(root, "node_modules/zod"), join(modules, "zod"));
  // Node strips no types below node_modules, so the bridge lies beside it.
  cpSync(join(root, "bridge/src"), join(folder, "dist"), { recursive: true });
  return folder;
}

/** What the checks of a source in that folder say. */
async function checked(folder: string): Promise<unknown> {
  const program = `
    import { opcuaConfig, opcuaSource } from "${folder}/dist/sources/opcua/opcua.ts";
    const steps = [];
    const source = opcuaSource(opcuaConfig.parse(${JSON.stringify(least)}));
    for await (const step of source.check(AbortSignal.timeout(10_000))) steps.push(step);
    console.log(JSON.stringify(steps));`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program]);
  return JSON.parse(stdout);
}

test("without its package the check of an OPC UA source says how to install it, and with it the package checks", async () => {
  const folder = installed();
  expect(await checked(folder)).toEqual([
    { step: "package", ok: false, detail: expect.stringContaining("npx -p andon-bridge -p andon-bridge-opcua andon-bridge") },
  ]);
  const own = join(folder, "node_modules/andon-bridge-opcua");
  mkdirSync(own);
  writeFileSync(join(own, "package.json"), JSON.stringify({ name: "andon-bridge-opcua", type: "module", exports: "./index.js" }));
  writeFileSync(
    join(own, "index.js"),
    `export const opcuaSource = ({ id }) => ({ check: async function* () { yield { step: "name", ok: true, detail: id }; } });`,
  );
  expect(await checked(folder)).toEqual([{ step: "name", ok: true, detail: "line-1" }]);
  writeFileSync(join(own, "index.js"), `import "a-package-that-is-not-there";`);
  expect(await checked(folder)).toEqual([
    { step: "package", ok: false, detail: expect.stringContaining("a-package-that-is-not-there") },
  ]);
});

test("the configuration of an OPC UA source has defaults, and is refused by the member that is wrong", () => {
  expect(opcuaConfig.parse(least)).toMatchObject({
    security: "None",
    publish: 500,
    clock: "source",
    signal: [{ sampling: 250, queue: 100, trigger: "value" }],
  });
  const wrong: [member: string, change: object, message: string][] = [
    ["endpoint", { endpoint: "http://10.0.4.20" }, 'such as "opc.tcp://10.0.4.20:4840"'],
    ["endpoint", { endpoint: "opc.tcp://user:secret@10.0.4.20:4840" }, 'such as "opc.tcp://10.0.4.20:4840"'],
    ["trust", { trust: "AB:CD" }, "SHA-256 fingerprint"],
    ["username", { username: "bridge" }, "needs password_file or password_env"],
    ["username", { password_env: "OPCUA" }, "is needed with a password"],
    ["password_env", { username: "bridge", password_env: "OPCUA", password_file: "x" }, "excludes password_file"],
    ["silence", { silence: "2s" }, "six times `publish`"],
    ["publish", { publish: "5min", silence: "1h" }, "10ms to 1min"],
    ["signal.0.node", { signal: [{ ...signal[0], node: "Line1.Total" }] }, "must be a node id"],
    ["signal.0.queue", { signal: [{ ...signal[0], queue: 0 }] }, ">=1"],
  ];
  for (const [member, change, message] of wrong) {
    const issues = opcuaConfig.safeParse({ ...least, ...change }).error?.issues ?? [];
    expect(issues.map(({ path }) => path.join("."))).toEqual([member]);
    expect(issues[0]?.message).toContain(message);
  }
});
