import { execFileSync } from "node:child_process";
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");

/** Who uses a state folder. */
export interface Occupant {
  pid: number;
  /** The command that it was started with, such as `npm start`. */
  command: string;
  /** The address of its service. */
  url: string;
}

const occupantFile = (stateFolder: string) => join(stateFolder, "running.json");
const versionFile = (stateFolder: string) => join(stateFolder, "version");

/** The running process that uses a state folder, or null. */
export function occupantOf(stateFolder: string): Occupant | null {
  const path = occupantFile(stateFolder);
  if (!existsSync(path)) return null;
  try {
    const { start, ...occupant } = JSON.parse(readFileSync(path, "utf8")) as Occupant & { start: string | null };
    return isRunning(occupant.pid) && startOf(occupant.pid) === start ? occupant : null;
  } catch {
    // Half a file, of a computer that lost its power.
    return null;
  }
}

/**
 * Reserves a state folder for this process until it ends: two runtimes over the same files would damage what the other one has in memory.
 * Creates the folder. Throws, naming the other process, if one uses it.
 */
export function occupy(stateFolder: string, occupant: Omit<Occupant, "pid">): void {
  mkdirSync(stateFolder, { recursive: true });
  const path = occupantFile(stateFolder);
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, JSON.stringify({ pid: process.pid, ...occupant, start: startOf(process.pid) }), { mode: 0o600 });
  try {
    claim(draft, path, stateFolder);
  } finally {
    rmSync(draft, { force: true });
  }
  process.once("exit", () => {
    if (occupantOf(stateFolder)?.pid === process.pid) rmSync(path, { force: true });
  });
}

/** Gives a file its name, unless a running process has done so: of two that start at the same time, one fails. */
function claim(draft: string, path: string, stateFolder: string): void {
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    const other = occupantOf(stateFolder);
    if (other) {
      throw new Error(`${stateFolder} is in use by ${other.command} (process ${other.pid}), whose service is on ${other.url}.
Use that one, stop it, or name another folder with ANDON_STATE and another port with PORT.`);
    }
    // Of a process that was killed.
    rmSync(path, { force: true });
    linkSync(draft, path);
  }
}

/**
 * Records that this version uses the state folder. Returns a notice for people if another one did before: what it is and what to do about it;
 * null if none did.
 */
export function recordVersion(stateFolder: string): string | null {
  const path = versionFile(stateFolder);
  const now = thisVersion();
  const before = existsSync(path) ? readFileSync(path, "utf8").trim() : now;
  writeFileSync(path, `${now}\n`);
  if (before === now) return null;
  return `${stateFolder} was last used by version ${before}; this is ${now}. To be able to go back, keep a backup from before: docs/backup.md.`;
}

/** The version in package.json, and the commit where the code is a clone. */
export function thisVersion(): string {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  if (!existsSync(join(root, ".git"))) return version;
  try {
    return `${version} (${execFileSync("git", ["rev-parse", "--short", "HEAD"], { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim()})`;
  } catch {
    return version;
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** When a process started, as the system reports it, so that another one with the same number is not mistaken for it; null where that is unknown. */
function startOf(pid: number): string | null {
  const path = `/proc/${pid}/stat`;
  if (!existsSync(path)) return null;
  const text = readFileSync(path, "utf8");
  // The 22nd field; the second one, the name in parentheses, may contain spaces.
  return text.slice(text.lastIndexOf(")") + 2).split(" ")[19] ?? null;
}
