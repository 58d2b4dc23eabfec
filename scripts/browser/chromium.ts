import { execFile, spawnSync } from "node:child_process";
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { chmod } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { createBrotliDecompress } from "node:zlib";

// The tests' browser comes with `npm ci`, as an npm package for x64 Linux. On other systems, and if ANDON_CHROMIUM names
// one, an installed browser is used.

const root = resolve(import.meta.dirname, "../..");
const packageFolder = join(root, "node_modules/@sparticuz/chromium");
const installedNames = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const macPath = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";

/** A Chromium, and the environment that it needs. */
export interface Chromium {
  executablePath: string;
  env: Record<string, string>;
}

/** A Chromium that can run here. Throws with the reason if there is none. */
export async function findChromium(): Promise<Chromium> {
  const named = process.env.ANDON_CHROMIUM;
  if (named) return installed(named, "ANDON_CHROMIUM names");
  if (process.platform === "linux" && process.arch === "x64") return await unpacked();
  const found = [...installedNames.map(pathOf), existsSync(macPath) ? macPath : undefined].find(Boolean);
  const hint = "Install Chromium or Chrome, or name one with ANDON_CHROMIUM=/path/to/chrome";
  if (!found)
    throw new Error(
      `The npm package with the browser is for Linux on x64, not for ${process.platform} on ${process.arch}. ${hint}.`,
    );
  return installed(found, "there is");
}

function installed(executablePath: string, how: string): Chromium {
  const { status, error } = spawnSync(executablePath, ["--version"]);
  if (status !== 0)
    throw new Error(`${how} ${executablePath}, which does not run: ${error?.message ?? `it ended with ${status}`}.`);
  return { executablePath, env: {} };
}

function pathOf(name: string): string | undefined {
  return (process.env.PATH ?? "")
    .split(":")
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
}

/** The package's own Chromium, unpacked once per version: 190 MB, with fonts, and the libraries that a minimal Debian lacks. */
async function unpacked(): Promise<Chromium> {
  const { version } = JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8")) as { version: string };
  const folder = join(root, "node_modules/.cache", `chromium-${version}`);
  if (!existsSync(folder)) {
    mkdirSync(dirname(folder), { recursive: true });
    const unfinished = mkdtempSync(`${folder}-`);
    try {
      await Promise.all([
        inflate("chromium.br", unfinished),
        inflate("fonts.tar.br", unfinished),
        inflate("al2023.tar.br", unfinished),
      ]);
      renameSync(unfinished, folder);
    } catch (error) {
      rmSync(unfinished, { recursive: true, force: true });
      // Another process may have been first.
      if (!existsSync(folder)) throw error;
    }
  }
  // Each time, because it has the folder's path: without its fonts Chromium crashes.
  writeFileSync(join(folder, "fonts.conf"), fontsConfig(folder));
  const libraries = [join(folder, "lib"), process.env.LD_LIBRARY_PATH].filter(Boolean).join(":");
  return {
    executablePath: join(folder, "chromium"),
    env: { LD_LIBRARY_PATH: libraries, FONTCONFIG_FILE: join(folder, "fonts.conf") },
  };
}

/** Only the fonts of the package: texts have the same widths on every computer. */
function fontsConfig(folder: string): string {
  const [fonts, cache] = [join(folder, "fonts"), join(folder, "fonts-cache")];
  return `<?xml version="1.0"?><fontconfig><dir>${fonts}</dir><cachedir>${cache}</cachedir></fontconfig>\n`;
}

/** Unpacks a file of the package into a folder. */
async function inflate(name: string, folder: string): Promise<void> {
  const target = join(folder, name.replace(/\.br$/, ""));
  await pipeline(createReadStream(join(packageFolder, "bin", name)), createBrotliDecompress(), createWriteStream(target));
  if (!target.endsWith(".tar")) return await chmod(target, 0o755);
  await promisify(execFile)("tar", ["-xf", target, "-C", folder]);
  rmSync(target);
}
