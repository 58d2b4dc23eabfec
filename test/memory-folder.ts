import { accessSync, chmodSync, constants, mkdtempSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";

const prefix = "andon-tests-";
const gibibyte = 2 ** 30;

/**
 * A new folder for temporary files in memory, removed when this process ends; null where the system has no file system for that, or not enough
 * room. A database waits for the disk at every commit. Tests do not need that: they kill processes, not computers.
 */
export function createMemoryFolder(root = "/dev/shm", room = 2 * gibibyte): string | null {
  if (!hasRoom(root, room)) return null;
  for (const name of readdirSync(root).filter(isLeftover)) remove(join(root, name));
  const folder = mkdtempSync(join(root, `${prefix}${process.pid}-`));
  // As in /tmp, a program that runs as another user reaches what is below it: nginx started by root does.
  chmodSync(folder, 0o711);
  process.once("exit", () => remove(folder));
  return folder;
}

function hasRoom(root: string, room: number): boolean {
  try {
    accessSync(root, constants.W_OK);
    const { bavail, bsize } = statfsSync(root);
    return bavail * bsize >= room;
  } catch {
    return false;
  }
}

/** Whether a folder is that of a process that was killed. */
function isLeftover(name: string): boolean {
  const [, pid] = new RegExp(`^${prefix}(\\d+)-`).exec(name) ?? [];
  if (pid === undefined) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

/** A folder that cannot be removed yet, because a process that ends still writes there, is left to the next run. */
function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  } catch (error) {
    process.emitWarning(`${folder} stays until the next run: ${error}`);
  }
}
