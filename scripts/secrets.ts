import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseEnv } from "node:util";

const root = resolve(import.meta.dirname, "..");

/** The file with the secrets of a state folder that `npm run serve` serves. A backup contains it. */
export const secretsFile = (stateFolder: string) => join(stateFolder, "secrets.env");

/**
 * The secrets of a state folder, which no other one has: made at the first start. A folder that has data of `npm start -- --empty` gets those of
 * `.dev.vars`, with which these were encrypted.
 * @param required the names of secrets that have to be there; those that end with _PREVIOUS may be empty
 * @param isNew whether the folder has no data yet
 */
export function secretsOf(stateFolder: string, required: readonly string[], isNew: boolean): Record<string, string> {
  const path = secretsFile(stateFolder);
  const known = existsSync(path) || isNew ? variablesIn(path) : variablesIn(join(root, ".dev.vars"));
  const missing = required.filter((name) => known[name] === undefined);
  const made = missing.map((name) => [name, name.endsWith("_PREVIOUS") ? "" : randomBytes(32).toString("base64")] as const);
  const all = { ...known, ...Object.fromEntries(made) };
  if (!existsSync(path) || missing.length > 0) {
    const lines = Object.entries(all).map(([name, value]) => `${name}=${/^[\w+/=:.@-]*$/.test(value) ? value : `'${value}'`}\n`);
    writeFileSync(path, lines.join(""), { mode: 0o600 });
  }
  return all;
}

/** The variables in a file of lines `NAME=value`; none if there is no file. */
function variablesIn(path: string): Record<string, string> {
  return existsSync(path) ? (parseEnv(readFileSync(path, "utf8")) as Record<string, string>) : {};
}
