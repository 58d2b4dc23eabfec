import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseEnv } from "node:util";

const root = resolve(import.meta.dirname, "..");
/** Variables of `wrangler dev` on this computer. It had the secrets of all state folders before each had its own. */
const sharedFile = join(root, ".dev.vars");

/** The file with the secrets of a state folder, as lines `NAME=value`. A backup contains it. */
export const secretsFile = (stateFolder: string) => join(stateFolder, "secrets.env");

/**
 * The secrets of a state folder, which no other one has; made at the first start. A folder with data from before there were such files keeps
 * the encryption key of `.dev.vars`, with which its secrets are encrypted. Call it before the folder's database is created.
 * @param shared the file that all folders shared
 */
export function secretsOf(stateFolder: string, shared = sharedFile): Record<string, string> {
  const path = secretsFile(stateFolder);
  const isFirst = !existsSync(path);
  const kept = isFirst ? inherited(stateFolder, shared) : variablesIn(path);
  const missing = requiredSecrets().filter((name) => kept[name] === undefined);
  if (!isFirst && missing.length === 0) return kept;
  const made = missing.map((name) => [name, name.endsWith("_PREVIOUS") ? "" : randomBytes(32).toString("base64")]);
  const all: Record<string, string> = { ...kept, ...Object.fromEntries(made) };
  const lines = Object.entries(all).map(([name, value]) => `${name}=${/^[\w+/=:.@-]*$/.test(value) ? value : `'${value}'`}\n`);
  mkdirSync(stateFolder, { recursive: true });
  try {
    // Two first starts at the same time must not replace each other's secrets.
    writeFileSync(path, lines.join(""), { mode: 0o600, flag: isFirst ? "wx" : "w" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return variablesIn(path);
  }
  return all;
}

/** What a state folder with data takes over from `.dev.vars`: not what signs tokens, which other folders have, too. */
function inherited(stateFolder: string, shared: string): Record<string, string> {
  if (!existsSync(join(stateFolder, "v3"))) return {};
  return Object.fromEntries(Object.entries(variablesIn(shared)).filter(([name]) => !name.startsWith("JWT_SECRET")));
}

/** The names of the secrets that wrangler.toml requires. */
function requiredSecrets(): string[] {
  const names = /^required\s*=\s*\[([^\]]*)\]/m.exec(readFileSync(join(root, "wrangler.toml"), "utf8"))?.[1] ?? "";
  return [...names.matchAll(/"(\w+)"/g)].flatMap(([, name]) => name ?? []);
}

/** The variables in a file of lines `NAME=value`; none if there is no file. */
function variablesIn(path: string): Record<string, string> {
  return existsSync(path) ? (parseEnv(readFileSync(path, "utf8")) as Record<string, string>) : {};
}
