import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

// Runs a tool that few people need, such as `node scripts/tools/run.ts migrations`. Each has a package.json and a lock file of its own in
// `scripts/tools/<name>/`, and is installed at its first call, and again after a change of its lock file: `npm ci` stays small.

/** Each tool's runs: the program, and the arguments that come first. */
const tools: Record<string, string[][]> = {
  mutants: [["@stryker-mutator/core/bin/stryker.js", "run", "scripts/tools/mutants/stryker.json"]],
  // Of the companies' database, and of the directory.
  migrations: ["drizzle", "drizzle-directory"].map((name) => [
    ...["drizzle-kit/bin.cjs", "generate", "--config", `scripts/tools/migrations/${name}.config.ts`],
  ]),
};

const [name = "", ...more] = process.argv.slice(2);
const tool = tools[name];
if (!tool) {
  console.error(`There is no tool ${name}: there are ${Object.keys(tools).join(" and ")}.`);
  process.exit(1);
}
const root = resolve(import.meta.dirname, "../..");
const folder = join(import.meta.dirname, name);
if (!isInstalled()) install();
for (const [program = "", ...args] of tool) {
  const { status } = spawnSync(process.execPath, [join(folder, "node_modules", program), ...args, ...more], {
    cwd: root,
    stdio: "inherit",
  });
  if (status !== 0) process.exit(status ?? 1);
}

/** Whether what is installed is that of the lock file. */
function isInstalled(): boolean {
  const lock = readFileSync(join(folder, "package-lock.json"), "utf8");
  const installed = installedLock();
  return existsSync(installed) && readFileSync(installed, "utf8") === lock;
}

/** A copy of the lock file that was installed. `npm ci` removes it with all else, so an interrupted one is done again. */
function installedLock(): string {
  return join(folder, "node_modules/.installed-lock.json");
}

function install(): void {
  console.log(`Installing the tool in scripts/tools/${name}`);
  const done = spawnSync("npm", ["ci"], { cwd: folder, stdio: "inherit" });
  if (done.status !== 0) process.exit(done.status ?? 1);
  writeFileSync(installedLock(), readFileSync(join(folder, "package-lock.json")));
}
