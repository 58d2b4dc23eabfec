import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { runWrangler } from "../service.ts";

const root = resolve(import.meta.dirname, "../..");

/** The folder of the built service: `index.js`, and `worker.json` with the options of its runtime. Contains no secrets. */
export const builtFolder = join(root, "dist/server");

/** What `npm run serve` needs to know of the built Worker. */
export interface BuiltWorker {
  /** Of the sources that it was built from. */
  hash: string;
  /** The Worker's options for Miniflare, without its variables, secrets and static files. */
  options: Record<string, unknown>;
  /** The variables of wrangler.toml with their values there. */
  vars: Record<string, string>;
  requiredSecrets: string[];
  /** The static files, relative to the project's folder. */
  assets: Record<string, unknown>;
}

/** Builds the service as it is deployed, unless `dist/server` was built from the same sources. Throws if the build fails. */
export async function buildServer(): Promise<void> {
  const hash = hashOfSources();
  if (readBuilt()?.hash === hash) return;
  console.log("Building the service");
  const draft = `${builtFolder}.new`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  await runWrangler(["deploy", "--dry-run", "--minify", "--outdir", draft], draft);
  const { unstable_getMiniflareWorkerOptions: optionsOf, unstable_readConfig: readConfig } = await import("wrangler");
  const path = join(root, "wrangler.toml");
  const { vars, secrets } = readConfig({ config: path });
  const { bindings: _, assets, rootPath: __, ...options } = optionsOf(path).workerOptions as Record<string, unknown>;
  const built = { hash, options, vars, requiredSecrets: secrets?.required ?? [], assets } as BuiltWorker;
  writeFileSync(join(draft, "worker.json"), JSON.stringify(built));
  rmSync(builtFolder, { recursive: true, force: true });
  renameSync(draft, builtFolder);
}

/** The built service, or null if there is none. */
export function readBuilt(): BuiltWorker | null {
  const path = join(builtFolder, "worker.json");
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as BuiltWorker) : null;
}

function hashOfSources(): string {
  const hash = createHash("sha256");
  for (const path of [
    "package.json",
    "package-lock.json",
    "wrangler.toml",
    "src",
    "scripts/build-assets.ts",
    "scripts/build-board.ts",
    "scripts/openapi",
  ]) {
    const isFolder = statSync(join(root, path)).isDirectory();
    const names = isFolder ? readdirSync(join(root, path), { recursive: true, encoding: "utf8" }).sort() : [""];
    for (const file of names.map((name) => join(root, path, name)).filter((one) => statSync(one).isFile())) {
      hash.update(file.slice(root.length)).update("\0").update(readFileSync(file)).update("\0");
    }
  }
  return hash.digest("hex");
}
